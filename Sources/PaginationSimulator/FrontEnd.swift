import PaginationCore

extension PagePlace {
  /// The place by which a page is had again, where it names another than it was asked for with.
  func named(_ page: ModelSource.Page) -> PagePlace {
    var place = self
    place.cursor = page.again ?? cursor
    return place
  }
}

/// The list as a front end holds it, built only from what the core says.
struct FrontEnd {
  struct Page {
    var start: Int
    var count: Int
    /// Which page of the source it is, so that it can be told if it comes twice.
    var key: PageKey
    var end: Int { start + count }
  }

  /// What names a page within a generation.
  struct PageKey: Hashable {
    let edge: Int
    let cursor: Cursor?
    /// The page's number, where the source goes by numbers.
    let number: Int?
    let isBackward: Bool

    init(_ place: PagePlace) {
      // A page may come back at the other edge; which page it is does not depend on that.
      edge = 0
      cursor = place.cursor
      number = place.cursor == nil ? place.page : nil
      isBackward = place.isBackward
    }
  }

  private(set) var generation: Int
  private(set) var items: [Item] = []
  private(set) var first = 0
  private(set) var pages: [Page] = []
  /// Pages that are in the list or added nothing: they must not come again.
  private(set) var committed: Set<PageKey> = []
  private var present: Set<Item> = []
  /// The difference between an item's key and its position, which must be one and the same in a generation.
  var keyOffset: Int?
  /// The number by which the source knows the list's page 0, once that has come.
  var pageOrigin: Int?

  init(generation: Int) { self.generation = generation }

  var count: Int { items.count }
  var isEmpty: Bool { items.isEmpty }
  var last: Int { first + items.count - 1 }

  func position(of item: Item) -> Int? { items.firstIndex(of: item).map { first + $0 } }

  func item(at position: Int) -> Item? {
    position >= first && position < first + items.count ? items[position - first] : nil
  }

  mutating func begin(generation: Int) {
    self.generation = generation
    items = []
    first = 0
    pages = []
    committed = []
    present = []
    keyOffset = nil
    pageOrigin = nil
  }

  /// The indices of the items that dedupe must drop from a page.
  func duplicates(in page: [Item], dedupes: (Item) -> Bool) -> [Int] {
    var seen: Set<Item> = []
    return page.indices.filter { index in
      guard dedupes(page[index]) else { return false }
      return present.contains(page[index]) || !seen.insert(page[index]).inserted
    }
  }

  mutating func add(_ added: [Item], at edge: Edge, place: PagePlace) {
    if items.isEmpty { first = 0 }
    switch edge {
    case .end:
      if !added.isEmpty { pages.append(Page(start: first + items.count, count: added.count, key: PageKey(place))) }
      items += added
    case .start:
      first -= added.count
      if !added.isEmpty { pages.insert(Page(start: first, count: added.count, key: PageKey(place)), at: 0) }
      items.insert(contentsOf: added, at: 0)
    }
    present.formUnion(added)
  }

  /// Notes that a page has come; false where it had come before and was not dropped since.
  ///
  /// An empty one may come again: so does that of a source that waits for more, when the user asks.
  mutating func commit(_ place: PagePlace, isEmpty: Bool) -> Bool {
    let key = PageKey(place)
    if isEmpty { return !committed.contains(key) }
    return committed.insert(key).inserted
  }

  /// Drops whole pages; nil where the positions are not those of whole pages at that edge.
  mutating func drop(_ edge: Edge, from: Int, to: Int) -> [Page]? {
    let gone = pages.filter { $0.start >= from && $0.end <= to + 1 }
    guard gone.reduce(0, { $0 + $1.count }) == to - from + 1 else { return nil }
    switch edge {
    case .start:
      guard from == first, to < last else { return nil }
      present.subtract(items.prefix(to - from + 1))
      items.removeFirst(to - from + 1)
      first = to + 1
      pages.removeFirst(gone.count)
    case .end:
      guard to == last, from > first else { return nil }
      present.subtract(items.suffix(to - from + 1))
      items.removeLast(to - from + 1)
      pages.removeLast(gone.count)
    }
    committed.subtract(gone.map(\.key))
    return gone
  }
}
