import Testing

@testable import PaginationCore

/// Ids whose low bits and tags are few, so that searches run over each other's slots all the time.
private func crowdedID(_ number: Int) -> Fingerprint {
  let home = UInt64(number % 7)
  let tag = UInt64(number % 3) << 56
  return Fingerprint(high: UInt64(number) << 1 | 1, low: tag | UInt64(number / 21) << 20 | home | 1 << 40)
}

@Test func idsThatCrowdTheTableAreFoundThroughAllChanges() {
  var random = SplitMix(seed: 11)
  for _ in 0..<40 {
    var index = ItemIndex()
    var model: [Fingerprint: Int] = [:]
    var ids: [Int: Fingerprint] = [:]
    for _ in 0..<400 {
      let id = crowdedID(Int(random.next() % 300))
      switch random.next() % 8 {
      case 0, 1, 2, 3:
        let isNew = model[id] == nil
        let wasAdded = index.append(id, unlessLoaded: true)
        #expect(wasAdded == isNew)
        if isNew {
          model[id] = index.end - 1
          ids[index.end - 1] = id
        }
      case 4, 5:
        if model[id] != nil { continue }
        index.prepend(id)
        model[id] = index.first
        ids[index.first] = id
      case 6:
        let keep = min(index.end, index.first + Int(random.next() % 9))
        for position in index.first..<keep { if let gone = ids.removeValue(forKey: position) { model[gone] = nil } }
        index.dropStart(upTo: keep)
      default:
        let keep = max(index.first, index.end - Int(random.next() % 9))
        for position in keep..<index.end { if let gone = ids.removeValue(forKey: position) { model[gone] = nil } }
        index.dropEnd(from: keep)
      }
      #expect(index.count == model.count)
    }
    for number in 0..<300 { #expect(index.position(of: crowdedID(number)) == model[crowdedID(number)]) }
    for (position, id) in ids { #expect(index.id(at: position) == id) }
  }
}

@Test func itemsWithoutAnIDTakeNoRoomInTheTable() {
  var index = ItemIndex()
  for _ in 0..<100 { _ = index.append(.none, unlessLoaded: true) }
  #expect(index.count == 100)
  #expect(index.position(of: .none) == nil)
  index.append(crowdedID(1))
  #expect(index.position(of: crowdedID(1)) == 100)
}

@Test func withoutDedupeTheFirstOfEqualIDsIsFoundUntilItIsDropped() {
  var index = ItemIndex()
  for _ in 0..<3 { index.append(crowdedID(5)) }
  #expect(index.count == 3)
  #expect(index.position(of: crowdedID(5)) == 0)
}
