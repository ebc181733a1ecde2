import JSONText

/// Makes a page of what a program that was run for it has written.
struct OutputPage {
  let settings: CommandSettings
  let idPath: JSONPointer
  /// How messages speak of the output.
  let name: InputName

  private static let scanner = JSONScanner(maxRecorded: 1_000_000)

  /// The page that `output` is.
  func page(_ output: [UInt8], cancellation: CancellationFlag) throws(SourceError) -> SourcePage {
    if settings.format == .json { return try documents(output) }
    var page: SourcePage
    do throws(ReadFault) {
      page = try cut(output, cancellation: cancellation)
    } catch .source(let error) {
      throw error
    } catch {
      throw SourceError(.loadFailed, "The page was not wanted any more.")
    }
    // Places in the output of one run mean nothing beside those of another, and whether there is more is not known.
    for index in page.items.indices { page.items[index].key = nil }
    page.next = .absent
    page.hasMore = nil
    return page
  }

  private func cut(_ output: [UInt8], cancellation: CancellationFlag) throws(ReadFault) -> SourcePage {
    var limits = FileLimits()
    limits.pageBytes = .max
    let input = MemoryInput(bytes: output)
    switch settings.format {
    case .jsonl:
      var pager = JSONLinesPager(name: name, limits: limits, limit: .max, idPath: idPath)
      return try pager.page(in: FileWindow(input, from: 0, limits: limits, cancellation: cancellation))
    case .csv, .tsv:
      let delimiter = UInt8(ascii: settings.format == .csv ? "," : "\t")
      var pager = CSVPager(name: name, limits: limits, delimiter: delimiter, limit: .max, idPath: idPath)
      return try pager.page(of: input, from: 0, hasHeader: settings.hasHeader, cancellation: cancellation)
    case .lines, .json:
      var pager = LinesPager(limits: limits, limit: .max, idPath: idPath, showsOffsets: false)
      return try pager.page(in: FileWindow(input, from: 0, limits: limits, cancellation: cancellation))
    }
  }

  // MARK: JSON

  /// The page that JSON text is: an object with `items`, or values one after another, of which arrays stand for their
  /// elements.
  private func documents(_ output: [UInt8]) throws(SourceError) -> SourcePage {
    let start = output.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var members: [JSONMember] = []
    var items: [JSONElement] = []
    do throws(JSONSyntaxError) {
      guard try readPageObject(output.span, from: start, &members, &items) else {
        return try values(output.span, from: start)
      }
    } catch {
      throw notJSON(output, error)
    }
    do throws(PageObject.Fault) {
      return try PageObject.page(output.span, members, items: items, idPath: idPath)
    } catch {
      throw SourceError(
        .badPage, "\(name.shown) is no page: \(error.message). Mend the \(name.noun), then load again.",
        details: name.details + [.string("pointer", error.pointer)])
    }
  }

  /// Reads the only value where that is an object with an array `items`; false where it is anything else.
  private func readPageObject(
    _ bytes: Span<UInt8>, from start: Int, _ members: inout [JSONMember], _ items: inout [JSONElement]
  ) throws(JSONSyntaxError) -> Bool {
    let first = JSONScanner.skipWhitespace(bytes, start, bytes.count)
    guard first < bytes.count, bytes[first] == UInt8(ascii: "{") else { return false }
    let end = try Self.scanner.scanObject(bytes, from: first, to: bytes.count, members: &members)
    guard JSONScanner.skipWhitespace(bytes, end, bytes.count) == bytes.count,
      let value = JSONReader.value(bytes, of: members, named: "items"), JSONReader.kind(bytes, value) == .array
    else { return false }
    _ = try Self.scanner.scanArray(bytes, from: value.start, to: value.end, depth: 1, elements: &items)
    return true
  }

  private func values(_ bytes: Span<UInt8>, from start: Int) throws(JSONSyntaxError) -> SourcePage {
    var builder = PageBuilder(limit: .max, idPath: idPath, maximumBytes: .max)
    var elements: [JSONElement] = []
    var index = JSONScanner.skipWhitespace(bytes, start, bytes.count)
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "[") {
        index = try Self.scanner.scanArray(bytes, from: index, to: bytes.count, elements: &elements)
        for element in elements { Self.append(element.value, of: bytes, to: &builder) }
      } else {
        let end = try Self.scanner.scanValue(bytes, from: index, to: bytes.count)
        Self.append(JSONSlice(start: index, end: end), of: bytes, to: &builder)
        index = end
      }
      index = JSONScanner.skipWhitespace(bytes, index, bytes.count)
    }
    return builder.page()
  }

  private static func append(_ value: JSONSlice, of bytes: Span<UInt8>, to builder: inout PageBuilder) {
    let place = builder.openItem()
    bytes.extracting(value.range).withUnsafeBufferPointer { builder.bytes.append(contentsOf: $0) }
    _ = builder.closeItem(from: place)
  }

  private func notJSON(_ output: [UInt8], _ error: JSONSyntaxError) -> SourceError {
    if error.reason == .tooMany {
      return SourceError(
        .limitExceeded,
        "\(name.shown) has more than \(Self.scanner.maxRecorded) items for one page. Let it write fewer.",
        details: name.details + [.integer("limit", Self.scanner.maxRecorded)])
    }
    let start = output.prefix(60)
    let shown = String(decoding: start.prefix(UTF8Cut.wholeCharacters(in: Array(start).span)), as: UTF8.self)
    return SourceError(
      .badPage,
      "\(name.shown) is no JSON: at byte \(error.offset) \(error.reason) (it starts with: \(shown)). Mend the"
        + " \(name.noun), or name the format that it writes.",
      details: name.details + [
        .integer("errorOffset", error.offset), .string("reason", error.reason.description),
      ])
  }
}
