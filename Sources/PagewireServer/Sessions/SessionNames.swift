import JSONText

/// Finds the slot of a session by its name.
///
/// A keyed hash says where to look, so that nobody can make up names that collide; the names themselves decide. They lie
/// close together, one behind the other: with many sessions a look-up takes as long as it takes to fetch what it looks at.
struct SessionNames {
  private struct Entry {
    var hash: UInt32 = 0
    /// The session's slot; negative in a free entry.
    var slot: Int32 = -1
    /// Where the name stands in `texts`.
    var start = 0
    var count = 0

    var isFree: Bool { slot < 0 }
  }

  private let key: (UInt64, UInt64)
  private var entries = [Entry](repeating: Entry(), count: 16)
  private var used = 0
  /// The names, with those that were taken out among them until they are half of all.
  private var texts: [UInt8] = []
  private var unusedBytes = 0

  /// Makes an empty table; the key is random.
  init(key: (UInt64, UInt64)) {
    self.key = key
  }

  /// The slot of the session whose name is the bytes of `name`, decoded if they are a JSON string's.
  @inline(__always)
  func slot(_ bytes: Span<UInt8>, _ name: JSONSlice) -> Int? {
    let entry = entries[find(bytes, name, hash(bytes, name))]
    return entry.isFree ? nil : Int(entry.slot)
  }

  /// Adds a name that is not there.
  mutating func insert(_ name: Span<UInt8>, slot: Int) {
    if (used &+ 1) &* 4 > entries.count &* 3 { rebuild(entries.count &* 2) }
    let whole = JSONSlice(start: 0, end: name.count)
    let hash = hash(name, whole)
    entries[find(name, whole, hash)] = Entry(
      hash: Self.tag(hash), slot: Int32(truncatingIfNeeded: slot), start: texts.count, count: name.count)
    name.withUnsafeBufferPointer { texts.append(contentsOf: $0) }
    used &+= 1
  }

  /// Takes a name out and closes the gap behind it.
  mutating func remove(_ name: Span<UInt8>) {
    let whole = JSONSlice(start: 0, end: name.count)
    var gap = find(name, whole, hash(name, whole))
    if entries[gap].isFree { return }
    entries[gap] = Entry()
    used &-= 1
    unusedBytes &+= name.count
    let mask = entries.count &- 1
    var next = (gap &+ 1) & mask
    while !entries[next].isFree {
      let home = home(of: entries[next])
      if (next &- home) & mask >= (next &- gap) & mask {
        entries[gap] = entries[next]
        entries[next] = Entry()
        gap = next
      }
      next = (next &+ 1) & mask
    }
    if unusedBytes > texts.count / 2 { rebuild(entries.count) }
  }

  /// Makes the table anew, with the names that are in use.
  private mutating func rebuild(_ size: Int) {
    let old = (entries: entries, texts: texts)
    entries = [Entry](repeating: Entry(), count: size)
    texts = []
    texts.reserveCapacity(old.texts.count &- unusedBytes)
    used = 0
    unusedBytes = 0
    for entry in old.entries where !entry.isFree {
      insert(old.texts.span.extracting(entry.start..<entry.start &+ entry.count), slot: Int(entry.slot))
    }
  }

  // MARK: Looking

  /// The entry that holds a name, or the free one where it would go.
  @inline(__always)
  private func find(_ bytes: Span<UInt8>, _ name: JSONSlice, _ hash: UInt64) -> Int {
    let mask = entries.count &- 1
    let tag = Self.tag(hash)
    var index = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = entries[index]
      if entry.isFree || entry.hash == tag && entry.count == name.count && isEqual(bytes, name, entry.start) {
        return index
      }
      index = (index &+ 1) & mask
    }
  }

  private func home(of entry: Entry) -> Int {
    let name = JSONSlice(start: entry.start, end: entry.start &+ entry.count)
    return Int(truncatingIfNeeded: hash(texts.span, name)) & (entries.count &- 1)
  }

  /// Whether the name is the one of the same length that stands at `start` in `texts`.
  @inline(__always)
  private func isEqual(_ bytes: Span<UInt8>, _ name: JSONSlice, _ start: Int) -> Bool {
    let text = texts.span
    let distance = start &- name.start
    var i = name.start
    while i &+ 8 <= name.end {
      if bytes.word64(at: i) != text.word64(at: i &+ distance) { return false }
      i &+= 8
    }
    if i < name.end, name.count >= 8 {
      return bytes.word64(at: name.end &- 8) == text.word64(at: name.end &- 8 &+ distance)
    }
    while i < name.end {
      if bytes[i] != text[i &+ distance] { return false }
      i &+= 1
    }
    return true
  }

  // MARK: Hashing

  /// The bits of a hash that an entry keeps; others than those that say where it goes.
  @inline(__always)
  private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 32) }

  /// Sixteen bytes a step, multiplied with the state so far; the last step takes the last sixteen bytes, or all of less.
  @inline(__always)
  private func hash(_ bytes: Span<UInt8>, _ name: JSONSlice) -> UInt64 {
    var state = key.0 ^ UInt64(truncatingIfNeeded: name.count)
    var i = name.start
    while i &+ 16 < name.end {
      state = Self.mix(bytes.word64(at: i) ^ key.1, bytes.word64(at: i &+ 8) ^ state)
      i &+= 16
    }
    var first: UInt64 = 0
    var second: UInt64 = 0
    if name.count >= 16 {
      first = bytes.word64(at: name.end &- 16)
      second = bytes.word64(at: name.end &- 8)
    } else {
      while i < name.end {
        second = second &<< 8 | first &>> 56
        first = first &<< 8 | UInt64(bytes[i])
        i &+= 1
      }
    }
    return Self.mix(first ^ key.1, second ^ state)
  }

  /// Both halves of a product.
  @inline(__always)
  private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
