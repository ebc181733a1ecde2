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

  /// One behind the last key.
  var end: Int { shape.count + (family == 0 ? 0 : family * 3) }

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
    switch shape.endWord {
    case .nextNull: page.next = .null
    case .hasMoreFalse: page.hasMore = false
    case .nothing: if !canSayNothing { page.next = .null }
    }
  }

  private func forwardPage(_ place: PagePlace, _ limit: Int) -> Page {
    var at = place.cursor.flatMap { CursorText($0) } ?? CursorText(key: startKey(nil), ordinal: 0, isBackward: false)
    at.key = min(at.key, end)
    let high = min(at.key + size(at.ordinal, limit), end)
    // What a page repeats is of the page before it in the same walk, and so never older than the walk.
    let repeated = at.ordinal > 0 && high > at.key ? min(shape.overlap, size(at.ordinal - 1, limit)) : 0
    let low = at.key - repeated
    var page = Page(items: items(low, high))
    if shape.repeatsItems, let item = page.items.first, at.ordinal % 2 == 1 {
      page.items.insert(item, at: page.items.count / 2)
    }
    if high >= end {
      sayEnd(&page, canSayNothing: place.cursor != nil)
    } else if let cycle = shape.cycleAt, at.ordinal == cycle {
      page.next = .value(cursor(ofOrdinal: max(1, cycle + 1 - shape.cycleSteps), at, limit))
    } else if shape.missingCursorAt == at.ordinal && place.cursor != nil {
      page.hasMore = true
    } else {
      page.next = .value(CursorText(key: high, ordinal: at.ordinal + 1, isBackward: false).text)
      if at.ordinal % 3 == 0 { page.hasMore = true }
    }
    if shape.paging == .bothWays && at.key > shape.lowest {
      page.previous = .value(CursorText(key: at.key, ordinal: 0, isBackward: true).text)
    }
    if shape.saysTotal { page.total = end - shape.lowest }
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
    return CursorText(key: key, ordinal: ordinal, isBackward: false).text
  }

  private func backwardPage(_ place: PagePlace, _ limit: Int) -> Page {
    guard let cursor = place.cursor, let at = CursorText(cursor) else { return Page() }
    let low = max(shape.lowest, at.key - size(1_000 + at.ordinal, limit))
    let repeated = at.ordinal > 0 && low < at.key ? min(shape.overlap, size(999 + at.ordinal, limit)) : 0
    let high = at.key + repeated
    var page = Page(items: items(low, high))
    if low > shape.lowest {
      page.previous = .value(CursorText(key: low, ordinal: at.ordinal + 1, isBackward: true).text)
    } else if at.ordinal % 2 == 0 {
      page.previous = .null
    }
    // Not looked at on the way back, but where a later session begins with this page it is its way on.
    page.next = at.key < end ? .value(CursorText(key: at.key, ordinal: 0, isBackward: false).text) : .null
    return page
  }
}

/// A cursor of the model: where the page lies, and which it is in its walk.
struct CursorText {
  var key: Int
  var ordinal: Int
  var isBackward: Bool

  init(key: Int, ordinal: Int, isBackward: Bool) {
    self.key = key
    self.ordinal = ordinal
    self.isBackward = isBackward
  }

  init?(_ text: Cursor) {
    let parts = String(decoding: text.dropFirst(), as: UTF8.self).split(separator: ".")
    guard parts.count == 2, let key = Int(parts[0]), let ordinal = Int(parts[1]) else { return nil }
    self.init(key: key, ordinal: ordinal, isBackward: text.first == UInt8(ascii: "b"))
  }

  var text: Cursor { Array("\(isBackward ? "b" : "f")\(key).\(ordinal)".utf8) }
}
