import JSONText

// `paging: "auto"`: the answer itself names the page beside it, or all there is came, or it is said that neither is certain.
extension HTTPPages {
  /// The places at which APIs put the URL of the next page, with those for the page before it.
  private static let places: [(next: HTTPPlace, previous: [HTTPPlace])] =
    [
      (["next"], ["previous", "prev"]), (["links", "next"], ["previous", "prev"]),
      (["_links", "next"], ["previous", "prev"]), (["next_url"], ["previous_url", "prev_url"]),
      (["nextUrl"], ["previousUrl", "prevUrl"]), (["next_page_url"], ["prev_page_url"]), (["nextLink"], ["prevLink"]),
      (["@odata.nextLink"], []), (["odata.nextLink"], []), (["d", "__next"], []),
      (["paging", "next"], ["previous", "prev"]), (["pagination", "next"], ["previous", "prev"]),
      (["pagination", "next_url"], ["previous_url", "prev_url"]), (["meta", "next"], ["previous", "prev"]),
    ].map { (next: [String], previous: [String]) in
      (place(next), previous.map { place(next.dropLast() + [$0]) })
    } + [(.header("next-page"), []), (.header("x-next-page"), [])]

  private static func place(_ names: [String]) -> HTTPPlace {
    .body(JSONPointer(tokens: names.map { Array($0.utf8) }))
  }

  /// Reads what an answer shows by itself of the pages beside it; fails on a first page where there may be more of them, and
  /// nothing says how to ask for it.
  func detectNeighbours(of page: inout SourcePage, _ answer: Answer) throws(SourceError) {
    let links = LinkHeader(answer.response.headers.all("link"))
    let previousLink = links.target("prev") ?? links.target("previous")
    if let next = links.target("next") ?? (previousLink == nil ? nil : []) {
      found.note(strategy: "link", why: "the header Link names the pages beside this one")
      page.next = next.isEmpty ? .null : forward(cursor(next, answer), answer)
      page.previous = previousLink.map { .value(cursor($0, answer)) } ?? .absent
      return
    }
    for (next, previous) in Self.places {
      let before = previous.lazy.compactMap { reference(at: $0, answer) }.first
      let after = reference(at: next, answer)
      guard after != nil || before != nil else { continue }
      found.note(strategy: "nextUrl", why: "there is a URL at \(next.shown)")
      page.next = after.map { forward(cursor($0, answer), answer) } ?? .null
      page.previous = before.map { .value(cursor($0, answer)) } ?? .absent
      return
    }
    page.next = .null
    // A page that was named by another is the last where it names none.
    if answer.request.cursor != nil { return }
    let signs = PagingSigns.find(answer.response, answer.document, received: answer.received)
    if signs.isEmpty {
      found.note(strategy: "single", why: "nothing in the answer says that there is more")
      return
    }
    throw SourceError(
      .badPage,
      "The answer of \(answer.call.shown) shows that there is more (\(signs.joined(separator: ", "))), but not how to ask for "
        + "it. Name the strategy in paging; {\"strategy\": \"single\"} if this is all.",
      details: [.strings("evidence", signs)])
  }

  /// The text at a place where it can only be a URL; a token does not begin like this.
  private func reference(at place: HTTPPlace, _ answer: Answer) -> [UInt8]? {
    guard let text = place.text(in: answer.response, answer.document) else { return nil }
    let whole = JSONSlice(start: 0, end: text.count)
    let href = JSONPointer(tokens: [Array("href".utf8)]).resolve(in: text.span, whole)
    guard let string = JSONReader.stringBytes(text.span, href ?? whole) else { return nil }
    let starts = ["http://", "https://", "/", "?"]
    return starts.contains { string.starts(with: Array($0.utf8)) } ? string : nil
  }
}

/// Signs in an answer that there are more items than it has.
enum PagingSigns {
  private static let flags = ["has_more", "hasMore", "has_next", "hasNext", "hasNextPage", "more", "truncated"]
  private static let tokens = [
    "next", "next_cursor", "nextCursor", "next_page", "nextPage", "next_page_token", "nextPageToken", "next_token",
    "nextToken", "NextToken", "continue", "continuation", "LastEvaluatedKey", "endCursor", "end_cursor", "cursor",
    "nextLink", "next_url", "scroll_id", "_scroll_id",
  ]
  private static let totals = [
    "total", "count", "total_count", "totalCount", "total_items", "totalItems", "total_results", "totalResults",
    "numFound",
    "total_records",
  ]
  private static let pages = ["total_pages", "totalPages", "pages", "page_count", "pageCount", "last_page", "lastPage"]
  private static let headers = ["x-total-count", "x-total", "x-next-page", "next-page", "x-next-cursor"]
  /// As many signs as are told.
  private static let maximumSigns = 6

  /// What is found, each as the end of a sentence: `/total is 23`.
  static func find(_ response: HTTPResponse, _ document: JSONSlice?, received: Int) -> [String] {
    var signs: [String] = []
    for name in headers {
      guard let value = response.headers.first(name), !value.isEmpty else { continue }
      let number = Int(String(decoding: value, as: UTF8.self))
      if name.contains("total"), number ?? 0 <= received { continue }
      signs.append("the header \(name) is \(SourceObject.shown(String(decoding: value, as: UTF8.self)))")
    }
    guard let document else { return signs }
    let bytes = response.body
    var inner: [(value: JSONSlice, path: [[UInt8]])] = [(document, [])]
    var members: [JSONMember] = []
    var index = 0
    // The answer itself and the objects that are its members.
    while index < inner.count, signs.count < maximumSigns {
      let (value, path) = inner[index]
      index += 1
      guard JSONReader.kind(bytes.span, value) == .object else { continue }
      _ = try? JSONScanner().scanObject(bytes.span, from: value.start, to: value.end, members: &members)
      for member in members {
        let name = JSONReader.string(bytes.span, content: member.key)
        if path.isEmpty, inner.count < 50, JSONReader.kind(bytes.span, member.value) == .object {
          inner.append((member.value, [Array(name.utf8)]))
        }
        guard isSign(bytes, name, member.value, received: received) else { continue }
        let pointer = JSONPointer(tokens: path + [Array(name.utf8)]).text
        signs.append("\(pointer) is \(SourceObject.shown(JSONReader.text(bytes.span, member.value)))")
      }
    }
    return Array(signs.prefix(maximumSigns))
  }

  private static func isSign(_ bytes: [UInt8], _ name: String, _ value: JSONSlice, received: Int) -> Bool {
    let kind = JSONReader.kind(bytes.span, value)
    let integer = JSONReader.integer(bytes.span, value)
    if flags.contains(name), JSONReader.bool(bytes.span, value) == true { return true }
    if totals.contains(name), let integer { return integer > received }
    if pages.contains(name), let integer { return integer > 1 }
    guard tokens.contains(name) else { return false }
    switch kind {
    case .string: return value.count > 2
    case .number, .object: return true
    default: return false
    }
  }
}
