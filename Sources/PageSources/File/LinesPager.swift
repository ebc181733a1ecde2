import JSONText

/// Makes pages whose items are the lines of a file: `{"offset":120,"text":"..."}`.
///
/// Where lines are counted, an item says `"line":7` as well, its number from 1.
/// A line whose bytes are no UTF-8 says `"invalidUTF8":true` and has U+FFFD in their place; a line that is too long says
/// `"truncated":true,"bytes":N` and holds its start.
struct LinesPager {
  private let limits: FileLimits
  private var builder: PageBuilder
  /// Whether the id path may lead into an item; by default, `/id`, it does not.
  private let mayHaveID: Bool
  private let isFollowed: Bool
  private let showsOffsets: Bool
  /// The number of the next line, where it is known.
  private var line: Int?
  /// Where the line behind the page starts.
  private(set) var end = 0
  /// The number of that line, where it is known.
  var endLine: Int? { line }

  /// A pager for one page of at most `limit` lines; of a file that is followed, the last must have its line feed.
  init(
    limits: FileLimits, limit: Int, idPath: JSONPointer, isFollowed: Bool = false, showsOffsets: Bool = true,
    firstLine: Int? = nil
  ) {
    self.limits = limits
    line = firstLine
    self.isFollowed = isFollowed
    self.showsOffsets = showsOffsets
    builder = PageBuilder(limit: limit, idPath: idPath, maximumBytes: limits.pageBytes)
    builder.reserve(bytesPerItem: 128)
    mayHaveID = !idPath.isSingleName("id")
  }

  /// Whether the page ended before what was asked for because of its size.
  var wasCutShort: Bool { builder.wasCutShort }

  /// The lines that the page holds so far, where reading was ended between two of them.
  var partialPage: SourcePage { builder.page(next: FilePlace.page(at: end).field, hasMore: true) }

  /// The page from where `window` stands, which is the start of a line; no line of it starts at `end` or later.
  mutating func page(in window: consuming FileWindow, before end: Int = .max) throws(ReadFault) -> SourcePage {
    var reader = LineReader(window, maximumLine: limits.lineBytes, holdsUnterminated: isFollowed)
    self.end = reader.offset
    while !builder.isFull, self.end < end, let line = try reader.next() {
      if !append(line, number: self.line, of: reader.buffer.span) { break }
      self.end = reader.offset
      if let number = self.line { self.line = number &+ 1 }
    }
    let next = self.end
    var hasMore = next != reader.offset
    reader.isPatient = false
    if !hasMore { hasMore = try reader.hasMore() }
    return builder.page(next: hasMore ? FilePlace.page(at: next).field : .absent, hasMore: hasMore)
  }

  /// Appends a line; returns false where it does not fit any more.
  private mutating func append(_ line: LineReader.Line, number: Int?, of buffer: Span<UInt8>) -> Bool {
    let start = builder.openItem()
    if showsOffsets {
      builder.bytes.append(text: "{\"offset\":")
      DecimalDigits.append(line.offset, to: &builder.bytes)
      if let number {
        builder.bytes.append(text: ",\"line\":")
        DecimalDigits.append(number, to: &builder.bytes)
      }
      builder.bytes.append(text: ",\"text\":\"")
    } else {
      builder.bytes.append(text: "{\"text\":\"")
    }
    var text = buffer.extracting(line.content)
    if line.isCut { text = text.extracting(first: UTF8Cut.wholeCharacters(in: text)) }
    let isValid = JSONStringEncoder.append(text, to: &builder.bytes)
    if isValid && !line.isCut {
      builder.bytes.append(text: "\"}")
    } else {
      builder.bytes.append(UInt8(ascii: "\""))
      if !isValid { builder.bytes.append(text: ",\"invalidUTF8\":true") }
      if line.isCut {
        builder.bytes.append(text: ",\"truncated\":true,\"bytes\":")
        DecimalDigits.append(line.byteCount, to: &builder.bytes)
      }
      builder.bytes.append(UInt8(ascii: "}"))
    }
    return mayHaveID
      ? builder.closeItem(from: start, key: line.offset)
      : builder.closeItem(from: start, id: .none, key: line.offset)
  }
}
