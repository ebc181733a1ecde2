import JSONText

/// Puts a page together item by item, within the bounds of a page.
struct PageBuilder {
  /// A page's items take at most this many bytes, unless its only item takes more.
  static let maximumPageBytes = 16 << 20

  /// The items' text so far; an item is appended here between `openItem` and `closeItem`.
  var bytes: [UInt8] = []
  private(set) var items: [SourceItem] = []
  /// Whether the page holds as many items as were asked for, or as many bytes as it may.
  private(set) var isFull: Bool

  /// After so many items it is known about how long the others are.
  private static let sampleItems = 16
  /// A page is expected to have no more items than that.
  static let usualItems = 2048
  /// No more room than this is made beforehand: larger blocks the allocator takes from the system and gives back, each time.
  static let reservedBytes = 1_000_000

  private let limit: Int
  private let maximumBytes: Int
  /// How many bytes of `bytes` stand before the first item.
  private var lead = 0
  private let idPath: JSONPointer

  /// A builder for a page of at most `limit` items with their ids at `idPath`.
  init(limit: Int, idPath: JSONPointer, maximumBytes: Int = PageBuilder.maximumPageBytes) {
    self.limit = limit
    self.idPath = idPath
    self.maximumBytes = maximumBytes
    isFull = limit <= 0
  }

  /// Makes room for a page of items of about so many bytes, as far as a page is likely to be that long.
  mutating func reserve(bytesPerItem: Int) {
    let count = min(max(0, limit), PageBuilder.usualItems)
    items.reserveCapacity(count)
    bytes.reserveCapacity(count &* bytesPerItem)
  }

  /// Begins an item; returns where it starts.
  @inline(__always)
  mutating func openItem() -> Int {
    if !items.isEmpty { bytes.append(UInt8(ascii: ",")) }
    return bytes.count
  }

  /// Ends the item that starts at `start`, looking for its id.
  ///
  /// Returns false where the item does not fit any more; it is taken back, and the page is full.
  mutating func closeItem(from start: Int, key: Int? = nil) -> Bool {
    let value = JSONSlice(start: start, end: bytes.count)
    let id = idPath.resolve(in: bytes.span, value) ?? .none
    return closeItem(from: start, id: id, key: key)
  }

  /// Ends the item that starts at `start`, whose id is known; otherwise as `closeItem(from:key:)`.
  @inline(__always)
  mutating func closeItem(from start: Int, id: JSONSlice, key: Int? = nil) -> Bool {
    if freeBytes < 0 && !items.isEmpty {
      bytes.removeSubrange((start - 1)...)
      isFull = true
      return false
    }
    items.append(SourceItem(value: JSONSlice(start: start, end: bytes.count), id: id, key: key))
    if items.count == PageBuilder.sampleItems, limit < Int.max { makeRoomForRest() }
    if items.count >= limit || freeBytes <= 0 { isFull = true }
    return true
  }

  // MARK: Many items at once

  /// How many more items the page may hold.
  var freeItems: Int { max(0, limit &- items.count) }
  /// How many more bytes.
  var freeBytes: Int { maximumBytes &- (bytes.count &- lead) }

  /// Begins a row of items whose text is put into `bytes` as a whole, behind an opening bracket, which makes it an array once it
  /// is closed; returns where the first of them starts.
  mutating func openRow() -> Int {
    if items.isEmpty { lead = 1 }
    bytes.append(UInt8(ascii: "["))
    return bytes.count
  }

  /// Ends the row that starts at `start`: of its text these elements stay and become items, between which there is one byte each.
  ///
  /// An item's key is how far it lies behind the first one, from `firstKey` on.
  mutating func closeRow(from start: Int, _ elements: Span<JSONElement>, firstKey: Int) {
    let isFirst = items.isEmpty
    guard !elements.isEmpty else {
      bytes.removeLast(bytes.count &- (start &- 1))
      if isFirst { lead = 0 }
      return
    }
    items.append(addingCapacity: elements.count) { output in
      for index in elements.indices {
        let element = elements[index]
        output.append(SourceItem(value: element.value, id: element.id, key: firstKey &+ (element.value.start &- start)))
      }
    }
    bytes.removeLast(bytes.count &- elements[elements.count &- 1].value.end)
    if !isFirst { bytes[start &- 1] = UInt8(ascii: ",") }
    if items.count >= limit || freeBytes <= 0 { isFull = true }
    if isFirst, !isFull, limit < Int.max { makeRoomForRest() }
  }

  /// Makes room for the other items of a page, if they are like those it has.
  ///
  /// Growing step by step copies a page twice, and leaves the allocator with more than it keeps for the next.
  private mutating func makeRoomForRest() {
    let count = min(limit, PageBuilder.usualItems)
    items.reserveCapacity(count)
    bytes.reserveCapacity(min(bytes.count / items.count * count * 9 / 8, PageBuilder.reservedBytes))
  }

  /// Turns the order of the items round, for those that were found backwards.
  mutating func turnRound() {
    var turned = PageBuilder(limit: limit, idPath: idPath, maximumBytes: maximumBytes)
    turned.bytes.reserveCapacity(bytes.count)
    for item in items.reversed() {
      if !turned.items.isEmpty { turned.bytes.append(UInt8(ascii: ",")) }
      let start = turned.bytes.count
      turned.bytes.append(contentsOf: bytes[item.value.range])
      let distance = start - item.value.start
      turned.items.append(
        SourceItem(
          value: item.value.moved(by: distance), id: item.id.isEmpty ? .none : item.id.moved(by: distance),
          key: item.key))
    }
    bytes = turned.bytes
    items = turned.items
  }

  /// Whether the page ends before what was asked for because of its size in bytes.
  var wasCutShort: Bool { isFull && items.count < limit }

  /// The page, with what it says of its neighbours.
  consuming func page(
    next: CursorField = .absent, previous: CursorField = .absent, hasMore: Bool? = nil, total: Int? = nil
  ) -> SourcePage {
    SourcePage(bytes: bytes, items: items, next: next, previous: previous, hasMore: hasMore, total: total)
  }
}
