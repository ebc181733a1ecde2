import JSONText

/// Pages of an API: what to ask for, and what the answer means.
struct HTTPPages: Sendable {
  let settings: HTTPSettings
  let exchange: HTTPExchange
  let found = HTTPFindings()

  init(_ settings: HTTPSettings) {
    self.settings = settings
    exchange = HTTPExchange(settings: settings, connections: HTTPConnections())
  }

  /// A page's answer while it is read.
  struct Answer {
    let request: PageRequest
    let step: Step
    let call: HTTPCall
    let response: HTTPResponse
    /// The response's JSON value; nil where it has no content.
    let document: JSONSlice?
    /// How many items it holds.
    var received = 0
    var total: Int?
    var hasMore: Bool?
  }

  /// The page that `request` asks for.
  func page(
    _ request: PageRequest, idPath: JSONPointer, _ cancellation: CancellationFlag
  ) throws(SourceError) -> SourcePage {
    try page(request, idPath: idPath) { (call) throws(SourceError) in try exchange.perform(call, cancellation) }
  }

  /// The page that `request` asks for, where `perform` says what is answered to a call.
  func page(
    _ request: PageRequest, idPath: JSONPointer, perform: (HTTPCall) throws(SourceError) -> HTTPResponse
  ) throws(SourceError) -> SourcePage {
    do throws(SourceError) {
      var step = try step(request)
      let call = try call(step, limit: step.size ?? request.limit)
      // The first page has a name where pages are named by their URLs.
      if settings.paging.namesURLs, step.place == .template {
        step.token = Self.quoted(settings.secrets.named(call.url.text))
      }
      return try page(of: try perform(call), to: call, step, request, idPath: idPath)
    } catch {
      throw settings.secrets.hidden(error)
    }
  }

  /// The page that a response holds, which answers `call` for `request`.
  private func page(
    of response: HTTPResponse, to call: HTTPCall, _ step: Step, _ request: PageRequest, idPath: JSONPointer
  ) throws(SourceError) -> SourcePage {
    let isFirst = request.page == 0 && (request.kind == .initial || request.kind == .refresh)
    if response.status == 404, settings.end.notFound, !isFirst { return SourcePage(hasMore: false) }
    guard (200..<300).contains(response.status) else { throw exchange.statusError(response, call) }
    var answer = Answer(
      request: request, step: step, call: call, response: response, document: try document(response, call))
    try checkGraphQL(answer)
    let items = try items(answer, isFirst: isFirst)
    var page = try collect(items?.elements ?? [], answer, idPath: idPath, inEdges: items?.areEdges ?? false)
    if let size = step.size { try fit(&page, to: size, call) }
    answer.received = page.items.count
    answer.total = total(answer)
    answer.hasMore = flag(answer)
    page.total = answer.total
    page.hasMore = answer.hasMore
    try nameNeighbours(of: &page, answer)
    // No items at all are the end, unless the answer names a page behind it.
    if items == nil, page.hasMore == nil, page.next == .absent || page.next == .null, endsWithoutItems(answer) {
      page.hasMore = false
    }
    return page
  }

  private func endsWithoutItems(_ answer: Answer) -> Bool {
    answer.document == nil ? settings.end.noContent : settings.end.nullItems
  }

  // MARK: The answer

  private func document(_ response: HTTPResponse, _ call: HTTPCall) throws(SourceError) -> JSONSlice? {
    let isEmpty = response.body.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
    if isEmpty && settings.end.noContent { return nil }
    do throws(JSONSyntaxError) {
      return try HTTPDocument.parse(response.body)
    } catch {
      let type = response.headers.first("content-type").flatMap { text in
        settings.secrets.areIn(text) ? nil : String(decoding: text.prefix(100), as: UTF8.self)
      }
      throw SourceError(
        .badPage,
        "The answer of \(call.shown) is no JSON: \(error). Its type is \(type ?? "not given"). Check the URL and the "
          + "credentials.", details: [.integer("status", response.status)])
    }
  }

  private func checkGraphQL(_ answer: Answer) throws(SourceError) {
    guard case .graphQL = settings.paging, let document = answer.document else { return }
    let bytes = answer.response.body
    guard let errors = JSONPointer(tokens: [Array("errors".utf8)]).resolve(in: bytes.span, document),
      let first = JSONPointer(tokens: [[UInt8(ascii: "0")]]).resolve(in: bytes.span, errors)
    else { return }
    let text = JSONPointer(tokens: [Array("message".utf8)]).resolve(in: bytes.span, first)
      .flatMap { JSONReader.string(bytes.span, $0) }
    let raw = Array(bytes[errors.range])
    let isLimited = raw.holds(Array("RATE_LIMITED".utf8))
    var details: [SourceError.Detail] = []
    if raw.count <= 4096, !settings.secrets.areIn(raw) { details.append(.init(key: "cause", json: raw)) }
    var shown = SourceObject.shown(text ?? "")
    if settings.secrets.areIn(Array(shown.utf8)) { shown = "" }
    throw SourceError(
      .loadFailed, "\(answer.call.shown) answered with GraphQL errors: \(shown). Check the query and its variables.",
      retryable: isLimited, details: details)
  }

  private func total(_ answer: Answer) -> Int? {
    guard let text = settings.total?.text(in: answer.response, answer.document) else { return nil }
    let whole = JSONSlice(start: 0, end: text.count)
    var number = JSONReader.integer(text.span, whole)
    if let string = JSONReader.string(text.span, whole) { number = Int(string) }
    guard let number, SourceObject.counts.contains(number) else { return nil }
    return number
  }

  private func flag(_ answer: Answer) -> Bool? {
    let bytes = answer.response.body
    guard let document = answer.document, let value = settings.hasMore?.resolve(in: bytes.span, document) else {
      return nil
    }
    if let flag = JSONReader.bool(bytes.span, value) { return flag }
    if JSONReader.stringEquals(bytes.span, value, "true") { return true }
    if JSONReader.stringEquals(bytes.span, value, "false") { return false }
    return nil
  }

  /// Cuts a page that was asked for with this many items to them; fewer would leave a gap.
  private func fit(_ page: inout SourcePage, to size: Int, _ call: HTTPCall) throws(SourceError) {
    if page.items.count > size { page.items.removeLast(page.items.count - size) }
    guard page.items.count == size else {
      throw SourceError(
        .badPage,
        "\(call.shown) gave \(page.items.count) items instead of the \(size) that lie before the loaded ones, so "
          + "some would be missing. Open with a smaller pageSize.")
    }
  }
}
