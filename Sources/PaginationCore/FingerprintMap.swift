/// A table from fingerprints to small numbers, without hashing once more what is a hash already.
public struct FingerprintMap: Sendable {
  private struct Slot {
    var key = Fingerprint.none
    var value = 0
  }

  private var slots: [Slot] = []
  private var used = 0

  /// Makes an empty table.
  public init() {}

  /// How many fingerprints are in the table.
  public var count: Int { used }

  /// The number of a fingerprint; nil takes it out.
  public subscript(key: Fingerprint) -> Int? {
    get {
      if used == 0 { return nil }
      let slot = find(key)
      return slots[slot].key == key ? slots[slot].value : nil
    }
    set {
      guard let newValue else {
        remove(key)
        return
      }
      if (used &+ 1) &* 4 > slots.count &* 3 { grow() }
      let slot = find(key)
      if slots[slot].key.isNone { used &+= 1 }
      slots[slot] = Slot(key: key, value: newValue)
    }
  }

  /// The slot that holds a fingerprint, or the free one where it would go.
  @inline(__always)
  private func find(_ key: Fingerprint) -> Int {
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: key.low) & mask
    while !slots[slot].key.isNone && slots[slot].key != key { slot = (slot &+ 1) & mask }
    return slot
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: max(16, old.count &* 2))
    for entry in old where !entry.key.isNone { slots[find(entry.key)] = entry }
  }

  /// Takes a fingerprint out and closes the gap behind it.
  private mutating func remove(_ key: Fingerprint) {
    if used == 0 { return }
    var gap = find(key)
    if slots[gap].key != key { return }
    let mask = slots.count &- 1
    slots[gap] = Slot()
    used &-= 1
    var next = (gap &+ 1) & mask
    while !slots[next].key.isNone {
      let home = Int(truncatingIfNeeded: slots[next].key.low) & mask
      if (next &- home) & mask >= (next &- gap) & mask {
        slots[gap] = slots[next]
        slots[next] = Slot()
        gap = next
      }
      next = (next &+ 1) & mask
    }
  }
}
