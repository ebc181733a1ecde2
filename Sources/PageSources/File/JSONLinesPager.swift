import JSONText

/// Makes pages whose items are the JSON values of a file's lines, as they stand; blank lines are passed over.
struct JSONLinesPager {
  private let name: InputName
  private let limits: FileLimits
  private var builder: PageBuilder
  private var scanner: JSONItemScanner
  private let isFollowed: Bool
  /// Where the line behind the page, and the blank ones behind that, starts.
  private(set) var end = 0

  /// A pager for one page of at most `limit` values; of a file that is followed, the last must have its line feed.
  init(name: InputName, limits: FileLimits, limit: Int, idPath: JSONPointer, isFollowed: Bool = false) {
    self.isFollowed = isFollowed
    self.name = name
    self.limits = limits
    builder = PageBuilder(limit: limit, idPath: idPath, maximumBytes: limits.pageBytes)
    scanner = JSONItemScanner(idPath: idPath)
  }

  /// Whether the page ended before what was asked for because of its size.
  var wasCutShort: Bool { builder.wasCutShort }

  /// The values that the page holds so far, where reading was ended between two of them.
  var partialPage: SourcePage { builder.page(next: FilePlace.page(at: end).field, hasMore: true) }

  /// The page from `offset` on in an input that is read at any place and as often as need be; `offset` is the start of a line, and
  /// no line of the page starts at `end` or later.
  ///
  /// As many lines as possible are taken together. What these leave to do is done line by line: mostly nothing.
  mutating func page(
    of input: any ByteInput, from offset: Int, before end: Int = .max, cancellation: CancellationFlag
  ) throws(ReadFault) -> SourcePage {
    var next = offset
    if let idName = scanner.idName {
      var lines = ObjectLines(
        input, from: offset, before: end, limits: limits, idName: idName, cancellation: cancellation)
      try lines.read(into: &builder)
      next = lines.offset
      if lines.isBeforeLine && (!isFollowed || lines.isBeforeLineFeed) && (builder.isFull || next >= end) {
        self.end = next
        return builder.page(next: FilePlace.page(at: next).field, hasMore: true)
      }
    }
    return try page(in: FileWindow(input, from: next, limits: limits, cancellation: cancellation), before: end)
  }

  /// The page from where `window` stands, which is the start of a line; no line of it starts at `end` or later.
  mutating func page(in window: consuming FileWindow, before end: Int = .max) throws(ReadFault) -> SourcePage {
    var reader = LineReader(window, maximumLine: limits.recordBytes, holdsUnterminated: isFollowed)
    self.end = reader.offset
    while true {
      reader.isPatient = !builder.isFull
      let blanks = try reader.skipBlankLines(upTo: limits.scanBytes)
      let next = reader.offset
      self.end = next
      switch blanks {
      case .end: return builder.page(hasMore: false)
      case .undecided: return builder.page(next: FilePlace.page(at: next).field, hasMore: true)
      case .line: break
      }
      if builder.isFull || next >= end {
        let hasMore = isFollowed ? try reader.hasMore() : true
        return builder.page(next: hasMore ? FilePlace.page(at: next).field : .absent, hasMore: hasMore)
      }
      guard let line = try reader.next() else { return builder.page(hasMore: false) }
      if try !append(line, of: reader.buffer.span) {
        return builder.page(next: FilePlace.page(at: next).field, hasMore: true)
      }
      self.end = reader.offset
    }
  }

  /// Appends a line's value; returns false where it does not fit any more.
  private mutating func append(_ line: LineReader.Line, of buffer: Span<UInt8>) throws(ReadFault) -> Bool {
    if line.isCut { throw .source(tooLong(line)) }
    do {
      return try scanner.scanOnly(buffer, line.content).append(from: buffer, to: &builder, key: line.offset)
    } catch {
      throw .source(notJSON(line, buffer, error))
    }
  }

  // MARK: Errors

  private func notJSON(_ line: LineReader.Line, _ buffer: Span<UInt8>, _ error: JSONSyntaxError) -> SourceError {
    let text = buffer.extracting(line.content)
    let start = text.extracting(first: min(60, text.count))
    let shown = start.extracting(first: UTF8Cut.wholeCharacters(in: start))
      .withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    let place = line.contentOffset + error.offset - line.content.lowerBound
    return SourceError(
      .badPage,
      "The line at byte \(line.offset) of \(name.shown) is no JSON: at byte \(place) \(error.reason)"
        + " (the line starts with: \(shown)). \(name.remedy)",
      details: name.details + [
        .integer("offset", line.offset), .integer("errorOffset", place),
        .string("reason", error.reason.description),
      ])
  }

  private func tooLong(_ line: LineReader.Line) -> SourceError {
    SourceError(
      .limitExceeded,
      "The line at byte \(line.offset) of \(name.shown) has \(line.byteCount) bytes; a JSON value of a page may"
        + " have \(limits.recordBytes). Open the \(name.noun) with the format \"lines\" to see its start.",
      details: name.details + [
        .integer("offset", line.offset), .integer("bytes", line.byteCount),
        .integer("limit", limits.recordBytes),
      ])
  }
}
