/// What a table keeps of an id or a cursor.
protocol TableEntry: Sendable {
  /// A slot that holds nothing.
  static var free: Self { get }
  /// Whether it is such a slot.
  var isFree: Bool { get }
  /// Bits by which it is found, as if drawn at random.
  var hash: UInt32 { get }
}

/// A part of a ``SegmentedTable``: an open hash table with linear probing, without tombstones.
struct TableSegment<Entry: TableEntry>: Sendable {
  /// How many slots there are at first.
  private static var leastCapacity: Int { 16 }
  /// How many slots there are when it is split: few enough that nobody notices, many enough that most lists never are.
  static var splitCapacity: Int { 3 << 13 }

  private var entries: [Entry]
  private var used: UInt32 = 0
  private let depthBits: UInt8

  /// Makes a segment without entries or room for any.
  init(depth: Int) {
    entries = []
    depthBits = UInt8(truncatingIfNeeded: depth)
  }

  /// Makes a segment of those entries of another that are wanted, in so many slots at least.
  private init(_ other: [Entry], capacity least: Int, depth: Int, where isWanted: (Entry) -> Bool) {
    var capacity = least
    var room = TableSegment.room(in: capacity)
    // Built where nobody shares it, so that this need not be asked for each entry.
    var entries = [Entry](repeating: .free, count: capacity)
    var used = 0
    for entry in other where !entry.isFree && isWanted(entry) {
      if used == room {
        // Hashes that are not as if drawn at random.
        capacity = TableSegment.capacity(after: capacity)
        room = TableSegment.room(in: capacity)
        entries = TableSegment(entries, capacity: capacity, depth: depth) { _ in true }.entries
      }
      var slot = TableSegment.home(of: entry.hash, among: capacity)
      while !entries[slot].isFree { slot = slot &+ 1 == capacity ? 0 : slot &+ 1 }
      entries[slot] = entry
      used &+= 1
    }
    self.entries = entries
    self.used = UInt32(truncatingIfNeeded: used)
    depthBits = UInt8(truncatingIfNeeded: depth)
  }

  /// The same with more slots.
  func larger() -> TableSegment {
    TableSegment(entries, capacity: TableSegment.capacity(after: capacity), depth: depth) { _ in true }
  }

  /// The entries that are wanted, and the others, with two thirds of the slots and one bit more in common each.
  func halves(where isWanted: (Entry) -> Bool) -> (wanted: TableSegment, others: TableSegment) {
    let least = capacity / 3 * 2
    return (
      TableSegment(entries, capacity: least, depth: depth &+ 1, where: isWanted),
      TableSegment(entries, capacity: least, depth: depth &+ 1) { !isWanted($0) }
    )
  }

  /// How many of the bits that choose a segment its entries have in common.
  var depth: Int { Int(depthBits) }
  /// How many slots there are.
  var capacity: Int { entries.count }
  /// Whether one more entry would make searches long.
  @inline(__always)
  var isFull: Bool { Int(used) >= TableSegment.room(in: entries.count) }
  /// Bytes beside the segment itself.
  var bytesInUse: Int { entries.capacity * MemoryLayout<Entry>.stride }

  /// The next larger capacity: twice as many slots for a table of one segment, then by a half and by a third in turn, so
  /// that little is free in tables of many.
  private static func capacity(after capacity: Int) -> Int {
    if capacity < splitCapacity / 3 * 2 { return max(leastCapacity, capacity &* 2) }
    return capacity & (capacity &- 1) == 0 ? capacity &+ capacity / 2 : (capacity / 3) &* 4
  }

  /// How many entries so many slots may hold: four fifths.
  ///
  /// With the steps above a large table is always more than half full.
  @inline(__always)
  private static func room(in capacity: Int) -> Int { capacity &- (capacity &+ 4) / 5 }

  /// The slot of the entry that fits, or the free one where it would go; there are slots.
  @inline(__always)
  private func search(_ hash: UInt32, _ fits: (Entry) -> Bool) -> (slot: Int, isThere: Bool) {
    var slot = home(of: hash)
    while true {
      let entry = entries[slot]
      if entry.isFree { return (slot, false) }
      if fits(entry) { return (slot, true) }
      slot = self.slot(after: slot)
    }
  }

  /// Adds an entry, for which there is room; false where one that fits is there.
  @inline(__always)
  mutating func insert(_ entry: Entry, unless fits: (Entry) -> Bool) -> Bool {
    let found = search(entry.hash, fits)
    if found.isThere { return false }
    entries[found.slot] = entry
    used &+= 1
    return true
  }

  /// The entry with this hash that fits.
  @inline(__always)
  func first(_ hash: UInt32, where fits: (Entry) -> Bool) -> Entry? {
    if used == 0 { return nil }
    let found = search(hash, fits)
    return found.isThere ? entries[found.slot] : nil
  }

  /// Takes the entry with this hash that fits out, if there is one.
  @inline(__always)
  mutating func remove(_ hash: UInt32, where fits: (Entry) -> Bool) {
    if used == 0 { return }
    let found = search(hash, fits)
    if found.isThere { remove(at: found.slot) }
  }

  /// Frees a slot and closes the gap, so that no search ever meets a tombstone.
  private mutating func remove(at slot: Int) {
    used &-= 1
    var gap = slot
    var next = self.slot(after: slot)
    while !entries[next].isFree {
      if steps(from: home(of: entries[next].hash), to: next) >= steps(from: gap, to: next) {
        entries[gap] = entries[next]
        gap = next
      }
      next = self.slot(after: next)
    }
    entries[gap] = .free
  }

  // MARK: Slots

  /// How many bits of a hash choose a slot; the others choose the segment.
  static var slotBits: Int { 16 }

  @inline(__always)
  private static func home(of hash: UInt32, among capacity: Int) -> Int {
    ((Int(hash) & ((1 << slotBits) &- 1)) &* capacity) >> slotBits
  }

  @inline(__always)
  private func home(of hash: UInt32) -> Int { TableSegment.home(of: hash, among: entries.count) }

  @inline(__always)
  private func slot(after slot: Int) -> Int { slot &+ 1 == entries.count ? 0 : slot &+ 1 }

  @inline(__always)
  private func steps(from one: Int, to other: Int) -> Int {
    other >= one ? other &- one : other &- one &+ entries.count
  }
}
