/// Fingerprints that have been seen, without hashing once more what is a hash already.
struct FingerprintSet {
  private struct Entry: TableEntry {
    var key = Fingerprint.none

    static var free: Entry { Entry() }
    @inline(__always)
    var isFree: Bool { key.isNone }
    @inline(__always)
    var hash: UInt32 { UInt32(truncatingIfNeeded: key.low) }
  }

  private var table = SegmentedTable<Entry>()

  /// Adds a fingerprint; false where it is there already.
  mutating func insert(_ key: Fingerprint) -> Bool { table.insert(Entry(key: key)) { $0.key == key } }
}
