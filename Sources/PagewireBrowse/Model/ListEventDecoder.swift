import JSONText

/// Reads the server's messages about a list.
///
/// What it is given has been checked to be JSON, and nothing else.
struct ListEventDecoder {
  /// Working space of an item's members.
  private var itemMembers: [JSONMember] = []
  private var members: [JSONMember] = []
  private var elements: [JSONElement] = []
  private var ids: [JSONElement] = []
  private let scanner = JSONScanner()

  /// Beyond this, positions and counts are no protocol.
  private static let maxInteger = 1 << 53

  /// The event of a notification with these params; nil for one that is no news of a list.
  ///
  /// Throws where a member that the event cannot do without is missing or of the wrong kind.
  mutating func decode(
    method: String, _ bytes: Span<UInt8>, _ params: [JSONMember]
  ) throws(MalformedMessage) -> ListEvent? {
    let fields = Fields(method: method, members: params)
    switch method {
    case "loading":
      let isLoading = try fields.bool(bytes, "isLoading")
      let hasFacts = !isLoading || fields.value(bytes, "phase") != nil
      return .loading(
        kind: try kind(bytes, fields), isLoading: isLoading, facts: hasFacts ? try facts(bytes, fields) : nil)
    case "pageAppended": return .page(try page(bytes, fields, isPrepended: false))
    case "pagePrepended": return .page(try page(bytes, fields, isPrepended: true))
    case "pagesDropped":
      return .dropped(
        from: try fields.integer(bytes, "from"), to: try fields.integer(bytes, "to"), facts: try facts(bytes, fields))
    case "cleared":
      return .cleared(generation: try fields.integer(bytes, "generation"), facts: try facts(bytes, fields))
    case "loadFailed": return .loadFailed(kind: try kind(bytes, fields), failure: try failure(bytes, fields))
    default: return nil
    }
  }

  /// The event that the answer to `open` is; `result` is the state.
  mutating func decodeOpened(_ bytes: Span<UInt8>, _ result: JSONSlice) throws(MalformedMessage) -> ListEvent {
    let fields = try object(bytes, result, "open")
    var loading: Set<LoadKind> = []
    if let value = fields.value(bytes, "loading") {
      let flags = try object(bytes, value, "open")
      for kind in LoadKind.allCases where flags.isTrue(bytes, kind.rawValue) { loading.insert(kind) }
    }
    return .opened(
      ListStart(
        generation: try fields.integer(bytes, "generation"), loading: loading,
        total: fields.optionalInteger(bytes, "total"), facts: try facts(bytes, fields)))
  }

  private mutating func page(
    _ bytes: Span<UInt8>, _ fields: Fields, isPrepended: Bool
  ) throws(MalformedMessage) -> ListPage {
    let start = try fields.integer(bytes, "start")
    guard let array = fields.value(bytes, "items"), JSONReader.kind(bytes, array) == .array,
      (try? scanner.scanArray(bytes, from: array.start, to: array.end, elements: &elements)) != nil
    else { throw fields.missing("items", "an array") }
    ids.removeAll(keepingCapacity: true)
    if let array = fields.value(bytes, "ids"), JSONReader.kind(bytes, array) == .array {
      _ = try? scanner.scanArray(bytes, from: array.start, to: array.end, elements: &ids)
    }
    var items = ItemPage(start: start)
    for (index, element) in elements.enumerated() {
      var id = JSONSlice.none
      if index < ids.count, !JSONReader.isNull(bytes, ids[index].value) { id = ids[index].value }
      items.append(id: bytes.extracting(id.range)) { output in
        ItemText.append(
          bytes, element.value, limit: ItemPage.maxTextBytes, members: &itemMembers, to: &output)
      }
    }
    var scrollTo: Int?
    if let value = fields.value(bytes, "scrollTo"), JSONReader.kind(bytes, value) == .object {
      scrollTo = try object(bytes, value, fields.method).optionalInteger(bytes, "position")
    }
    return ListPage(
      isPrepended: isPrepended, replaces: fields.isTrue(bytes, "replaces"),
      generation: try fields.integer(bytes, "generation"), items: items,
      total: fields.optionalInteger(bytes, "total"), scrollTo: scrollTo, facts: try facts(bytes, fields))
  }

  private func facts(_ bytes: Span<UInt8>, _ fields: Fields) throws(MalformedMessage) -> ListFacts {
    guard let value = fields.value(bytes, "phase"), let name = JSONReader.string(bytes, value) else {
      throw fields.missing("phase", "the name of a phase")
    }
    let count = try fields.integer(bytes, "count")
    return ListFacts(
      count: count, hasMore: try fields.bool(bytes, "hasMore"), hasPrevious: fields.isTrue(bytes, "hasPrevious"),
      isPaused: fields.isTrue(bytes, "paused"),
      // A later version may have phases that this one does not know.
      phase: ListPhase(rawValue: name) ?? (count > 0 ? .items : .idle))
  }

  private func kind(_ bytes: Span<UInt8>, _ fields: Fields) throws(MalformedMessage) -> LoadKind {
    guard let value = fields.value(bytes, "kind"), let name = JSONReader.string(bytes, value),
      let kind = LoadKind(rawValue: name)
    else { throw fields.missing("kind", "the name of a kind of load") }
    return kind
  }

  private mutating func failure(_ bytes: Span<UInt8>, _ fields: Fields) throws(MalformedMessage) -> LoadFailure {
    guard let value = fields.value(bytes, "error") else { throw fields.missing("error", "an object") }
    let error = try object(bytes, value, fields.method)
    let message = error.value(bytes, "message").flatMap { JSONReader.string(bytes, $0) } ?? "the load failed"
    let willRetry = fields.isTrue(bytes, "willRetry")
    return LoadFailure(
      message: message, attempt: fields.optionalInteger(bytes, "attempt") ?? 1,
      retryInMs: willRetry ? fields.optionalInteger(bytes, "retryInMs") ?? 0 : nil)
  }

  private mutating func object(
    _ bytes: Span<UInt8>, _ value: JSONSlice, _ method: String
  ) throws(MalformedMessage) -> Fields {
    guard (try? scanner.scanObject(bytes, from: value.start, to: value.end, members: &members)) != nil else {
      throw MalformedMessage(method: method, complaint: "an object is missing")
    }
    return Fields(method: method, members: members)
  }

  /// The members of a message or of an object in it, read by name.
  private struct Fields {
    let method: String
    let members: [JSONMember]

    func value(_ bytes: Span<UInt8>, _ name: StaticString) -> JSONSlice? {
      JSONReader.value(bytes, of: members, named: name)
    }

    func isTrue(_ bytes: Span<UInt8>, _ name: StaticString) -> Bool {
      value(bytes, name).flatMap { JSONReader.bool(bytes, $0) } ?? false
    }

    func isTrue(_ bytes: Span<UInt8>, _ name: String) -> Bool {
      let value = JSONReader.value(bytes, of: members, named: Array(name.utf8).span)
      return value.flatMap { JSONReader.bool(bytes, $0) } ?? false
    }

    func bool(_ bytes: Span<UInt8>, _ name: StaticString) throws(MalformedMessage) -> Bool {
      guard let value = value(bytes, name), let bool = JSONReader.bool(bytes, value) else {
        throw missing(name, "true or false")
      }
      return bool
    }

    func optionalInteger(_ bytes: Span<UInt8>, _ name: StaticString) -> Int? {
      guard let value = value(bytes, name), let number = JSONReader.integer(bytes, value),
        (-ListEventDecoder.maxInteger...ListEventDecoder.maxInteger).contains(number)
      else { return nil }
      return number
    }

    func integer(_ bytes: Span<UInt8>, _ name: StaticString) throws(MalformedMessage) -> Int {
      guard let number = optionalInteger(bytes, name) else { throw missing(name, "an integer") }
      return number
    }

    func missing(_ name: StaticString, _ expected: String) -> MalformedMessage {
      MalformedMessage(method: method, complaint: "its member \"\(name)\" should be \(expected)")
    }
  }
}
