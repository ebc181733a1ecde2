#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads lines forward from a place in a file, a block at a time.
///
/// Only a line feed ends a line; one carriage return before it belongs to the line end. What follows the last line feed is
/// a line too, unless it is empty. A byte order mark at the start of the file is no text.
struct LineReader: ~Copyable {
  /// A line, as a place in the reader's buffer that holds until the next one is read.
  struct Line: Equatable {
    /// Where the line starts in the file.
    var offset: Int
    /// Where its text starts in the file; differs from `offset` where a byte order mark stands before it.
    var contentOffset: Int
    /// Its bytes in `buffer`, at most as many as the reader keeps of a line.
    var content: Range<Int>
    /// How many bytes the line has in the file, without its end.
    var byteCount: Int

    /// Whether the line is longer than what the reader keeps of one.
    var isCut: Bool { content.count < byteCount }
  }

  /// The block being read.
  private(set) var buffer: [UInt8]
  private let file: OpenFile
  /// How many bytes of a line are kept.
  private let maximumLine: Int
  private let blockBytes: Int
  private let cancellation: CancellationFlag
  /// What of `buffer` holds file bytes, and the next of them to look at.
  private var filled = 0
  private var position = 0
  /// Where `position` and the byte after `filled` lie in the file.
  private var positionOffset: Int
  private var readOffset: Int
  private var hasReadAll = false
  private var isFirstRead = true
  private var skippedMark = 0

  /// A reader of `file` from `offset` on, which is the start of a line.
  init(
    _ file: consuming OpenFile, from offset: Int, maximumLine: Int, limits: FileLimits, cancellation: CancellationFlag
  ) {
    self.file = file
    self.maximumLine = maximumLine
    blockBytes = limits.readBytes
    self.cancellation = cancellation
    buffer = [UInt8](repeating: 0, count: max(limits.firstReadBytes, 4))
    positionOffset = offset
    readOffset = offset
  }

  /// Where the next line starts in the file.
  var offset: Int { positionOffset - skippedMark }

  /// The next line, nil at the end of the file.
  mutating func next() throws(ReadFault) -> Line? {
    if positionOffset == 0 { try skipByteOrderMark() }
    var searchFrom = position
    while true {
      if let end = lineFeed(from: searchFrom) { return take(contentEnd: end, next: end + 1) }
      if filled - position > maximumLine + 1 { return try takeLong() }
      let unread = filled - position
      if hasReadAll { return unread == 0 ? nil : take(contentEnd: filled, next: filled) }
      try fill()
      searchFrom = position + unread
    }
  }

  /// Whether anything follows the lines read so far.
  mutating func hasMore() throws(ReadFault) -> Bool {
    if positionOffset == 0 { try skipByteOrderMark() }
    while position == filled && !hasReadAll { try fill() }
    return position < filled
  }

  /// Moves over lines that hold nothing but blanks, to the next that does, looking through about `limit` bytes at most.
  mutating func skipBlankLines(upTo limit: Int) throws(ReadFault) -> BlankLines {
    if positionOffset == 0 { try skipByteOrderMark() }
    let start = positionOffset
    while true {
      var index = position
      var lineStart = position
      while index < filled {
        let byte = buffer[index]
        if byte == 0x0A {
          lineStart = index + 1
        } else if byte != 0x20 && byte != 0x09 && byte != 0x0D {
          break
        }
        index += 1
      }
      if lineStart > position {
        positionOffset += lineStart - position
        position = lineStart
        skippedMark = 0
      }
      if index < filled { return .line }
      if hasReadAll { return .end }
      // A line of blanks alone that is longer than a line may be is for `next` to judge.
      if filled - position > maximumLine { return .line }
      if positionOffset - start > limit { return .undecided }
      try fill()
    }
  }

  private mutating func skipByteOrderMark() throws(ReadFault) {
    while filled < 3 && !hasReadAll { try fill() }
    guard filled >= 3, buffer[0] == 0xEF, buffer[1] == 0xBB, buffer[2] == 0xBF else { return }
    // The first line still starts at byte 0, where it would be read from again.
    skippedMark = 3
    position = 3
    positionOffset = 3
  }

  private func lineFeed(from start: Int) -> Int? {
    guard start < filled else { return nil }
    return buffer.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, filled - start) else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// Takes the line from `position` to `contentEnd`, and moves behind its end.
  private mutating func take(contentEnd: Int, next: Int) -> Line {
    let endsInReturn = next > contentEnd && contentEnd > position && buffer[contentEnd - 1] == 0x0D
    let count = contentEnd - position - (endsInReturn ? 1 : 0)
    let line = Line(
      offset: offset, contentOffset: positionOffset, content: position..<(position + min(count, maximumLine)),
      byteCount: count)
    positionOffset += next - position
    position = next
    skippedMark = 0
    return line
  }

  /// Takes a line whose end lies beyond what is kept of it: its start stays in the buffer, the rest is read over.
  private mutating func takeLong() throws(ReadFault) -> Line {
    var line = Line(offset: offset, contentOffset: positionOffset, content: 0..<maximumLine, byteCount: 0)
    moveToFront()
    var count = filled
    var last = buffer[filled - 1]
    while true {
      if cancellation.isCancelled { throw .cancelled }
      filled = maximumLine
      let block = try read(upTo: max(buffer.count, maximumLine + blockBytes))
      if block == 0 { break }
      if let end = lineFeed(from: maximumLine) {
        count += end - maximumLine
        if end > maximumLine { last = buffer[end - 1] }
        if last == 0x0D { count -= 1 }
        // The line feed itself was not counted.
        positionOffset = readOffset - (filled - end - 1)
        position = end + 1
        skippedMark = 0
        line.byteCount = count
        return line
      }
      count += block
      last = buffer[filled - 1]
    }
    positionOffset = readOffset
    position = filled
    skippedMark = 0
    line.byteCount = count
    return line
  }

  /// Makes room and reads the next block behind what is there.
  private mutating func fill() throws(ReadFault) {
    if cancellation.isCancelled { throw .cancelled }
    moveToFront()
    // The first block is small, so that the first page of any file is quick; after that it pays to read more at a time.
    let target = isFirstRead ? buffer.count : max(buffer.count, blockBytes)
    isFirstRead = false
    _ = try read(upTo: filled < target ? target : min(filled * 2, maximumLine + blockBytes))
  }

  private mutating func moveToFront() {
    guard position > 0 else { return }
    let count = filled - position
    buffer.withUnsafeMutableBytes { bytes in
      bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<filled]))
    }
    position = 0
    filled = count
  }

  /// Reads behind `filled`, growing the buffer to `size` bytes; returns how many bytes came.
  private mutating func read(upTo size: Int) throws(ReadFault) -> Int {
    if buffer.count < size { buffer.append(contentsOf: repeatElement(0, count: size - buffer.count)) }
    let outcome = buffer.withUnsafeMutableBytes { bytes in
      Result { () throws(FileFault) in
        try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]), at: readOffset)
      }
    }
    switch outcome {
    case .success(let count):
      filled += count
      readOffset += count
      hasReadAll = filled < buffer.count
      return count
    case .failure(let fault):
      throw .file(fault)
    }
  }
}

/// What follows after blank lines.
enum BlankLines: Equatable {
  /// A line that holds something.
  case line
  /// The end of the file.
  case end
  /// Perhaps more blank lines: as many bytes as allowed were looked through.
  case undecided
}
