/// The positions of ids.
///
/// It holds positions only, as 32-bit distances from `base`; the ids to compare with are in a ``LoadedIDs``. These are far
/// away in memory, so there are 32 bits of each id beside its distance: a search for one that is not loaded, as for every
/// new item, ends without a look at another, and so does the growing of the table.
struct PositionTable {
  /// Bits of an id and, below these, the distance of its position, which is never 0.
  private struct Entry: TableEntry {
    let bits: UInt64

    @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    @inline(__always)
    init(_ hash: UInt32, distance: Int) { bits = UInt64(hash) << 32 | UInt64(UInt32(truncatingIfNeeded: distance)) }

    static var free: Entry { Entry(bits: 0) }
    @inline(__always)
    var isFree: Bool { bits == 0 }
    @inline(__always)
    var hash: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
    @inline(__always)
    var distance: Int { Int(UInt32(truncatingIfNeeded: bits)) }
  }

  private var table = SegmentedTable<Entry>()
  /// What distances count from.
  private let base: Int

  /// Makes an empty table for positions above `base`; without one it can hold none.
  init(base: Int = Int.max) { self.base = base }

  /// Bytes that the table takes.
  var bytesInUse: Int { table.bytesInUse }

  /// Whether a position is within reach of the base.
  @inline(__always)
  func canHold(_ position: Int) -> Bool { position > base && position &- base <= Int(UInt32.max) }

  /// The position of an id, nil where it is not in the table.
  func position(of id: Fingerprint, among ids: LoadedIDs) -> Int? {
    let hash = PositionTable.hash(of: id)
    let entry = table.first(hash) { $0.hash == hash && ids[base &+ $0.distance] == id }
    return entry.map { base &+ $0.distance }
  }

  /// Adds an id at a position that the table can hold; false where it is there already.
  mutating func insert(_ id: Fingerprint, at position: Int, among ids: LoadedIDs) -> Bool {
    let hash = PositionTable.hash(of: id)
    let base = base
    return table.insert(Entry(hash, distance: position &- base)) { $0.hash == hash && ids[base &+ $0.distance] == id }
  }

  /// Adds the ids of a page, which are in `ids` from a position on; the table can hold these.
  ///
  /// Returns how many were added or are none, up to one that is to be new and is there already.
  mutating func insert(
    _ page: [Fingerprint], at start: Int, among ids: LoadedIDs, where isToBeNew: (Fingerprint) -> Bool
  ) -> Int {
    let base = base
    let page = page.span
    var next = 0
    while true {
      next = table.insert(next..<page.count) { index in
        let id = page[index]
        return id.isNone ? .free : Entry(PositionTable.hash(of: id), distance: start &+ index &- base)
      } unless: {
        ids.areEqual(base &+ $0.distance, base &+ $1.distance)
      }
      if next == page.count || isToBeNew(page[next]) { return next }
      next &+= 1
    }
  }

  /// Takes an id out, if it is the one at this position that is in the table.
  ///
  /// Another item with the same id (dedupe is off) may be the one that is findable.
  mutating func remove(_ id: Fingerprint, at position: Int) {
    let gone = Entry(PositionTable.hash(of: id), distance: position &- base)
    table.remove(gone.hash) { $0.bits == gone.bits }
  }

  @inline(__always)
  private static func hash(of id: Fingerprint) -> UInt32 { UInt32(truncatingIfNeeded: id.low) }
}
