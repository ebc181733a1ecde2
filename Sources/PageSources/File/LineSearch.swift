/// Finds where lines start by reading backwards, a block at a time.
struct LineSearch {
  private let file: OpenFile
  private let limits: FileLimits
  private let cancellation: CancellationFlag
  /// The block that was read last, and where it lies in the file.
  private var block: [UInt8] = []
  private var blockStart = 0

  /// A search in `file`.
  init(_ file: OpenFile, limits: FileLimits, cancellation: CancellationFlag) {
    self.file = file
    self.limits = limits
    self.cancellation = cancellation
  }

  /// Where the line that holds the byte at `offset` starts.
  mutating func lineStart(of offset: Int) throws(ReadFault) -> Int {
    try lineFeed(before: offset).map { $0 + 1 } ?? 0
  }

  /// The last lines before `end`, which is where a line starts or the file ends: where the first of them starts, and how
  /// many there are.
  ///
  /// There are at most `count`; fewer where the file has no more before, where they take more bytes than a page may, or
  /// where too much had to be looked through. With `skipsBlank`, lines of nothing but blanks do not count.
  mutating func lines(
    _ count: Int, before end: Int, skipsBlank: Bool
  ) throws(ReadFault) -> (start: Int, count: Int) {
    var found = 0
    var lineEnd = end
    // The line feed right before `end` ends the last line and starts none.
    var searchEnd = try byte(before: end) == 0x0A ? end - 1 : end
    while found < count, lineEnd > 0 {
      let feed = try lineFeed(before: searchEnd)
      let start = feed.map { $0 + 1 } ?? 0
      let counts = skipsBlank ? try hasText(start..<lineEnd) : true
      if counts { found += 1 }
      lineEnd = start
      searchEnd = feed ?? 0
      if found > 0 && end - lineEnd > limits.pageBytes || end - lineEnd > limits.scanBytes { break }
    }
    return (lineEnd, found)
  }

  /// The last line feed before `end`, nil where there is none.
  private mutating func lineFeed(before end: Int) throws(ReadFault) -> Int? {
    var end = end
    while end > 0 {
      if end <= blockStart || end > blockStart + block.count {
        // The first block is small, so that the last page of any file is quick; see `FileWindow.fill`.
        let size = block.isEmpty ? limits.firstReadBytes : limits.readBytes
        try load(max(0, end - max(1, size))..<end)
      }
      let searched = end - blockStart
      if let found = block[..<searched].lastIndex(of: 0x0A) { return blockStart + found }
      end = blockStart
    }
    return nil
  }

  private mutating func byte(before end: Int) throws(ReadFault) -> UInt8? {
    guard end > 0 else { return nil }
    try load(max(0, end - max(1, limits.firstReadBytes))..<end)
    return block.last
  }

  /// Whether anything but blanks stands in `range`, which starts inside the block.
  private func hasText(_ range: Range<Int>) throws(ReadFault) -> Bool {
    var index = range.lowerBound
    if index == 0, try bytes(0..<3) == [0xEF, 0xBB, 0xBF] { index = 3 }
    while index < range.upperBound {
      let inBlock = index - blockStart
      if inBlock >= 0, inBlock < block.count {
        if Self.isText(block[inBlock]) { return true }
        index += 1
      } else {
        let bytes = try bytes(index..<min(range.upperBound, index + limits.firstReadBytes))
        if bytes.isEmpty { return false }
        if bytes.contains(where: Self.isText) { return true }
        index += bytes.count
      }
    }
    return false
  }

  private static func isText(_ byte: UInt8) -> Bool {
    byte != 0x20 && byte != 0x09 && byte != 0x0D && byte != 0x0A
  }

  private mutating func load(_ range: Range<Int>) throws(ReadFault) {
    block = try bytes(range)
    blockStart = range.lowerBound
    // Where the file was cut meanwhile, what is missing reads as zeros: no line starts there, and the page ends early.
    if block.count < range.count { block.append(contentsOf: repeatElement(0, count: range.count - block.count)) }
  }

  private func bytes(_ range: Range<Int>) throws(ReadFault) -> [UInt8] {
    if cancellation.isCancelled { throw .cancelled }
    do throws(FileFault) {
      return try file.bytes(at: range.lowerBound, count: range.count)
    } catch {
      throw .file(error)
    }
  }
}
