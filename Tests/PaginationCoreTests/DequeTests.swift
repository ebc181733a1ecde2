import Testing

@testable import PaginationCore

@Suite struct DequeTests {
  @Test(arguments: 0..<30)
  func anySeriesOfChangesAgreesWithAnArray(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var deque = Deque<Int>()
    var model: [Int] = []
    for step in 0..<2_000 {
      switch random.below(5 + seed % 3) {
      case 0:
        deque.append(step)
        model.append(step)
      case 1:
        deque.prepend(step)
        model.insert(step, at: 0)
      case 2:
        #expect(deque.removeFirst() == (model.isEmpty ? nil : model.removeFirst()))
      case 3:
        #expect(deque.removeLast() == model.popLast())
      default:
        guard !model.isEmpty else { continue }
        let index = Int(random.below(UInt64(model.count)))
        deque[index] = -step
        model[index] = -step
      }
      #expect(deque.count == model.count)
      #expect(deque.first == model.first)
      #expect(deque.last == model.last)
      if step % 50 == 0 { #expect((0..<deque.count).map { deque[$0] } == model) }
    }
  }

  @Test func anEmptyDequeGivesNothing() {
    var deque = Deque<Int>()
    #expect(deque.removeFirst() == nil)
    #expect(deque.removeLast() == nil)
    #expect(deque.first == nil)
    #expect(deque.last == nil)
    deque.prepend(1)
    #expect(deque.removeLast() == 1)
    #expect(deque.isEmpty)
    deque.append(2)
    #expect(deque.removeFirst() == 2)
    #expect(deque.isEmpty)
  }
}
