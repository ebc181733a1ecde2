/// A hash table that never has to be made anew as a whole, however large it gets.
///
/// It is an extendible one: entries are shared out among segments by some bits of their hashes, and a segment that is full
/// is split in two by one bit more. So an entry waits for some thousands of others to move at most, where a single table of
/// ten million would keep everybody waiting for a quarter of a second when it doubles.
struct SegmentedTable<Entry: TableEntry>: Sendable {
  /// All entries, until it is split.
  private var first = TableSegment<Entry>(depth: 0)
  /// The segments from then on.
  private var segments: [TableSegment<Entry>] = []
  /// Which segment an entry is in, by the bits that choose it; empty until there are segments.
  private var directory: [UInt32] = []

  private static var choiceBits: Int { 32 - TableSegment<Entry>.slotBits }

  /// Bytes that the table takes.
  var bytesInUse: Int {
    segments.reduce(first.bytesInUse + segments.capacity * MemoryLayout<TableSegment<Entry>>.stride) {
      $0 + $1.bytesInUse
    } + directory.capacity * MemoryLayout<UInt32>.stride
  }

  /// The entry with this hash that fits.
  @inline(__always)
  func first(_ hash: UInt32, where fits: (Entry) -> Bool) -> Entry? {
    if directory.isEmpty { return first.first(hash, where: fits) }
    return segments[segmentIndex(of: hash)].first(hash, where: fits)
  }

  /// Adds an entry; false, and nothing is changed, where one that fits is there already.
  @inline(__always)
  mutating func insert(_ entry: Entry, unless fits: (Entry) -> Bool) -> Bool {
    while directory.isEmpty {
      if !first.isFull { return first.insert(entry, unless: fits) }
      makeRoomInFirst(for: 1)
    }
    while true {
      let index = segmentIndex(of: entry.hash)
      if !segments[index].isFull { return segments[index].insert(entry, unless: fits) }
      makeRoom(for: entry.hash, in: index)
    }
  }

  /// Adds entries that are not free in turn, up to one of which the same is there already; returns its index.
  @inline(__always)
  mutating func insert(_ range: Range<Int>, _ entry: (Int) -> Entry, unless isSame: (Entry, Entry) -> Bool) -> Int {
    var index = range.lowerBound
    while directory.isEmpty {
      index = first.insert(index..<range.upperBound, entry, unless: isSame)
      if index == range.upperBound || !first.isFull { return index }
      makeRoomInFirst(for: range.upperBound &- index)
    }
    while true {
      guard
        let crowded = SegmentedTable.insert(
          &index, range.upperBound, entry, into: &segments, by: directory, unless: isSame)
      else { return index }
      makeRoom(for: entry(index).hash, in: crowded)
    }
  }

  /// Adds entries as long as none of them is there already, and returns the segment that has no room for the next.
  @inline(__always)
  private static func insert(
    _ index: inout Int, _ end: Int, _ entry: (Int) -> Entry, into segments: inout [TableSegment<Entry>],
    by directory: [UInt32], unless isSame: (Entry, Entry) -> Bool
  ) -> Int? {
    var segments = segments.mutableSpan
    let directory = directory.span
    var ahead = index
    while index < end {
      if index == ahead {
        ahead = min(end, index &+ TableSegment<Entry>.readAheadCount)
        var seen: UInt32 = 0
        for index in index..<ahead {
          let hash = entry(index).hash
          seen |= segments[Int(directory[choice(of: hash) & (directory.count &- 1)])].readAhead(for: hash)
        }
        segments[0].noteReadAhead(seen)
      }
      let entry = entry(index)
      if !entry.isFree {
        let segment = Int(directory[choice(of: entry.hash) & (directory.count &- 1)])
        if segments[segment].isFull { return segment }
        if !segments[segment].insert(entry, unless: { $0.hash == entry.hash && isSame($0, entry) }) { return nil }
      }
      index &+= 1
    }
    return nil
  }

  /// Takes the entry with this hash that fits out, if there is one.
  @inline(__always)
  mutating func remove(_ hash: UInt32, where fits: (Entry) -> Bool) {
    if directory.isEmpty {
      first.remove(hash, where: fits)
    } else {
      segments[segmentIndex(of: hash)].remove(hash, where: fits)
    }
  }

  // MARK: Segments

  @inline(__always)
  private static func choice(of hash: UInt32) -> Int { Int(hash) >> TableSegment<Entry>.slotBits }

  @inline(__always)
  private func segmentIndex(of hash: UInt32) -> Int {
    Int(directory[SegmentedTable.choice(of: hash) & (directory.count &- 1)])
  }

  @inline(never)
  private mutating func makeRoomInFirst(for count: Int) {
    if first.capacity < TableSegment<Entry>.splitCapacity {
      first = first.larger(by: min(count, TableSegment<Entry>.splitCount &- first.count))
    } else {
      segments = [first]
      directory = [0]
      first = TableSegment(depth: 0)
    }
  }

  @inline(never)
  private mutating func makeRoom(for hash: UInt32, in index: Int) {
    // Hashes drawn at random never need many more bits than there are segments. Where they are not, or there are no more
    // bits, the segment grows, so that the directory does not.
    let depth = segments[index].depth
    let isFarAhead = 1 << depth > 16 &* segments.count || depth >= SegmentedTable.choiceBits
    if segments[index].capacity < TableSegment<Entry>.splitCapacity || isFarAhead {
      segments[index] = segments[index].larger(by: 1)
    } else {
      split(index, holding: hash)
    }
  }

  private mutating func split(_ index: Int, holding hash: UInt32) {
    let bit = 1 << segments[index].depth
    let halves = segments[index].halves(by: UInt32(truncatingIfNeeded: bit << TableSegment<Entry>.slotBits))
    let added = UInt32(truncatingIfNeeded: segments.count)
    segments[index] = halves.unset
    segments.append(halves.set)
    if directory.count == bit { directory += directory }
    // The segment's places in the directory have the bits below in common; every second of them goes over.
    var place = SegmentedTable.choice(of: hash) & (bit &- 1) | bit
    while place < directory.count {
      directory[place] = added
      place &+= bit &* 2
    }
  }
}
