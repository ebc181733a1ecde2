import JSONText

// `paging: "auto"`: the answer itself names the page beside it, or counts its pages, or all there is came, or it is said that
// none of it is certain.
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
    if try countByEcho(of: &page, answer) { return }
    page.next = .null
    // A page that was named by another is the last where it names none.
    if answer.request.cursor != nil { return }
    let signs = PagingSigns.find(answer.response, answer.document, received: answer.received)
      .map { settings.secrets.hidden($0) }
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
