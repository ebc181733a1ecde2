import Testing

@testable import PaginationCore

/// The ids of the loaded items, against a model that is slow and plain.
@Suite struct ItemIndexTests {
  /// What the index must say, kept in an array.
  private struct Model {
    var ids: [Fingerprint] = []
    var first = 0
  }

  private static let all = Dictionary(uniqueKeysWithValues: (0..<400).map { (Probe.id($0), $0) })

  private func numbers(of ids: ArraySlice<Fingerprint>) -> [Int] { ids.compactMap { Self.all[$0] } }

  private func check(_ index: ItemIndex, _ model: Model, _ ids: Range<Int>) {
    #expect(index.count == model.ids.count)
    #expect(index.isEmpty == model.ids.isEmpty)
    guard !model.ids.isEmpty else { return }
    #expect(index.first == model.first)
    #expect(index.last == model.first + model.ids.count - 1)
    let wrong = model.ids.indices.filter { index.id(at: model.first + $0) != model.ids[$0] }
    #expect(wrong == [])
    var positions: [Fingerprint: Int] = [:]
    for (offset, id) in model.ids.enumerated() { positions[id] = model.first + offset }
    #expect(ids.filter { index.position(of: Probe.id($0)) != positions[Probe.id($0)] } == [])
  }

  /// Unique ids, as dedupe leaves them: whatever is appended, prepended and dropped, the index agrees with the model.
  @Test(arguments: 0..<20)
  func anySeriesOfChangesAgreesWithTheModel(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var index = ItemIndex()
    var model = Model()
    // A list that shrinks loses ids, which then may come again.
    var free = Array(0..<400)
    for step in 0..<300 {
      let amount = 1 + Int(random.below(seed % 4 == 0 ? 300 : 30))
      switch random.below(6) {
      case 0, 1:
        for _ in 0..<amount where !free.isEmpty {
          let number = free.remove(at: Int(random.below(UInt64(free.count))))
          index.append(Probe.id(number))
          model.ids.append(Probe.id(number))
        }
      case 2, 3:
        for _ in 0..<amount where !free.isEmpty {
          let number = free.remove(at: Int(random.below(UInt64(free.count))))
          index.prepend(Probe.id(number))
          model.ids.insert(Probe.id(number), at: 0)
          model.first -= 1
        }
      case 4:
        let gone = min(amount, max(0, model.ids.count - 1))
        index.dropStart(upTo: model.first + gone)
        let ids = model.ids.prefix(gone)
        model.ids.removeFirst(gone)
        model.first += gone
        free += numbers(of: ids)
      default:
        let gone = min(amount, max(0, model.ids.count - 1))
        index.dropEnd(from: model.first + model.ids.count - gone)
        let ids = model.ids.suffix(gone)
        model.ids.removeLast(gone)
        free += numbers(of: ids)
      }
      if step % 20 == 0 { check(index, model, 0..<400) }
    }
    check(index, model, 0..<400)
  }

  /// The window slides over many items: chunk after chunk is filled, freed and filled again from the far side.
  @Test(arguments: [true, false])
  func aWindowThatSlidesFarAndBackAgrees(upward: Bool) {
    var index = ItemIndex()
    for number in 0..<100 { index.append(Probe.id(number)) }
    let far = upward ? 5_000 : -5_000
    func slide(from: Int, to: Int) {
      for step in stride(from: from, through: to, by: from < to ? 1 : -1) {
        if from < to {
          index.append(Probe.id(step + 99))
          index.dropStart(upTo: step)
        } else {
          index.prepend(Probe.id(step))
          index.dropEnd(from: step + 100)
        }
        guard step % 97 == 0 else { continue }
        #expect(index.count == 100)
        for number in [step, step + 50, step + 99] {
          #expect(index.position(of: Probe.id(number)) == number)
          #expect(index.id(at: number) == Probe.id(number))
        }
        #expect(index.position(of: Probe.id(step - 1)) == nil)
        #expect(index.position(of: Probe.id(step + 100)) == nil)
      }
    }
    if upward {
      slide(from: 1, to: far)
      slide(from: far - 1, to: 0)
    } else {
      slide(from: -1, to: far)
      slide(from: far + 1, to: 0)
    }
    #expect(index.first == 0)
    #expect(index.last == 99)
  }

  @Test func itemsWithoutAnIdHaveAPositionAndAreNotFound() {
    var index = ItemIndex()
    for _ in 0..<50 { index.append(.none) }
    index.append(Probe.id(1))
    for _ in 0..<50 { index.prepend(.none) }
    #expect(index.count == 101)
    #expect(index.position(of: .none) == nil)
    #expect(index.position(of: Probe.id(1)) == 50)
    #expect(index.id(at: -50).isNone)
    index.dropStart(upTo: 10)
    #expect(index.position(of: Probe.id(1)) == 50)
    index.dropEnd(from: 50)
    #expect(index.position(of: Probe.id(1)) == nil)
  }

  @Test func ofItemsWithOneIdTheFirstThatCameIsFound() {
    var index = ItemIndex()
    index.append(Probe.id(7))
    index.append(Probe.id(7))
    index.append(Probe.id(8))
    #expect(index.position(of: Probe.id(7)) == 0)
    index.dropEnd(from: 1)
    #expect(index.position(of: Probe.id(7)) == 0)
  }

  /// Ids whose digests differ in their low bits least of all: long probe chains, and gaps that must be closed.
  @Test func idsThatCollideInTheTableAreKeptApart() {
    var index = ItemIndex()
    let ids = (0..<200).map { Fingerprint(high: UInt64($0) << 1 | 1, low: UInt64($0 % 3) &+ 1) }
    for id in ids { index.append(id) }
    for (position, id) in ids.enumerated() { #expect(index.position(of: id) == position) }
    index.dropStart(upTo: 77)
    for (position, id) in ids.enumerated() { #expect(index.position(of: id) == (position < 77 ? nil : position)) }
    index.dropEnd(from: 140)
    for (position, id) in ids.enumerated() {
      #expect(index.position(of: id) == (position < 77 || position >= 140 ? nil : position))
    }
  }

  /// So many ids that the table's segments are split again and again, on the way up and after items have gone.
  @Test func manyIdsAreFoundWhileTheTableGrowsAndAfterItemsHaveGone() {
    var index = ItemIndex()
    let many = 40_000
    for number in 0..<many {
      index.append(Probe.id(number))
      if number % 3 == 0 { index.prepend(Probe.id(many + number)) }
    }
    let wasAdded = index.append(Probe.id(17), unlessLoaded: true)
    #expect(!wasAdded)
    let all = (0..<many).map { ($0, $0) } + stride(from: 0, to: many, by: 3).map { (many + $0, -1 - $0 / 3) }
    #expect(all.filter { index.position(of: Probe.id($0.0)) != $0.1 }.isEmpty)
    index.dropStart(upTo: 9_000)
    index.dropEnd(from: 30_000)
    #expect(all.filter { index.position(of: Probe.id($0.0)) != (9_000..<30_000 ~= $0.1 ? $0.1 : nil) }.isEmpty)
    for number in 30_000..<many { index.append(Probe.id(number)) }
    #expect(all.filter { index.position(of: Probe.id($0.0)) != (9_000..<many ~= $0.1 ? $0.1 : nil) }.isEmpty)
  }

  /// Ids that no bits can share out make one segment large, not the directory.
  @Test func idsThatAgreeInAllBitsThatChooseASegmentAreFound() {
    var index = ItemIndex()
    let ids = (0..<5_000).map { Fingerprint(high: UInt64($0) << 1 | 1, low: UInt64($0 % 512) &+ 512) }
    for id in ids { index.append(id) }
    #expect(ids.indices.filter { index.position(of: ids[$0]) != $0 }.isEmpty)
    #expect(index.bytesInUse < 64 * ids.count)
  }

  /// Memory is reported, not judged: the bound of 32 bytes an item is measured on ten million items by the benchmarks.
  @Test func bytesAnItem() {
    var index = ItemIndex()
    for number in 0..<100_000 { index.append(Probe.id(number)) }
    let bytes = Double(index.bytesInUse) / 100_000
    print("ItemIndex: \(bytes) bytes an item at 100,000 items")
    #expect(index.count == 100_000)
  }
}
