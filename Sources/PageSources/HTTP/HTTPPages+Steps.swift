import JSONText

// What a request asks an API for.
extension HTTPPages {
  /// A page as the API knows it.
  struct Step {
    /// What names the page.
    enum Place: Equatable {
      /// Nothing: it is the first.
      case template
      /// Its number, or how many items lie before it.
      case number(Int)
      /// A token as JSON text.
      case token([UInt8])
      /// The token of what lies behind it.
      case before([UInt8])
      case url(HTTPURL)
    }

    var place: Place
    /// How many items the page must have, where that is certain.
    var size: Int?
    /// The cursor that the API gave for it, without what was added to it here.
    var token: [UInt8]?
    /// How often this page has been asked for in a row.
    var polls = 0
  }

  /// The page that a request means.
  func step(_ request: PageRequest) throws(SourceError) -> Step {
    guard let given = request.cursor else { return firstStep(request) }
    let (cursor, polls) = unwrapped(given)
    let foreign = SourceError.foreignCursor(cursor, typeName: "http")
    switch settings.paging {
    case .single:
      throw foreign
    case .page:
      guard let number = Self.integer(cursor) else { throw foreign }
      return Step(place: .number(number))
    case .offset(_, let sizeParam):
      if let number = Self.integer(cursor), number >= 0 { return Step(place: .number(number)) }
      guard let cursor = BeforeCursor(cursor), cursor.before > 0, sizeParam != nil else { throw foreign }
      let start = max(0, cursor.before - max(1, request.limit))
      return Step(place: .number(start), size: cursor.before - start)
    case .cursor(_, _, _, let previousTo, _):
      if previousTo != nil, let token = Self.before(cursor) { return Step(place: .before(token), token: cursor) }
      return Step(place: .token(cursor), token: cursor, polls: polls)
    case .auto, .link, .nextURL:
      guard let text = JSONReader.stringBytes(cursor.span, JSONSlice(start: 0, end: cursor.count)) else {
        throw foreign
      }
      do throws(HTTPURL.Fault) {
        let url = try HTTPURL(settings.secrets.restored(text), relativeTo: settings.url)
        return Step(place: .url(url), token: Self.quoted(settings.secrets.named(url.text)), polls: polls)
      } catch {
        throw SourceError(
          .badPage, "The URL of the page that was named as the next \(error.reason). Refresh to start over.")
      }
    case .graphQL(_, _, _, let before, _):
      guard let token = Self.before(cursor) else { return Step(place: .token(cursor), token: cursor, polls: polls) }
      if before == nil { throw foreign }
      return Step(place: .before(token), token: cursor)
    }
  }

  private func firstStep(_ request: PageRequest) -> Step {
    switch settings.paging {
    case .page(_, _, let first): Step(place: .number(first &+ request.page))
    case .offset: Step(place: .number(max(0, request.offset)))
    case .auto, .single, .cursor, .link, .nextURL, .graphQL: Step(place: .template)
    }
  }

  /// The cursor that an API gave, out of the one that asks for its page once more.
  private func unwrapped(_ cursor: [UInt8]) -> (cursor: [UInt8], polls: Int) {
    guard settings.end.repeatedCursor == .poll, let members = CursorMembers(cursor),
      let polls = members.integer("poll"), polls > 0,
      let inner = JSONPointer(tokens: [Array("cursor".utf8)])
        .resolve(in: cursor.span, JSONSlice(start: 0, end: cursor.count))
    else { return (cursor, 0) }
    return (Array(cursor[inner.range]), polls)
  }

  // MARK: The call

  /// The request for a page of `limit` items.
  func call(_ step: Step, limit: Int) throws(SourceError) -> HTTPCall {
    var call = HTTPCall(
      url: settings.url, method: settings.method, headers: settings.headers, body: settings.body,
      secrets: settings.secrets)
    let size = Self.digits(limit)
    switch settings.paging {
    case .single: break
    case .auto: if case .url(let url) = step.place { call.url = url }
    case .page(let param, let sizeParam, _), .offset(let param, let sizeParam):
      if case .number(let number) = step.place { call.url.setQuery(param, to: Self.digits(number)) }
      if let sizeParam { call.url.setQuery(sizeParam, to: size) }
    case .cursor(_, let to, _, let previousTo, let sizeTo):
      if let sizeTo { try put(size, into: &call, at: sizeTo) }
      if case .token(let token) = step.place { try put(token, into: &call, at: to) }
      if case .before(let token) = step.place, let previousTo { try put(token, into: &call, at: previousTo) }
    case .link(_, _, let sizeParam), .nextURL(_, _, let sizeParam):
      // A URL that the API gave has all parameters in it already.
      if case .url(let url) = step.place {
        call.url = url
      } else if let sizeParam {
        call.url.setQuery(sizeParam, to: size)
      }
    case .graphQL(_, let after, let first, let before, let last):
      var variables = [(first, size)]
      if case .token(let token) = step.place { variables.append((after, token)) }
      if case .before(let token) = step.place, let before { variables = [(last, size), (before, token)] }
      for (name, value) in variables {
        try put(value, into: &call, at: .body(JSONPointer(tokens: [Array("variables".utf8), Array(name.utf8)])))
      }
    }
    return call
  }

  /// Puts a JSON value where it belongs: as it stands into the body, elsewhere the content of a string or the value's text.
  private func put(_ value: [UInt8], into call: inout HTTPCall, at target: HTTPTarget) throws(SourceError) {
    let plain = JSONReader.stringBytes(value.span, JSONSlice(start: 0, end: value.count)) ?? value
    switch target {
    case .query(let name):
      call.url.setQuery(name, to: plain)
    case .header(let name):
      guard let line = HTTPHeaderText.line(name, plain) else {
        throw SourceError(.badPage, "The cursor has control characters, so it cannot be sent in the header \(name).")
      }
      let start = Array("\(name.lowercased())".utf8)
      call.headers.removeAll { $0.prefix(while: HTTPHeaderText.isNameByte).map(Self.lowercased) == start }
      call.headers.append(line)
    case .body(let pointer):
      guard let body = JSONEdit.setting(call.body ?? Array("{}".utf8), at: pointer, to: value) else {
        throw SourceError(.loadFailed, "The body has no place for \(pointer.text).", retryable: false)
      }
      if call.body == nil { call.headers.append(Array("Content-Type: application/json".utf8)) }
      call.body = body
    }
  }

  // MARK: Text

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  /// The token in a cursor of the way back, `{"before": token}`.
  private static func before(_ cursor: [UInt8]) -> [UInt8]? {
    JSONPointer(tokens: [Array("before".utf8)])
      .resolve(in: cursor.span, JSONSlice(start: 0, end: cursor.count)).map { Array(cursor[$0.range]) }
  }

  static func integer(_ cursor: [UInt8]) -> Int? {
    let number = JSONReader.integer(cursor.span, JSONSlice(start: 0, end: cursor.count))
    return number.flatMap { SourceObject.integers.contains($0) ? $0 : nil }
  }

  static func digits(_ number: Int) -> [UInt8] {
    var text: [UInt8] = []
    DecimalDigits.append(number, to: &text)
    return text
  }

  static func quoted(_ text: [UInt8]) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(utf8: text.span)
    return writer.bytes
  }
}
