import JSONText

/// What an answer gives back of the page that was asked for: its number, or how many items lie before it.
struct PagingEcho: Equatable {
  /// What is counted.
  enum Unit: Equatable {
    case page
    case offset
  }

  let unit: Unit
  /// The parameter that is given back under its own name.
  let param: [UInt8]
  /// Where it stands.
  let pointer: String
  let number: Int
  /// How many pages there are, or items where these are counted.
  let count: Int

  /// Names under which APIs give a parameter back, with that parameter's.
  private static let names: [(name: String, unit: Unit, param: String)] = [
    ("page", .page, "page"), ("current_page", .page, "page"), ("currentPage", .page, "page"),
    ("page_number", .page, "page_number"), ("pageNumber", .page, "pageNumber"), ("offset", .offset, "offset"),
    ("skip", .offset, "skip"),
  ]
  private static let sizes = ["size", "per_page", "perPage", "page_size", "pageSize", "limit"]

  /// Looks for a number and the count that belongs to it, both in the answer itself or both in one of its members; nil where there
  /// is none, or more than one.
  init?(_ body: [UInt8], _ document: JSONSlice) {
    var echoes: [PagingEcho] = []
    for (path, members) in PagingSigns.objects(body, document) {
      var integers: [String: Int] = [:]
      for member in members {
        let number = JSONReader.integer(body.span, member.value)
        integers[JSONReader.string(body.span, content: member.key)] = number.flatMap {
          SourceObject.counts.contains($0) ? $0 : nil
        }
      }
      for (name, unit, param) in Self.names {
        guard let number = integers[name], let count = Self.count(unit, integers) else { continue }
        echoes.append(
          PagingEcho(
            unit: unit, param: Array(param.utf8), pointer: JSONPointer(tokens: path + [Array(name.utf8)]).text,
            number: number, count: count))
      }
    }
    guard echoes.count == 1, let echo = echoes.first else { return nil }
    self = echo
  }

  private init(unit: Unit, param: [UInt8], pointer: String, number: Int, count: Int) {
    self.unit = unit
    self.param = param
    self.pointer = pointer
    self.number = number
    self.count = count
  }

  private static func count(_ unit: Unit, _ integers: [String: Int]) -> Int? {
    let first = { (names: [String]) in names.lazy.compactMap { integers[$0] }.first }
    let total = first(PagingSigns.totals)
    if unit == .offset { return total }
    if let pages = first(PagingSigns.pages) { return pages }
    guard let total, let size = first(sizes), size > 0 else { return nil }
    return total / size &+ (total % size > 0 ? 1 : 0)
  }

  /// The strategy's word.
  var word: String { unit == .page ? "page" : "offset" }

  /// The number of the first page, as far as this one's shows it.
  var base: Int { unit == .page ? min(number, 1) : 0 }

  /// The number that the next page is asked for by; nil where this one is the last.
  ///
  /// `base` is the first page's number.
  func next(behind received: Int, base: Int) -> Int? {
    guard received > 0 else { return nil }
    let next = unit == .page ? number &+ 1 : number &+ received
    return next &- base < count ? next : nil
  }
}

// Pages that the answer counts itself. The first page shows the parameter and where the count begins, and each later one has to
// prove that the parameter was heeded: it gives the number back, and is not the first page once more.
extension HTTPPages {
  /// Goes on by the number that an answer gives back; false where it gives none that means anything.
  func countByEcho(of page: inout SourcePage, _ answer: Answer) throws(SourceError) -> Bool {
    let strategy = found.strategy?.word
    if answer.request.cursor != nil, strategy == "link" || strategy == "nextUrl" { return false }
    guard let document = answer.document, let echo = PagingEcho(answer.response.body, document) else {
      if answer.request.cursor != nil, answer.received > 0, strategy == "page" || strategy == "offset" {
        throw unproven(answer, "no longer says which page it is")
      }
      return false
    }
    let asked = answer.call.url.number(of: echo.param)
    let items = Self.text(of: page)
    if answer.request.cursor == nil {
      let isFirst = echo.unit == .page ? (0...1).contains(echo.number) : echo.number == 0
      guard asked.map({ $0 == echo.number }) ?? isFirst else { return false }
      found.note(base: echo.base, firstItems: items.hashValue)
      let of = echo.unit == .page ? "pages" : "items"
      found.note(
        strategy: echo.word,
        why: "the answer gives \(echo.number) back at \(echo.pointer), of \(echo.count) \(of); each page has to do so")
    } else {
      guard let asked else { return false }
      if asked != echo.number { throw unproven(answer, "has \(echo.number) at \(echo.pointer), not \(asked)") }
      if answer.received > 0, found.isFirstPage(items.hashValue) {
        throw unproven(answer, "is the first page once more")
      }
    }
    guard let next = echo.next(behind: answer.received, base: found.base ?? echo.base) else {
      page.next = .null
      return true
    }
    var url = answer.call.url
    url.setQuery(echo.param, to: Self.digits(next))
    page.next = .value(Self.quoted(settings.secrets.named(url.text)))
    return true
  }

  private static func text(of page: SourcePage) -> ArraySlice<UInt8> {
    guard let first = page.items.first, let last = page.items.last else { return [] }
    return page.bytes[first.value.start..<last.value.end]
  }

  private func unproven(_ answer: Answer, _ what: String) -> SourceError {
    SourceError(
      .badPage,
      "The answer of \(answer.call.shown) \(what), so pages are not counted as its first page made it seem. Name the strategy "
        + "in paging.")
  }
}
