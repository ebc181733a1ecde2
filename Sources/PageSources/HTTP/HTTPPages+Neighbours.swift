import JSONText

// What an answer says of the pages beside it.
extension HTTPPages {
  /// Sets `next`, `previous` and, where it is known, `hasMore`.
  func nameNeighbours(of page: inout SourcePage, _ answer: Answer) throws(SourceError) {
    switch settings.paging {
    case .auto: try detectNeighbours(of: &page, answer)
    case .single: page.hasMore = false
    case .page(_, _, let first): countPages(of: &page, answer, first: first)
    case .offset(_, let sizeParam): countItems(of: &page, answer, canGoBack: sizeParam != nil)
    case .cursor(let from, _, let previousFrom, let previousTo, _):
      try readTokens(of: &page, answer, from: from, previousFrom: previousFrom, marksBefore: previousTo != nil)
    case .link(let relation, let previousRelation, _):
      let links = LinkHeader(answer.response.headers.all("link"))
      page.next = forward(links.target(relation).map { cursor($0, answer) }, answer)
      page.previous = links.target(previousRelation).map { .value(cursor($0, answer)) } ?? .absent
    case .nextURL(let from, let previousFrom, _):
      page.next = forward(try url(from, answer), answer)
      page.previous =
        try previousFrom.flatMap { (place) throws(SourceError) in try url(place, answer) }
        .map { .value($0) } ?? .absent
    case .graphQL(let connection, _, _, let before, _):
      try readPageInfo(of: &page, answer, connection, canGoBack: before != nil)
    }
    guard answer.request.kind == .previous else { return }
    // Only what is said of the start counts on the way to it.
    page.next = .absent
    page.hasMore = nil
  }

  // MARK: Counted pages

  private func countPages(of page: inout SourcePage, _ answer: Answer, first: Int) {
    guard case .number(let number) = answer.step.place else { return }
    guard answer.request.cursor != nil else {
      // Without a cursor the offset is the one from the first page on.
      page.hasMore = isMoreLeft(behind: answer.request.offset &+ answer.received, answer)
      return
    }
    if answer.received == 0 && answer.hasMore != true {
      page.hasMore = false
    } else if number < SourceObject.integers.upperBound {
      page.next = .value(Self.digits(number + 1))
    }
    if number > first { page.previous = .value(Self.digits(number - 1)) }
  }

  private func countItems(of page: inout SourcePage, _ answer: Answer, canGoBack: Bool) {
    guard case .number(let start) = answer.step.place else { return }
    let end = start &+ answer.received
    page.hasMore = isMoreLeft(behind: end, answer)
    guard answer.request.cursor != nil else { return }
    if answer.received == 0 && answer.hasMore != true {
      page.hasMore = false
    } else {
      page.next = .value(Self.digits(end))
    }
    if canGoBack && start > 0 { page.previous = BeforeCursor(before: start, page: answer.request.page &- 1).field }
  }

  /// What the answer's flag says, else its total; nil where neither says anything that can be true.
  private func isMoreLeft(behind end: Int, _ answer: Answer) -> Bool? {
    if let flag = answer.hasMore { return flag }
    guard let total = answer.total else { return nil }
    if end >= total { return false }
    // An empty page contradicts a total that has not been reached; then `endOn` decides.
    return answer.received > 0 ? true : nil
  }

  // MARK: Named pages

  /// The next page's cursor, with what is to be done where a page names itself.
  func forward(_ token: [UInt8]?, _ answer: Answer) -> CursorField {
    guard let token else { return .null }
    guard token == answer.step.token || leadsBack(token, answer) else { return .value(token) }
    switch settings.end.repeatedCursor {
    // The cursor of this very page is one that the session has seen.
    case .error: return .value(answer.step.token ?? token)
    case .stop: return .null
    case .poll:
      // The number makes each of these cursors another one, so that the session sees no cycle in them.
      var text = Array("{\"poll\":".utf8) + Self.digits(answer.step.polls + 1)
      text.append(text: ",\"cursor\":")
      return .value(text + token + [UInt8(ascii: "}")])
    }
  }

  /// Whether a page names the first one as the next: no page has told the session that one's URL.
  private func leadsBack(_ token: [UInt8], _ answer: Answer) -> Bool {
    guard settings.paging.namesURLs, case .url = answer.step.place,
      let first = try? call(Step(place: .template), limit: answer.request.limit)
    else { return false }
    return token == Self.quoted(settings.secrets.named(first.url.text))
  }

  /// The tokens of the pages beside one; where those of the way back go elsewhere, they are marked.
  private func readTokens(
    of page: inout SourcePage, _ answer: Answer, from: HTTPPlace, previousFrom: HTTPPlace?, marksBefore: Bool
  ) throws(SourceError) {
    let next = token(from.text(in: answer.response, answer.document))
    if next == nil, case .before = answer.step.place, answer.request.kind != .previous {
      // What lies behind it is known to be there, but nothing says how to ask for it.
      throw SourceError(
        .badPage, "\(answer.call.shown) does not say what follows a page of the way back, so no list can begin with it."
      )
    }
    page.next = forward(next, answer)
    guard let before = previousFrom.flatMap({ token($0.text(in: answer.response, answer.document)) }) else { return }
    page.previous = .value(marksBefore ? Self.marked(before) : before)
  }

  private static func marked(_ token: [UInt8]) -> [UInt8] { Array("{\"before\":".utf8) + token + [UInt8(ascii: "}")] }

  /// A token, nil where it is one of the values by which APIs say that there is none.
  ///
  /// 0 is a token.
  private func token(_ text: [UInt8]?) -> [UInt8]? {
    guard let text, text != Array("\"\"".utf8), text != Array("false".utf8), text != Array("null".utf8) else {
      return nil
    }
    return text
  }

  /// The URL at a place in an answer as a cursor.
  private func url(_ place: HTTPPlace, _ answer: Answer) throws(SourceError) -> [UInt8]? {
    guard var text = token(place.text(in: answer.response, answer.document)) else { return nil }
    var whole = JSONSlice(start: 0, end: text.count)
    // JSON:API and HAL may put the URL into an object.
    if let href = JSONPointer(tokens: [Array("href".utf8)]).resolve(in: text.span, whole) {
      text = Array(text[href.range])
      whole = JSONSlice(start: 0, end: text.count)
    }
    guard let url = JSONReader.stringBytes(text.span, whole) else {
      throw SourceError(
        .badPage,
        "The answer of \(answer.call.shown) has at \(place.shown) no URL. Name another place, or another strategy.")
    }
    return url.isEmpty ? nil : cursor(url, answer)
  }

  /// The cursor for a URL; what is none is kept as it stands, and fails when it is asked for.
  func cursor(_ reference: [UInt8], _ answer: Answer) -> [UInt8] {
    let url = try? HTTPURL(reference, relativeTo: answer.response.url)
    return Self.quoted(settings.secrets.named(url?.text ?? reference))
  }

  private func readPageInfo(
    of page: inout SourcePage, _ answer: Answer, _ connection: JSONPointer, canGoBack: Bool
  ) throws(SourceError) {
    let bytes = answer.response.body
    let info = JSONPointer(tokens: connection.tokens + [Array("pageInfo".utf8)])
    guard let document = answer.document, let value = info.resolve(in: bytes.span, document) else {
      throw missingPageInfo(answer, "pageInfo")
    }
    let member = { (name: String) in JSONPointer(tokens: [Array(name.utf8)]).resolve(in: bytes.span, value) }
    guard let more = member("hasNextPage").flatMap({ JSONReader.bool(bytes.span, $0) }) else {
      throw missingPageInfo(answer, "hasNextPage")
    }
    guard let end = member("endCursor") else { throw missingPageInfo(answer, "endCursor") }
    let last = token(Array(bytes[end.range]))
    if case .before = answer.step.place {
      // What lies behind this page is known to be there: it is where the way back began.
      page.next = last.map { .value($0) } ?? .null
    } else {
      page.next = more ? forward(last, answer) : .null
    }
    guard canGoBack, member("hasPreviousPage").flatMap({ JSONReader.bool(bytes.span, $0) }) == true,
      let start = member("startCursor"), let first = token(Array(bytes[start.range]))
    else { return }
    page.previous = .value(Self.marked(first))
  }

  private func missingPageInfo(_ answer: Answer, _ name: String) -> SourceError {
    SourceError(
      .badPage,
      "The connection in the answer of \(answer.call.shown) has no \(name). Ask in the query for pageInfo "
        + "{ hasNextPage endCursor }.")
  }
}
