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
  /// How many entries there are then.
  static var splitCount: Int { room(in: splitCapacity) }

  private var entries: [Entry]
  /// How many more entries it takes before searches become long.
  private(set) var room: UInt32
  private let depthBits: UInt8
  /// What slots that were read ahead held: nothing depends on it, which the compiler must not know.
  private var readAhead: UInt8 = 0

  /// Makes a segment without entries or room for any.
  init(depth: Int) { self.init(capacity: 0, depth: depth) }

  private init(capacity: Int, depth: Int) {
    entries = [Entry](repeating: .free, count: capacity)
    room = UInt32(truncatingIfNeeded: TableSegment.room(in: capacity))
    depthBits = UInt8(truncatingIfNeeded: depth)
  }

  /// The same with so many more slots that there is room for `count` more entries.
  func larger(by count: Int) -> TableSegment {
    let needed = self.count &+ count
    var capacity = capacity
    repeat { capacity = TableSegment.capacity(after: capacity) } while TableSegment.room(in: capacity) < needed
    var larger = TableSegment(capacity: capacity, depth: depth)
    let all = dealt(by: 0)
    larger.fill(with: all.list.span, from: 0, step: 1, count: all.unset)
    return larger
  }

  /// The entries without a bit in their hashes, and those with it, with two thirds of the slots and one bit more in common
  /// each.
  func halves(by bit: UInt32) -> (unset: TableSegment, set: TableSegment) {
    var unset = TableSegment(capacity: capacity / 3 * 2, depth: depth &+ 1)
    var set = unset
    let all = dealt(by: bit)
    unset.fill(with: all.list.span, from: 0, step: 1, count: all.unset)
    set.fill(with: all.list.span, from: count, step: -1, count: count &- all.unset)
    return (unset, set)
  }

  /// The entries in the order of their slots: those without a bit in their hashes from the front, the others from the back.
  ///
  /// Which way an entry goes nobody can predict, so no branch depends on it. A place between the two takes what is free.
  private func dealt(by bit: UInt32) -> (list: [Entry], unset: Int) {
    var list = [Entry](repeating: .free, count: count &+ 1)
    var places = list.mutableSpan
    var front = 0
    var back = count
    let shift = UInt32(truncatingIfNeeded: bit.trailingZeroBitCount)
    for entry in entries {
      let isTaken = entry.isFree ? 0 : 1
      let isSet = Int((entry.hash & bit) &>> shift)
      places[front ^ ((front ^ back) & (0 &- isSet))] = entry
      front &+= isTaken &- isSet
      back &-= isSet
    }
    return (list, front)
  }

  /// Puts entries that differ, nearly in the order of their homes, into a segment that has none.
  private mutating func fill(with list: Span<Entry>, from first: Int, step: Int, count: Int) {
    // Hashes that are not as if drawn at random.
    if count > room { self = larger(by: count) }
    room &-= UInt32(truncatingIfNeeded: count)
    var slots = entries.mutableSpan
    let capacity = slots.count
    // The slots from `run` up to `next` are taken, so that a search from a home among them can begin behind them: nearly
    // always at a free slot.
    var run = 0
    var next = 0
    var place = first
    for _ in 0..<count {
      let entry = list[place]
      let home = TableSegment.home(of: entry.hash, among: capacity)
      var slot = home >= run ? min(max(home, next), capacity &- 1) : home
      while !slots[slot].isFree { slot = slot &+ 1 == capacity ? 0 : slot &+ 1 }
      slots[slot] = entry
      run = slot > next ? slot : run
      next = max(next, slot &+ 1)
      place &+= step
    }
  }

  /// How many of the bits that choose a segment its entries have in common.
  var depth: Int { Int(depthBits) }
  /// How many slots there are.
  var capacity: Int { entries.count }
  /// How many entries there are.
  var count: Int { TableSegment.room(in: capacity) &- Int(room) }
  /// Whether one more entry would make searches long.
  @inline(__always)
  var isFull: Bool { room == 0 }
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
    room &-= 1
    return true
  }

  /// Adds entries that are not free in turn, and returns the index of the first that was not added: the same is there, or
  /// there is no more room.
  @inline(__always)
  mutating func insert(_ range: Range<Int>, _ entry: (Int) -> Entry, unless isSame: (Entry, Entry) -> Bool) -> Int {
    // Kept out of memory while slots are written.
    var room = room
    var seen: UInt32 = 0
    defer {
      self.room = room
      noteReadAhead(seen)
    }
    return TableSegment.insert(range, entry, into: &entries, &room, &seen, unless: isSame)
  }

  @inline(__always)
  private static func insert(
    _ range: Range<Int>, _ entry: (Int) -> Entry, into entries: inout [Entry], _ room: inout UInt32,
    _ seen: inout UInt32, unless isSame: (Entry, Entry) -> Bool
  ) -> Int {
    var slots = entries.mutableSpan
    let capacity = slots.count
    var index = range.lowerBound
    var ahead = index
    while index < range.upperBound {
      if index == ahead, capacity > 0 {
        ahead = min(range.upperBound, index &+ readAheadCount)
        for index in index..<ahead { seen |= slots[home(of: entry(index).hash, among: capacity)].hash }
      }
      let entry = entry(index)
      if !entry.isFree {
        if room == 0 { return index }
        var slot = home(of: entry.hash, among: capacity)
        while true {
          let other = slots[slot]
          if other.isFree { break }
          if other.hash == entry.hash, isSame(other, entry) { return index }
          slot = slot &+ 1 == capacity ? 0 : slot &+ 1
        }
        slots[slot] = entry
        room &-= 1
      }
      index &+= 1
    }
    return index
  }

  /// How many searches begin at once, as far as memory is concerned: each slot is likely to be far away, and the processor
  /// waits for all that are read before anything depends on them together.
  static var readAheadCount: Int { 16 }

  /// Reads the slot in which a search for a hash begins; there are slots.
  @inline(__always)
  func readAhead(for hash: UInt32) -> UInt32 { entries[home(of: hash)].hash }

  /// Keeps a trace of what was read ahead, so that the compiler does not leave the reading out.
  @inline(__always)
  mutating func noteReadAhead(_ seen: UInt32) { readAhead = UInt8(truncatingIfNeeded: seen) }

  /// The entry with this hash that fits.
  @inline(__always)
  func first(_ hash: UInt32, where fits: (Entry) -> Bool) -> Entry? {
    if entries.isEmpty { return nil }
    let found = search(hash, fits)
    return found.isThere ? entries[found.slot] : nil
  }

  /// Takes the entry with this hash that fits out, if there is one.
  @inline(__always)
  mutating func remove(_ hash: UInt32, where fits: (Entry) -> Bool) {
    if entries.isEmpty { return }
    let found = search(hash, fits)
    if found.isThere { remove(at: found.slot) }
  }

  /// Frees a slot and closes the gap, so that no search ever meets a tombstone.
  private mutating func remove(at slot: Int) {
    room &+= 1
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
