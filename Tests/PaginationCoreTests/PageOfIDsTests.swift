import Testing

@testable import PaginationCore

/// Pages that are added at once, against the same ids added one by one.
@Suite struct PageOfIDsTests {
  /// Where the ids of a page come from.
  enum Kind: CaseIterable {
    /// All are new, as nearly always.
    case new
    /// Some are loaded already, or twice in the page.
    case repeated
    /// Their hashes are few, and what a search meets on its way is another id with the same hash.
    case crowded
    /// All fall into the last slots, so that searches go on at the first.
    case last
  }

  private func id(_ kind: Kind, _ number: Int, _ random: inout SplitMix) -> Fingerprint {
    if random.below(50) == 0 { return .none }
    // Every tenth id is a source's key, which is never left out.
    let domain: UInt64 = number % 10 == 0 ? 0 : 1
    let high = UInt64(number) << 1 | domain
    switch kind {
    case .new: return Fingerprint(high: high, low: random.next() | 1 << 40)
    case .repeated:
      var own = SplitMix(seed: UInt64(number))
      return Fingerprint(high: high, low: own.next() | 1 << 40)
    case .crowded: return Fingerprint(high: high, low: UInt64(number % 37) << 11 | 1 << 40)
    case .last: return Fingerprint(high: high, low: 0xFFFF - UInt64(number % 3) | 1 << 40)
    }
  }

  private func number(_ kind: Kind, _ random: inout SplitMix, _ next: inout Int) -> Int {
    next += 1
    // Now and then a page repeats something.
    switch kind {
    case .new: return next
    case .repeated: return random.below(400) == 0 ? Int(random.below(UInt64(next))) : next
    case .crowded, .last: return Int(random.below(4_000))
    }
  }

  @Test(arguments: Kind.allCases, [true, false])
  func aPageIsAddedAsItsItemsAreOneByOne(kind: Kind, dedupe: Bool) {
    for seed: UInt64 in 0..<6 {
      var random = SplitMix(seed: seed)
      var atOnce = ItemIndex()
      var oneByOne = ItemIndex()
      var all: [Fingerprint] = []
      var next = 0
      // Some lists only fill their first segment, others split it again and again.
      let size: UInt64 = kind == .new || kind == .repeated ? [1, 40, 900, 4_000, 9_000, 9][Int(seed)] : 300
      for _ in 0..<12 {
        let page = (0..<Int(random.below(size + 1))).map { _ in
          let number = number(kind, &random, &next)
          return id(kind, number, &random)
        }
        all += page
        let dropping = atOnce.append(page, dedupe: dedupe)
        let expected = page.indices.filter { !oneByOne.append(page[$0], unlessLoaded: dedupe && page[$0].isItemID) }
        #expect(dropping == expected)
        #expect(atOnce.end == oneByOne.end)
        if random.below(3) == 0 {
          let start = atOnce.first + Int(random.below(UInt64(atOnce.count / 4 + 1)))
          atOnce.dropStart(upTo: start)
          oneByOne.dropStart(upTo: start)
        }
      }
      let loaded = oneByOne.first..<oneByOne.end
      #expect(loaded.filter { atOnce.id(at: $0) != oneByOne.id(at: $0) } == [])
      #expect(all.indices.filter { atOnce.position(of: all[$0]) != oneByOne.position(of: all[$0]) } == [])
    }
  }

  /// A page before the list is added whole or not at all, with ids that are loaded, repeated, missing or equal in hash.
  @Test(arguments: Kind.allCases)
  func aPageIsPutBeforeTheListAsItsItemsAreOneByOne(kind: Kind) {
    for seed: UInt64 in 0..<20 {
      var random = SplitMix(seed: seed)
      var atOnce = ItemIndex()
      var oneByOne = ItemIndex()
      var all: [Fingerprint] = []
      var next = 0
      for _ in 0..<12 {
        let size = [3, 30, kind == .new || kind == .repeated ? 2_500 : 300][Int(random.below(3))]
        let page = (0..<Int(random.below(UInt64(size)))).map { _ in
          let number = number(kind, &random, &next)
          return id(kind, number, &random)
        }
        all += page
        // Lists that have lost their start, so that pages come back where others were.
        if random.below(4) == 0 {
          atOnce.dropStart(upTo: atOnce.first + atOnce.count / 2)
          oneByOne.dropStart(upTo: oneByOne.first + oneByOne.count / 2)
        }
        let own = page.filter { !$0.isNone }
        let isNew = Set(own).count == own.count && own.allSatisfy { !oneByOne.contains($0) }
        let wasAdded = atOnce.prependNew(page)
        #expect(wasAdded == isNew)
        if isNew {
          for id in page.reversed() { oneByOne.prepend(id) }
        } else {
          // What is added next finds nothing of a page that was not.
          _ = atOnce.append(page, dedupe: true)
          _ = oneByOne.append(page, dedupe: true)
        }
        #expect(atOnce.first..<atOnce.end == oneByOne.first..<oneByOne.end)
        #expect((oneByOne.first..<oneByOne.end).filter { atOnce.id(at: $0) != oneByOne.id(at: $0) } == [])
        #expect(all.indices.filter { atOnce.position(of: all[$0]) != oneByOne.position(of: all[$0]) } == [])
      }
    }
  }

  /// A table that is filled by large pages has as many slots as one that is filled item by item.
  @Test(arguments: [1, 12, 13, 1_000, 19_660, 19_661, 40_000])
  func roomIsMadeForAWholePageAtOnceAndNotForMore(count: Int) {
    var atOnce = PositionTable(base: -1)
    var oneByOne = PositionTable(base: -1)
    var ids = LoadedIDs()
    let page = (0..<count).map { Probe.id($0) }
    ids.set(0, page)
    let added = atOnce.insert(page, at: 0, among: ids) { _ in true }
    #expect(added == count)
    for (position, id) in page.enumerated() { _ = oneByOne.insert(id, at: position, among: ids) }
    // An array of segments may have room for two more.
    #expect(atOnce.bytesInUse <= oneByOne.bytesInUse + 32)
    #expect(page.indices.filter { atOnce.position(of: page[$0], among: ids) != $0 } == [])
  }
}
