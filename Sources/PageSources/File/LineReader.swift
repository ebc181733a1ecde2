/// Reads lines forward from a place in a file.
///
/// Only a line feed ends a line; one carriage return before it belongs to the line end. What follows the last line feed is
/// a line too, unless it is empty or, in a file that is followed, held until its line feed is there. A byte order mark at
/// the start of the file is no text.
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

  private var window: FileWindow
  /// How many bytes of a line are kept.
  private let maximumLine: Int
  private var skippedMark = 0
  /// Whether a last line without its line feed is held back.
  private let holdsUnterminated: Bool
  /// Where a line starts that was passed and is held back.
  private var heldOffset: Int?

  /// A reader from where `window` stands, which is the start of a line.
  init(_ window: consuming FileWindow, maximumLine: Int, holdsUnterminated: Bool = false) {
    self.window = window
    self.maximumLine = maximumLine
    self.holdsUnterminated = holdsUnterminated
  }

  /// Where the next line starts in the file.
  var offset: Int { heldOffset ?? window.offset - skippedMark }

  /// Whether an input that has nothing yet is worth waiting for.
  var isPatient: Bool {
    get { window.isPatient }
    set { window.isPatient = newValue }
  }

  /// The bytes that the last line's place is in.
  var buffer: [UInt8] { window.buffer }

  /// The next line, nil at the end of the file.
  mutating func next() throws(ReadFault) -> Line? {
    if heldOffset != nil { return nil }
    try skipByteOrderMark()
    var searchFrom = window.position
    while true {
      if let end = window.lineFeed(from: searchFrom) { return take(contentEnd: end, next: end + 1) }
      let unread = window.unread
      if unread > maximumLine + 1 { return try takeLong() }
      if window.hasReadAll {
        return unread == 0 || holdsUnterminated ? nil : take(contentEnd: window.filled, next: window.filled)
      }
      try window.fill()
      searchFrom = window.position + unread
    }
  }

  /// Whether anything follows the lines read so far; the last thing that is asked of a reader.
  mutating func hasMore() throws(ReadFault) -> Bool {
    if heldOffset != nil { return false }
    try skipByteOrderMark()
    if holdsUnterminated {
      while window.lineFeed(from: window.position) == nil {
        if window.hasReadAll { return false }
        if heldOffset == nil { heldOffset = offset }
        window.pass(to: window.filled)
        try window.fill()
      }
      return true
    }
    while window.unread == 0 && !window.hasReadAll { try window.fill() }
    return window.unread > 0
  }

  /// Moves over lines that hold nothing but blanks, to the next that does, looking through about `limit` bytes at most.
  mutating func skipBlankLines(upTo limit: Int) throws(ReadFault) -> BlankLines {
    try skipByteOrderMark()
    let start = window.offset
    while true {
      var index = window.position
      var lineStart = index
      while index < window.filled {
        let byte = window.buffer[index]
        if byte == 0x0A {
          lineStart = index + 1
        } else if byte != 0x20 && byte != 0x09 && byte != 0x0D {
          break
        }
        index += 1
      }
      if lineStart > window.position { pass(to: lineStart) }
      if index < window.filled { return .line }
      if window.hasReadAll { return .end }
      // A line of blanks alone that is longer than a line may be is for `next` to judge.
      if window.unread > maximumLine { return .line }
      if window.offset - start > limit { return .undecided }
      try window.fill()
    }
  }

  private mutating func skipByteOrderMark() throws(ReadFault) {
    guard window.offset == 0 else { return }
    while window.unread < 3 && !window.hasReadAll { try window.fill() }
    guard window.unread >= 3, window.buffer[..<3] == [0xEF, 0xBB, 0xBF] else { return }
    // The first line still starts at byte 0, where it would be read from again.
    window.pass(to: 3)
    skippedMark = 3
  }

  private mutating func pass(to index: Int) {
    window.pass(to: index)
    skippedMark = 0
  }

  /// Takes the line from where the window stands to `contentEnd`, and moves behind its end.
  private mutating func take(contentEnd: Int, next: Int) -> Line {
    let start = window.position
    let endsInReturn = next > contentEnd && contentEnd > start && window.buffer[contentEnd - 1] == 0x0D
    let count = contentEnd - start - (endsInReturn ? 1 : 0)
    let line = Line(
      offset: offset, contentOffset: window.offset, content: start..<(start + min(count, maximumLine)),
      byteCount: count)
    pass(to: next)
    return line
  }

  /// Takes a line whose end lies beyond what is kept of it; nil where it is held back.
  private mutating func takeLong() throws(ReadFault) -> Line? {
    var line = Line(offset: offset, contentOffset: window.offset, content: 0..<maximumLine, byteCount: 0)
    line.byteCount = try window.passLine(keeping: maximumLine)
    skippedMark = 0
    if holdsUnterminated && !window.hasPassedLineFeed {
      heldOffset = line.offset
      return nil
    }
    return line
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
