import JSONText

/// Makes pages whose items are the JSON values of a file's lines, as they stand; blank lines are passed over.
struct JSONLinesPager {
  private let path: [UInt8]
  private let limits: FileLimits
  private var builder: PageBuilder
  private let scanner = JSONScanner()
  /// The name that the id path is, where it is a single one; then the pass that checks a line finds the id as well.
  private let idName: [UInt8]?
  private var members: [JSONMember] = []

  /// A pager for one page of at most `limit` values.
  init(path: [UInt8], limits: FileLimits, limit: Int, idPath: JSONPointer) {
    self.path = path
    self.limits = limits
    builder = PageBuilder(limit: limit, idPath: idPath, maximumBytes: limits.pageBytes)
    idName = idPath.tokens.count == 1 ? idPath.tokens.first : nil
  }

  /// Whether the page ended before what was asked for because of its size.
  var wasCutShort: Bool { builder.wasCutShort }

  /// The page from where `window` stands, which is the start of a line; no line of it starts at `end` or later.
  mutating func page(in window: consuming FileWindow, before end: Int = .max) throws(ReadFault) -> SourcePage {
    var reader = LineReader(window, maximumLine: limits.recordBytes)
    while true {
      let blanks = try reader.skipBlankLines(upTo: limits.scanBytes)
      let next = reader.offset
      switch blanks {
      case .end: return builder.page(hasMore: false)
      case .undecided: return builder.page(next: FilePlace.page(at: next).field, hasMore: true)
      case .line: break
      }
      if builder.isFull || next >= end { return builder.page(next: FilePlace.page(at: next).field, hasMore: true) }
      guard let line = try reader.next() else { return builder.page(hasMore: false) }
      if try !append(line, of: reader.buffer.span) {
        return builder.page(next: FilePlace.page(at: next).field, hasMore: true)
      }
    }
  }

  /// Appends a line's value; returns false where it does not fit any more.
  private mutating func append(_ line: LineReader.Line, of buffer: Span<UInt8>) throws(ReadFault) -> Bool {
    if line.isCut { throw .source(tooLong(line)) }
    let slice = JSONSlice(start: line.content.lowerBound, end: line.content.upperBound)
    var id = JSONSlice.none
    let value: JSONSlice
    do {
      value = try scan(buffer, slice, id: &id)
    } catch {
      throw .source(notJSON(line, buffer, error))
    }
    let start = builder.openItem()
    buffer.extracting(value.range).withUnsafeBufferPointer { builder.bytes.append(contentsOf: $0) }
    if idName == nil { return builder.closeItem(from: start, key: line.offset) }
    return builder.closeItem(
      from: start, id: id.isEmpty ? .none : id.moved(by: start - value.start), key: line.offset)
  }

  /// Checks that a line is one value, and finds its id on the way.
  private mutating func scan(
    _ buffer: Span<UInt8>, _ line: JSONSlice, id: inout JSONSlice
  ) throws(JSONSyntaxError) -> JSONSlice {
    let start = JSONScanner.skipWhitespace(buffer, line.start, line.end)
    guard let idName, start < line.end, buffer[start] == UInt8(ascii: "{") else {
      return try scanner.scanDocument(buffer, line)
    }
    let end = try scanner.scanObject(buffer, from: start, to: line.end, members: &members)
    let rest = JSONScanner.skipWhitespace(buffer, end, line.end)
    if rest < line.end { throw JSONSyntaxError(.trailingText, at: rest) }
    id = JSONReader.value(buffer, of: members, named: idName.span) ?? .none
    return JSONSlice(start: start, end: end)
  }

  // MARK: Errors

  private func notJSON(_ line: LineReader.Line, _ buffer: Span<UInt8>, _ error: JSONSyntaxError) -> SourceError {
    let text = buffer.extracting(line.content)
    let start = text.extracting(first: min(60, text.count))
    let shown = start.extracting(first: UTF8Step.wholeCharacters(in: start))
      .withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    let place = line.contentOffset + error.offset - line.content.lowerBound
    return SourceError(
      .badPage,
      "The line at byte \(line.offset) of \(FilePages.shown(path)) is no JSON: at byte \(place) \(error.reason)"
        + " (the line starts with: \(shown)). Mend the file and refresh, or open it with the format \"lines\".",
      details: [
        .bytes("path", path), .integer("offset", line.offset), .integer("errorOffset", place),
        .string("reason", error.reason.description),
      ])
  }

  private func tooLong(_ line: LineReader.Line) -> SourceError {
    SourceError(
      .limitExceeded,
      "The line at byte \(line.offset) of \(FilePages.shown(path)) has \(line.byteCount) bytes; a JSON value of a page may"
        + " have \(limits.recordBytes). Open the file with the format \"lines\" to see its start.",
      details: [
        .bytes("path", path), .integer("offset", line.offset), .integer("bytes", line.byteCount),
        .integer("limit", limits.recordBytes),
      ])
  }
}
