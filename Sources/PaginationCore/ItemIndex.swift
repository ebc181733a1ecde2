/// The ids of the items that are loaded, by position and by id, at 27 to 31 bytes an item.
///
/// Positions are signed and what is loaded is contiguous. The ids themselves are kept by position; the table that finds
/// them holds positions only.
struct ItemIndex {
  /// Loaded positions are `first..<end`.
  private(set) var first = 0
  private(set) var end = 0

  private var ids = LoadedIDs()
  private var table = PositionTable()

  var count: Int { end - first }
  var isEmpty: Bool { end == first }
  /// The position of the last item.
  ///
  /// Only meaningful while something is loaded.
  var last: Int { end - 1 }

  /// Bytes that the ids and the table take.
  var bytesInUse: Int { ids.bytesInUse + table.bytesInUse }

  /// The most items that one session may hold: what the table's 32-bit distances can tell apart with room to move.
  static let maxItems = 1 << 30

  /// The id at a loaded position.
  func id(at position: Int) -> Fingerprint { ids[position] }

  /// The position of an id, nil where it is not loaded.
  func position(of id: Fingerprint) -> Int? { id.isNone ? nil : table.position(of: id, among: ids) }

  func contains(_ id: Fingerprint) -> Bool { position(of: id) != nil }

  /// Adds the items of a page behind the last, and returns which are left out: with `dedupe`, those whose own id is there.
  mutating func append(_ page: [Fingerprint], dedupe: Bool) -> [Int] {
    var dropping: [Int] = []
    for index in appendNew(page, dedupe: dedupe)..<page.count {
      let id = page[index]
      if !append(id, unlessLoaded: dedupe && id.isItemID) { dropping.append(index) }
    }
    return dropping
  }

  /// Adds items as long as none is to be left out, and returns how many.
  ///
  /// That is nearly always all of them, so their ids are stored all at once.
  private mutating func appendNew(_ page: [Fingerprint], dedupe: Bool) -> Int {
    guard end >= 0, !page.isEmpty else { return 0 }
    makeDistance(for: end)
    makeDistance(for: end &+ page.count &- 1)
    ids.set(end, page)
    let added = table.insert(page, at: end, among: ids) { dedupe && $0.isItemID }
    end &+= added
    if added < page.count { ids.forget(from: end) }
    return added
  }

  /// Adds an item behind the last.
  ///
  /// Its id becomes findable unless another item already has it.
  mutating func append(_ id: Fingerprint) { _ = append(id, unlessLoaded: false) }

  /// Adds an item behind the last; false where it is not to be added twice and an item with its id is there.
  mutating func append(_ id: Fingerprint, unlessLoaded: Bool) -> Bool {
    if !id.isNone {
      makeDistance(for: end)
      if !table.insert(id, at: end, among: ids), unlessLoaded { return false }
    }
    ids.set(end, id)
    end &+= 1
    return true
  }

  /// Adds an item before the first.
  mutating func prepend(_ id: Fingerprint) {
    let position = first &- 1
    if !id.isNone {
      makeDistance(for: position)
      _ = table.insert(id, at: position, among: ids)
    }
    ids.set(position, id)
    first = position
  }

  /// Adds the items of a page before the first, which are in the order of the list; false, and nothing is changed, where
  /// one of their ids is loaded or twice among them.
  mutating func prependNew(_ page: [Fingerprint]) -> Bool {
    let start = first &- page.count
    makeDistance(for: first &- 1)
    makeDistance(for: start)
    for index in page.indices.reversed() { ids.set(start &+ index, page[index]) }
    let added = table.insert(page, at: start, among: ids) { _ in true }
    if added == page.count {
      first = start
      return true
    }
    for index in 0..<added where !page[index].isNone { table.remove(page[index], at: start &+ index) }
    ids.forget(below: first)
    return false
  }

  /// Takes away the items from the start up to, not including, `position`.
  mutating func dropStart(upTo position: Int) {
    while first < position {
      remove(at: first)
      first &+= 1
    }
    ids.forget(below: first)
  }

  /// Takes away the items from `position` to the end.
  mutating func dropEnd(from position: Int) {
    while end > position {
      end &-= 1
      remove(at: end)
    }
    ids.forget(from: end)
  }

  private mutating func remove(at position: Int) {
    let id = ids[position]
    if !id.isNone { table.remove(id, at: position) }
  }

  /// Makes sure that the table can hold a position: begins it anew, with what is loaded in the middle of its range, where
  /// that has moved too far.
  @inline(__always)
  private mutating func makeDistance(for position: Int) {
    if !table.canHold(position) { beginTable(around: position) }
  }

  private mutating func beginTable(around position: Int) {
    table = PositionTable(base: min(first, position) &- ItemIndex.maxItems)
    for position in first..<end where !ids[position].isNone {
      _ = table.insert(ids[position], at: position, among: ids)
    }
  }
}
