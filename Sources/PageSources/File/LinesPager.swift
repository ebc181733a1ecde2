import JSONText

/// Makes pages whose items are the lines of a file: `{"offset":120,"text":"..."}`.
///
/// A line whose bytes are no UTF-8 says `"invalidUTF8":true` and has U+FFFD in their place; a line that is too long says
/// `"truncated":true,"bytes":N` and holds its start.
struct LinesPager {
  private let limits: FileLimits
  private var builder: PageBuilder
  /// Whether the id path may lead into an item; by default, `/id`, it does not.
  private let mayHaveID: Bool

  /// A pager for one page of at most `limit` lines.
  init(limits: FileLimits, limit: Int, idPath: JSONPointer) {
    self.limits = limits
    builder = PageBuilder(limit: limit, idPath: idPath, maximumBytes: limits.pageBytes)
    mayHaveID = !idPath.isSingleName("id")
  }

  /// The page from the line that starts at `offset`.
  mutating func page(
    of file: consuming OpenFile, from offset: Int, cancellation: CancellationFlag
  ) throws(ReadFault) -> SourcePage {
    var reader = LineReader(
      file, from: offset, maximumLine: limits.lineBytes, limits: limits, cancellation: cancellation)
    var next = offset
    while !builder.isFull, let line = try reader.next() {
      if !append(line, of: reader.buffer.span) { break }
      next = reader.offset
    }
    var hasMore = next != reader.offset
    if !hasMore { hasMore = try reader.hasMore() }
    return builder.page(next: hasMore ? FileCursor(offset: next).field : .absent, hasMore: hasMore)
  }

  /// Appends a line; returns false where it does not fit any more.
  private mutating func append(_ line: LineReader.Line, of buffer: Span<UInt8>) -> Bool {
    let start = builder.openItem()
    builder.bytes.append(text: "{\"offset\":")
    DecimalDigits.append(line.offset, to: &builder.bytes)
    builder.bytes.append(text: ",\"text\":\"")
    var text = buffer.extracting(line.content)
    if line.isCut { text = text.extracting(first: UTF8Step.wholeCharacters(in: text)) }
    let isValid = JSONStringText.append(text, to: &builder.bytes)
    builder.bytes.append(UInt8(ascii: "\""))
    if !isValid { builder.bytes.append(text: ",\"invalidUTF8\":true") }
    if line.isCut {
      builder.bytes.append(text: ",\"truncated\":true,\"bytes\":")
      DecimalDigits.append(line.byteCount, to: &builder.bytes)
    }
    builder.bytes.append(UInt8(ascii: "}"))
    return mayHaveID
      ? builder.closeItem(from: start, key: line.offset)
      : builder.closeItem(from: start, id: .none, key: line.offset)
  }
}
