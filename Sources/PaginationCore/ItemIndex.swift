/// The ids of the items that are loaded, by position and by id, at some 26 bytes an item.
///
/// Positions are signed and what is loaded is contiguous, so ids lie in two growing stores (from 0 up and from -1 down).
/// The table holds positions only, as 32-bit distances from `base`; the ids to compare with are in the stores. These are
/// far away in memory, so the table also has some bits of each id: a search for one that is not loaded, as for every new
/// item, ends without a look at another.
struct ItemIndex {
  /// Loaded positions are `first..<end`.
  private(set) var first = 0
  private(set) var end = 0

  private var upward = ChunkedIDs()
  private var downward = ChunkedIDs()
  private var slots: [UInt32] = []
  /// Parallel to the slots, 0 where one is free.
  private var tags: [UInt8] = []
  private var used = 0
  /// What a slot's value counts from; chosen so that growth in both directions fits for a long time.
  private var base = 0

  var count: Int { end - first }
  var isEmpty: Bool { end == first }
  /// The position of the last item.
  ///
  /// Only meaningful while something is loaded.
  var last: Int { end - 1 }

  /// Bytes that the ids and the table take.
  var bytesInUse: Int { upward.bytesInUse + downward.bytesInUse + slots.capacity * 4 + tags.capacity }

  /// The most items that one session may hold: what the table's 32-bit distances can tell apart with room to move.
  static let maxItems = 1 << 30

  /// The id at a loaded position.
  func id(at position: Int) -> Fingerprint {
    position >= 0 ? upward[position] : downward[-1 &- position]
  }

  /// The position of an id, nil where it is not loaded.
  func position(of id: Fingerprint) -> Int? {
    if used == 0 || id.isNone { return nil }
    let found = search(id)
    return found.isThere ? base &+ Int(slots[found.slot]) : nil
  }

  func contains(_ id: Fingerprint) -> Bool { position(of: id) != nil }

  /// Makes room for the ids of a list's first page, and no more: many lists never get a second.
  mutating func reserve(_ count: Int) {
    if isEmpty, end >= 0 { upward.reserve(count, at: end) }
  }

  /// Adds the items of a page behind the last, and returns which are left out: with `dedupe`, those whose own id is there.
  mutating func append(_ ids: [Fingerprint], dedupe: Bool) -> [Int] {
    var dropping: [Int] = []
    for index in appendNew(ids, dedupe: dedupe)..<ids.count {
      let id = ids[index]
      if !append(id, unlessLoaded: dedupe && id.isItemID) { dropping.append(index) }
    }
    return dropping
  }

  /// Adds items as long as none is to be left out, and returns how many.
  ///
  /// That is nearly always all of them, so their ids are stored all at once.
  private mutating func appendNew(_ ids: [Fingerprint], dedupe: Bool) -> Int {
    guard end >= 0 else { return 0 }
    reserve(ids.count)
    upward.set(end, ids)
    let findable = ids.reduce(0) { $0 &+ ($1.isNone ? 0 : 1) }
    if findable > 0 { makeRoom(for: end &+ ids.count &- 1, ids: findable) }
    var added = 0
    for id in ids {
      if !id.isNone {
        let found = search(id)
        if !found.isThere {
          fill(found.slot, with: id, at: end &+ added)
        } else if dedupe && id.isItemID {
          break
        }
      }
      added &+= 1
    }
    end &+= added
    if added < ids.count { upward.truncate(to: end) }
    return added
  }

  /// Adds an item behind the last.
  ///
  /// Its id becomes findable unless another item already has it.
  mutating func append(_ id: Fingerprint) { _ = append(id, unlessLoaded: false) }

  /// Adds an item behind the last; false where it is not to be added twice and an item with its id is there.
  mutating func append(_ id: Fingerprint, unlessLoaded: Bool) -> Bool {
    let position = end
    if !id.isNone {
      makeRoom(for: position)
      let found = search(id)
      if !found.isThere {
        fill(found.slot, with: id, at: position)
      } else if unlessLoaded {
        return false
      }
    }
    store(id, at: position)
    end &+= 1
    return true
  }

  /// Adds an item before the first.
  mutating func prepend(_ id: Fingerprint) {
    let position = first &- 1
    if !id.isNone {
      makeRoom(for: position)
      let found = search(id)
      if !found.isThere { fill(found.slot, with: id, at: position) }
    }
    store(id, at: position)
    first = position
  }

  /// Takes away the items from the start up to, not including, `position`.
  mutating func dropStart(upTo position: Int) {
    while first < position {
      remove(at: first)
      first &+= 1
    }
    if first > 0 { upward.forget(below: first) }
    downward.truncate(to: max(0, -first))
  }

  /// Takes away the items from `position` to the end.
  mutating func dropEnd(from position: Int) {
    while end > position {
      end &-= 1
      remove(at: end)
    }
    upward.truncate(to: max(0, end))
    if end < 0 { downward.forget(below: -end) }
  }

  private mutating func store(_ id: Fingerprint, at position: Int) {
    if position >= 0 { upward.set(position, id) } else { downward.set(-1 &- position, id) }
  }

  // MARK: The table

  @inline(__always)
  private static func tag(of id: Fingerprint) -> UInt8 { UInt8(truncatingIfNeeded: id.low >> 56) | 0x80 }

  /// The slot that holds an id, or the free one where it would go; the table has free ones.
  @inline(__always)
  private func search(_ id: Fingerprint) -> (slot: Int, isThere: Bool) {
    let mask = tags.count &- 1
    let tag = ItemIndex.tag(of: id)
    var slot = Int(truncatingIfNeeded: id.low) & mask
    while true {
      let there = tags[slot]
      if there == 0 { return (slot, false) }
      if there == tag, self.id(at: base &+ Int(slots[slot])) == id { return (slot, true) }
      slot = (slot &+ 1) & mask
    }
  }

  @inline(__always)
  private mutating func fill(_ slot: Int, with id: Fingerprint, at position: Int) {
    tags[slot] = ItemIndex.tag(of: id)
    slots[slot] = UInt32(truncatingIfNeeded: position &- base)
    used &+= 1
  }

  /// Makes sure that so many more ids find slots, and their positions, up to or down to the given one, distances.
  @inline(__always)
  private mutating func makeRoom(for position: Int, ids: Int = 1) {
    if (used &+ ids) &* 4 > slots.count &* 3 || position &- base < 1 || position &- base > Int(UInt32.max) {
      rebuild(room: ids)
    }
  }

  /// Makes the table anew with room for more ids, counting from a base in the middle of it all.
  private mutating func rebuild(room: Int) {
    var capacity = 16
    while (used &+ room) &* 4 > capacity &* 3 { capacity &*= 2 }
    slots = [UInt32](repeating: 0, count: capacity)
    tags = [UInt8](repeating: 0, count: capacity)
    used = 0
    base = first &- ItemIndex.maxItems
    var position = first
    while position < end {
      let id = self.id(at: position)
      if !id.isNone {
        let found = search(id)
        if !found.isThere { fill(found.slot, with: id, at: position) }
      }
      position &+= 1
    }
  }

  /// Takes a position out of the table and closes the gap, so that no look-up ever meets a tombstone.
  private mutating func remove(at position: Int) {
    let id = self.id(at: position)
    if id.isNone || used == 0 { return }
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: id.low) & mask
    let wanted = UInt32(truncatingIfNeeded: position &- base)
    while tags[slot] == 0 || slots[slot] != wanted {
      // Another item with the same id (dedupe is off) may be the one that is findable.
      if tags[slot] == 0 { return }
      slot = (slot &+ 1) & mask
    }
    tags[slot] = 0
    used &-= 1
    var gap = slot
    var next = (slot &+ 1) & mask
    while tags[next] != 0 {
      let home = Int(truncatingIfNeeded: self.id(at: base &+ Int(slots[next])).low) & mask
      if (next &- home) & mask >= (next &- gap) & mask {
        slots[gap] = slots[next]
        tags[gap] = tags[next]
        tags[next] = 0
        gap = next
      }
      next = (next &+ 1) & mask
    }
  }
}

/// Ids by index from 0 up, in chunks, so that growing copies nothing and what is dropped gives its memory back.
private struct ChunkedIDs {
  private static let shift = 10
  private static let chunkCount = 1 << shift
  private var chunks: [[Fingerprint]] = []
  /// The lowest chunk that may hold something; those below are empty arrays.
  private var lowest = 0

  subscript(index: Int) -> Fingerprint {
    chunks[index >> ChunkedIDs.shift][index & (ChunkedIDs.chunkCount &- 1)]
  }

  mutating func set(_ index: Int, _ id: Fingerprint) {
    let chunk = index >> ChunkedIDs.shift
    let within = index & (ChunkedIDs.chunkCount &- 1)
    while chunks.count <= chunk { chunks.append([]) }
    if within == chunks[chunk].count {
      chunks[chunk].append(id)
    } else {
      if within > chunks[chunk].count {
        // A dropped side that opens again fills its chunk from the far end.
        let missing = ChunkedIDs.chunkCount &- chunks[chunk].count
        chunks[chunk].append(contentsOf: repeatElement(.none, count: missing))
      }
      chunks[chunk][within] = id
    }
    if chunk < lowest { lowest = chunk }
  }

  /// Sets the ids from an index on.
  mutating func set(_ index: Int, _ ids: [Fingerprint]) {
    var done = 0
    while done < ids.count {
      let start = index &+ done
      let chunk = start >> ChunkedIDs.shift
      let within = start & (ChunkedIDs.chunkCount &- 1)
      let count = min(ids.count &- done, ChunkedIDs.chunkCount &- within)
      while chunks.count <= chunk { chunks.append([]) }
      if within == chunks[chunk].count {
        if within &+ count > chunks[chunk].capacity {
          // Growing as arrays do it could leave a chunk with room that it never needs.
          chunks[chunk].reserveCapacity(min(ChunkedIDs.chunkCount, max(within &+ count, 2 &* within)))
        }
        chunks[chunk].append(contentsOf: ids[done..<done &+ count])
        lowest = min(lowest, chunk)
      } else {
        for at in 0..<count { set(start &+ at, ids[done &+ at]) }
      }
      done &+= count
    }
  }

  /// Makes room for ids from an index on that is the first of a chunk; elsewhere a chunk grows as it always does.
  mutating func reserve(_ count: Int, at index: Int) {
    guard index & (ChunkedIDs.chunkCount &- 1) == 0, index >> ChunkedIDs.shift == chunks.count else { return }
    chunks.append([])
    chunks[chunks.count &- 1].reserveCapacity(min(count, ChunkedIDs.chunkCount))
  }

  var bytesInUse: Int {
    chunks.reduce(chunks.capacity * MemoryLayout<[Fingerprint]>.stride) {
      $0 + $1.capacity * MemoryLayout<Fingerprint>.stride
    }
  }

  /// Frees the chunks that lie wholly below `index`.
  mutating func forget(below index: Int) {
    let keep = min(index >> ChunkedIDs.shift, chunks.count)
    while lowest < keep {
      chunks[lowest] = []
      lowest &+= 1
    }
  }

  /// Frees what lies at `count` and above.
  mutating func truncate(to count: Int) {
    let keep = (count &+ ChunkedIDs.chunkCount &- 1) >> ChunkedIDs.shift
    if chunks.count > keep {
      chunks.removeLast(chunks.count &- keep)
      lowest = min(lowest, keep)
    }
  }
}
