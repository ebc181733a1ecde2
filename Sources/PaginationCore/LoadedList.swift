/// The items and pages that make up a list, without the items' text.
struct LoadedList {
  /// A page that is loaded.
  struct Page: Equatable {
    var place: PagePlace
    /// The position of its first item.
    let start: Int
    let count: Int
    var end: Int { start + count }
  }

  /// What adding a page came to.
  struct Insertion {
    /// The position of the first item added.
    let start: Int
    let added: Int
    /// Indices of the arrival's items that were loaded already.
    let dropping: [Int]
  }

  private(set) var items = ItemIndex()
  private(set) var pages = Deque<Page>()

  var count: Int { items.count }
  var isEmpty: Bool { items.isEmpty }

  /// Adds a page behind the last item.
  ///
  /// First occurrence wins, within the page too.
  mutating func append(_ ids: [Fingerprint], place: PagePlace, dedupe: Bool) -> Insertion {
    let start = items.end
    let dropping = items.append(ids, dedupe: dedupe)
    let added = ids.count - dropping.count
    if added > 0 { pages.append(Page(place: place, start: start, count: added)) }
    return Insertion(start: start, added: added, dropping: dropping)
  }

  /// Adds a page before the first item; its items are in the order of the list.
  mutating func prepend(_ ids: [Fingerprint], place: PagePlace, dedupe: Bool) -> Insertion {
    if items.prependNew(ids) {
      if !ids.isEmpty { pages.prepend(Page(place: place, start: items.first, count: ids.count)) }
      return Insertion(start: items.first, added: ids.count, dropping: [])
    }
    var dropping: [Int] = []
    var within = FingerprintSet()
    for index in ids.indices where dedupe && ids[index].isItemID {
      if items.contains(ids[index]) || !within.insert(ids[index]) { dropping.append(index) }
    }
    var skip = dropping.count - 1
    for index in ids.indices.reversed() {
      if skip >= 0 && dropping[skip] == index {
        skip -= 1
      } else {
        items.prepend(ids[index])
      }
    }
    let added = ids.count - dropping.count
    if added > 0 { pages.prepend(Page(place: place, start: items.first, count: added)) }
    return Insertion(start: items.first, added: added, dropping: dropping)
  }

  /// Takes a whole page away from one edge.
  mutating func dropPage(at edge: Edge) -> Page? {
    switch edge {
    case .start:
      guard let page = pages.removeFirst() else { return nil }
      items.dropStart(upTo: page.end)
      return page
    case .end:
      guard let page = pages.removeLast() else { return nil }
      items.dropEnd(from: page.start)
      return page
    }
  }

  /// Moves all pages along in the source.
  mutating func adjustOffsets(by count: Int) {
    for index in 0..<pages.count { pages[index].place.move(by: count) }
  }

  /// The index among `pages` of the page that holds a position.
  func pageIndex(holding position: Int) -> Int? {
    var low = 0
    var high = pages.count
    while low < high {
      let middle = (low + high) / 2
      if pages[middle].end <= position { low = middle + 1 } else { high = middle }
    }
    return low < pages.count && pages[low].start <= position ? low : nil
  }
}
