import TestSupport
import Testing

@testable import PagewireServer

@Suite struct TimerQueueTests {
  @Test func theEarliestIsNext() {
    var queue = TimerQueue()
    #expect(queue.nextDue == nil)
    queue.set(3, due: 30)
    queue.set(1, due: 10)
    queue.set(2, due: 20)
    #expect(queue.nextDue == 10)
    #expect(queue.pop(dueBy: 9) == nil)
    #expect(queue.pop(dueBy: 25) == 1)
    #expect(queue.pop(dueBy: 25) == 2)
    #expect(queue.pop(dueBy: 25) == nil)
    #expect(queue.nextDue == 30)
  }

  @Test func aSessionHasOneEntry() {
    var queue = TimerQueue()
    for due in [50, 20, 90] { queue.set(0, due: due) }
    #expect(queue.count == 1)
    #expect(queue.nextDue == 90)
    queue.set(0, due: nil)
    queue.set(0, due: nil)
    #expect(queue.nextDue == nil)
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func agreesWithAListThatIsSearched(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var queue = TimerQueue()
    var model: [Int: Int] = [:]
    for _ in 0..<400 {
      let slot = random.below(12)
      switch random.below(4) {
      case 0:
        queue.set(slot, due: nil)
        model[slot] = nil
      case 1:
        let now = random.below(100)
        let first = model.values.min()
        let popped = queue.pop(dueBy: now)
        if let first, first <= now {
          #expect(popped.flatMap { model[$0] } == first, "seed \(seed)")
        } else {
          #expect(popped == nil, "seed \(seed)")
        }
        if let popped { model[popped] = nil }
      default:
        let due = random.below(100)
        queue.set(slot, due: due)
        model[slot] = due
      }
      #expect(queue.nextDue == model.values.min(), "seed \(seed)")
      #expect(queue.count == model.count, "seed \(seed)")
    }
  }
}
