import PaginationCore

/// A source that the simulation knows all about.
///
/// Apart from what is inserted at its head, a page is the same whenever it is asked for.
struct ModelSource {
  /// A page, as items.
  struct Page: CustomStringConvertible {
    var items: [Item] = []
    var next = CursorField.absent
    var previous = CursorField.absent
    var hasMore: Bool?
    var total: Int?
    var again: Cursor?
    var tail: Cursor?

    var description: String {
      let ends = items.isEmpty ? "no items" : "items \(items[0].key) to \(items[items.count - 1].key)"
      return "\(ends), next \(text(next)), previous \(text(previous)), hasMore \(hasMore.map { "\($0)" } ?? "absent")"
    }

    private func text(_ field: CursorField) -> String {
      switch field {
      case .absent: "absent"
      case .null: "null"
      case .value(let cursor): String(decoding: cursor, as: UTF8.self)
      }
    }
  }

  let shape: SourceShape
  let family: Int
  /// Items that were inserted at the head so far: keys -1, -2, ...
  var heads = 0
  /// Items that were added at the end so far.
  var grown = 0

  /// One behind the last key.
  var end: Int { shape.count + (family == 0 ? 0 : family * 3) + grown }

  func id(of item: Item) -> Fingerprint {
    switch shape.ids {
    case .found: Universe.id(of: item)
    case .sourceKeys: Universe.sourceKey(of: item)
    case .none: .none
    case .mostly: item.key % 5 == 0 ? .none : Universe.id(of: item)
    }
  }

  /// The key at which the list starts that is asked for by this cursor.
  func startKey(_ cursor: Cursor?) -> Int {
    if let cursor, let place = CursorText(cursor) { return place.key }
    return shape.paging == .offset ? 0 : min(shape.start, end)
  }

  /// The page at a place, with so many items inserted at the head.
  func page(at place: PagePlace, limit: Int, heads: Int) -> Page {
    switch shape.paging {
    case .offset: offsetPage(place, limit, heads)
    case .cursor, .bothWays:
      if place.isBackward { backwardPage(place, limit) } else { forwardPage(place, limit) }
    }
  }

  private func size(_ number: Int, _ limit: Int) -> Int {
    let drawn = Dice.hash(shape.seed &+ UInt64(family), number)
    if Int(drawn % 100) < shape.emptyShare { return 0 }
    if !shape.hasOddSizes { return limit }
    return [0, 1, max(1, limit - 1), limit, limit + 1, 3 * limit, limit][Int(drawn >> 32) % 7]
  }

  private func items(_ low: Int, _ high: Int) -> [Item] {
    low < high ? (low..<high).map { Item(family: family, key: $0) } : []
  }

  private func offsetPage(_ place: PagePlace, _ limit: Int, _ heads: Int) -> Page {
    let low = min(place.offset - heads, end)
    let high = min(low + size(place.page, limit), end)
    var page = Page(items: items(low, high))
    if high < end {
      // What might be taken for the end says that it is not.
      if page.items.count < limit || place.page % 2 == 0 { page.hasMore = true }
    } else {
      sayEnd(&page, canSayNothing: true)
    }
    if shape.saysTotal { page.total = end + heads }
    return page
  }

  private func sayEnd(_ page: inout Page, canSayNothing: Bool) {
    if shape.isFollowed {
      page.hasMore = false
      page.tail = CursorText(key: end, ordinal: 0, mark: .forward).text
      return
    }
    switch shape.endWord {
    case .nextNull: page.next = .null
    case .hasMoreFalse: page.hasMore = false
    case .nothing: if !canSayNothing { page.next = .null }
    }
  }

  private func forwardPage(_ place: PagePlace, _ limit: Int) -> Page {
    var at = place.cursor.flatMap { CursorText($0) } ?? CursorText(key: startKey(nil), ordinal: 0, mark: .forward)
    at.key = min(at.key, end)
    let isRange = at.mark == .range
    let high = min(isRange ? at.ordinal : at.key + size(at.ordinal, limit), end)
    // What a page repeats is of the page before it in the same walk, and so never older than the walk.
    let mayRepeat = !isRange && at.ordinal > 0 && high > at.key
    let low = at.key - (mayRepeat ? min(shape.overlap, size(at.ordinal - 1, limit)) : 0)
    var page = Page(items: items(low, high))
    if shape.repeatsItems, let item = page.items.first, !isRange, at.ordinal % 2 == 1 {
      page.items.insert(item, at: page.items.count / 2)
    }
    if shape.isFollowed && low < high { page.again = CursorText(key: low, ordinal: high, mark: .range).text }
    if high >= end {
      sayEnd(&page, canSayNothing: place.cursor != nil)
    } else {
      sayNext(&page, at, high, limit, place)
    }
    if shape.paging == .bothWays && at.key > shape.lowest {
      page.previous = .value(CursorText(key: at.key, ordinal: 0, mark: .backward).text)
    }
    if shape.saysTotal { page.total = end - shape.lowest }
    return page
  }

  private func sayNext(_ page: inout Page, _ at: CursorText, _ high: Int, _ limit: Int, _ place: PagePlace) {
    let ordinal = at.mark == .range ? 0 : at.ordinal
    if let cycle = shape.cycleAt, ordinal == cycle {
      page.next = .value(cursor(ofOrdinal: max(1, cycle + 1 - shape.cycleSteps), at, limit))
    } else if shape.missingCursorAt == ordinal && place.cursor != nil {
      page.hasMore = true
    } else {
      // Behind a range a new walk begins, whose first page repeats nothing.
      let following = at.mark == .range ? 0 : ordinal + 1
      page.next = .value(CursorText(key: high, ordinal: following, mark: .forward).text)
      if ordinal % 3 == 0 { page.hasMore = true }
    }
  }

  /// What lies behind a key that was once the end.
  func growth(from key: Int, limit: Int) -> Page {
    let high = min(key + limit, end)
    var page = Page(items: items(key, high))
    page.again = CursorText(key: key, ordinal: high, mark: .range).text
    if high < end {
      page.next = .value(CursorText(key: high, ordinal: 0, mark: .forward).text)
      page.hasMore = true
    } else {
      sayEnd(&page, canSayNothing: false)
    }
    return page
  }

  /// The cursor of an earlier page of the same walk.
  private func cursor(ofOrdinal wanted: Int, _ at: CursorText, _ limit: Int) -> Cursor {
    var key = at.key
    var ordinal = at.ordinal
    while ordinal > wanted {
      ordinal -= 1
      key -= size(ordinal, limit)
    }
    return CursorText(key: key, ordinal: ordinal, mark: .forward).text
  }

  private func backwardPage(_ place: PagePlace, _ limit: Int) -> Page {
    guard let cursor = place.cursor, let at = CursorText(cursor) else { return Page() }
    let low = max(shape.lowest, at.key - size(1_000 + at.ordinal, limit))
    let repeated = at.ordinal > 0 && low < at.key ? min(shape.overlap, size(999 + at.ordinal, limit)) : 0
    let high = at.key + repeated
    var page = Page(items: items(low, high))
    if low > shape.lowest {
      page.previous = .value(CursorText(key: low, ordinal: at.ordinal + 1, mark: .backward).text)
    } else if at.ordinal % 2 == 0 {
      page.previous = .null
    }
    // Not looked at on the way back, but where a later session begins with this page it is its way on.
    page.next = at.key < end ? .value(CursorText(key: at.key, ordinal: 0, mark: .forward).text) : .null
    return page
  }
}

/// A cursor of the model: where the page lies, and which it is in its walk.
struct CursorText {
  enum Mark: Character {
    case forward = "f"
    case backward = "b"
    /// From one key to another, whatever was added meanwhile.
    case range = "r"
  }

  var key: Int
  /// The page's number in its walk; of a range, the key behind its last.
  var ordinal: Int
  var mark: Mark

  init(key: Int, ordinal: Int, mark: Mark) {
    self.key = key
    self.ordinal = ordinal
    self.mark = mark
  }

  init?(_ text: Cursor) {
    let text = String(decoding: text, as: UTF8.self)
    let parts = text.dropFirst().split(separator: ".")
    guard let mark = text.first.flatMap({ Mark(rawValue: $0) }), parts.count == 2, let key = Int(parts[0]),
      let ordinal = Int(parts[1])
    else { return nil }
    self.init(key: key, ordinal: ordinal, mark: mark)
  }

  var text: Cursor { Array("\(mark.rawValue)\(key).\(ordinal)".utf8) }
}
