import JSONText

/// The part of a file, or of another input, that is being looked at, read forward a block at a time.
///
/// `position..<filled` of the buffer are bytes that were read and not yet passed. Every index is good until the next
/// `fill` or `passLine`, which move what is unread to the front.
struct FileWindow: ~Copyable {
  private(set) var buffer: [UInt8]
  private(set) var filled = 0
  private(set) var position = 0
  /// Where `position` lies in the file.
  private(set) var offset: Int
  /// Whether nothing follows behind `filled`.
  private(set) var hasReadAll = false
  /// Whether the line that `passLine` passed last ended in a line feed.
  private(set) var hasPassedLineFeed = false
  /// Whether an input that has nothing yet is worth waiting for.
  var isPatient = true

  private let input: any ByteInput
  private let blockBytes: Int
  private let cancellation: CancellationFlag
  /// Where the byte after `filled` lies in the file.
  private var readOffset: Int
  private var isFirstRead = true

  /// A window on `input` from `offset` on; nothing is read yet.
  init(_ input: any ByteInput, from offset: Int, limits: FileLimits, cancellation: CancellationFlag) {
    self.input = input
    self.cancellation = cancellation
    blockBytes = max(limits.readBytes, 2)
    buffer = [UInt8](repeating: 0, count: max(limits.firstReadBytes, 4))
    self.offset = offset
    readOffset = offset
  }

  /// How many bytes were read and not yet passed.
  var unread: Int { filled - position }

  /// Passes the bytes before `index`.
  mutating func pass(to index: Int) {
    offset += index - position
    position = index
  }

  /// Passes JSON's white space; the byte after it, nil at the end of the input.
  mutating func nextByte() throws(ReadFault) -> UInt8? {
    while true {
      let next = JSONScanner.skipWhitespace(buffer.span, position, filled)
      pass(to: next)
      if next < filled { return buffer[next] }
      if hasReadAll { return nil }
      try fill()
    }
  }

  /// The index of the first line feed from `start` on, nil where none was read yet.
  func lineFeed(from start: Int) -> Int? { buffer.span.extracting(..<filled).lineFeed(from: start) }

  /// Moves what is unread to the front and reads at least one more byte behind it, unless the input ends there.
  ///
  /// The buffer grows where it is full. The first block is small, so that the first page of any file is quick; after that
  /// it pays to read more at a time.
  mutating func fill() throws(ReadFault) {
    if cancellation.isCancelled { throw .cancelled }
    moveToFront()
    let block = isFirstRead ? buffer.count : max(buffer.count, blockBytes)
    isFirstRead = false
    try read(upTo: filled < block ? block : filled * 2)
  }

  /// Passes the line at `position`, whose end was not read yet, and keeps only its first `kept` bytes, at the front of the
  /// buffer; returns how many bytes the line has without its end.
  mutating func passLine(keeping kept: Int) throws(ReadFault) -> Int {
    moveToFront()
    var count = filled
    var last = filled > 0 ? buffer[filled - 1] : 0
    let size = max(buffer.count, kept + blockBytes)
    while true {
      if cancellation.isCancelled { throw .cancelled }
      filled = min(filled, kept)
      try read(upTo: size)
      let end = lineFeed(from: kept) ?? filled
      if end > kept { last = buffer[end - 1] }
      count += end - kept
      if end < filled {
        hasPassedLineFeed = true
        offset = readOffset - (filled - end - 1)
        position = end + 1
        return last == 0x0D ? count - 1 : count
      }
      if hasReadAll {
        hasPassedLineFeed = false
        offset = readOffset
        position = filled
        return count
      }
    }
  }

  private mutating func moveToFront() {
    guard position > 0 else { return }
    let count = unread
    buffer.withUnsafeMutableBytes { bytes in
      bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<filled]))
    }
    position = 0
    filled = count
  }

  /// Reads behind `filled` into the buffer, grown to `size` bytes: what there is, and at least one byte unless the input
  /// ends.
  private mutating func read(upTo size: Int) throws(ReadFault) {
    if buffer.count < size { buffer.append(contentsOf: repeatElement(0, count: size - buffer.count)) }
    let outcome = buffer.withUnsafeMutableBytes { bytes in
      Result { () throws(ReadFault) in
        try input.read(
          into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]), at: readOffset, isPatient: isPatient,
          cancellation: cancellation)
      }
    }
    let read = try outcome.get()
    filled += read.count
    readOffset += read.count
    hasReadAll = read.isEnd
  }
}
