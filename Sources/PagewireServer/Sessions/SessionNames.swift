import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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

  /// The slot of the session with this name, the characters of a JSON string.
  @inline(__always)
  func slot(_ name: Span<UInt8>) -> Int? {
    let entry = entries[find(name, hash(name))]
    return entry.isFree ? nil : Int(entry.slot)
  }

  /// Adds a name that is not there.
  mutating func insert(_ name: Span<UInt8>, slot: Int) {
    if (used &+ 1) &* 4 > entries.count &* 3 { rebuild(entries.count &* 2) }
    let hash = hash(name)
    entries[find(name, hash)] = Entry(
      hash: Self.tag(hash), slot: Int32(truncatingIfNeeded: slot), start: texts.count, count: name.count)
    name.withUnsafeBufferPointer { texts.append(contentsOf: $0) }
    used &+= 1
  }

  /// Takes a name out and closes the gap behind it.
  mutating func remove(_ name: Span<UInt8>) {
    var gap = find(name, hash(name))
    if entries[gap].isFree { return }
    entries[gap] = Entry()
    used &-= 1
    unusedBytes &+= name.count
    let mask = entries.count &- 1
    var next = (gap &+ 1) & mask
    while !entries[next].isFree {
      let entry = entries[next]
      let home =
        Int(truncatingIfNeeded: hash(texts.span.extracting(entry.start..<entry.start &+ entry.count))) & mask
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
    let old = self
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
  private func find(_ name: Span<UInt8>, _ hash: UInt64) -> Int {
    let mask = entries.count &- 1
    let tag = Self.tag(hash)
    var index = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = entries[index]
      if entry.isFree || entry.hash == tag && entry.count == name.count && isEqual(name, entry) { return index }
      index = (index &+ 1) & mask
    }
  }

  /// Whether an entry's name, which has the same length, is this one.
  @inline(__always)
  private func isEqual(_ name: Span<UInt8>, _ entry: Entry) -> Bool {
    texts.span.extracting(entry.start..<entry.start &+ entry.count).withUnsafeBytes { text in
      name.withUnsafeBytes { name in
        guard let one = text.baseAddress, let other = name.baseAddress else { return true }
        return memcmp(one, other, text.count) == 0
      }
    }
  }

  // MARK: Hashing

  /// The bits of a hash that an entry keeps; others than those that say where it goes.
  @inline(__always)
  private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 32) }

  /// Sixteen bytes a step, multiplied with the state so far; the last step takes the last sixteen bytes, or all of less.
  @inline(__always)
  private func hash(_ name: Span<UInt8>) -> UInt64 {
    var state = key.0 ^ UInt64(truncatingIfNeeded: name.count)
    var first: UInt64 = 0
    var second: UInt64 = 0
    if name.count >= 16 {
      let last = name.count &- 16
      var i = 0
      while i < last {
        state = Self.mix(name.word64(at: i) ^ key.1, name.word64(at: i &+ 8) ^ state)
        i &+= 16
      }
      first = name.word64(at: last)
      second = name.word64(at: last &+ 8)
    } else {
      for i in 0..<name.count {
        second = second &<< 8 | first &>> 56
        first = first &<< 8 | UInt64(name[i])
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
