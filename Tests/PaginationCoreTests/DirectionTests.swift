import Testing

@testable import PaginationCore

/// Both edges load on their own, one load each, and their answers may come in any order.
@Suite struct DirectionTests {
  private func both() -> Probe {
    var probe = Probe.loaded(10, next: Probe.cursor("n1"), previous: Probe.cursor("p1"))
    probe.loadMore(1)
    probe.loadPrevious(2)
    return probe
  }

  @Test(arguments: [[1, 2], [2, 1]])
  func theTwoAnswersMayComeInEitherOrder(order: [Int]) {
    var probe = both()
    #expect(probe.session.isLoading(.more) && probe.session.isLoading(.previous))
    for waiter in order {
      if waiter == 1 {
        probe.arrive(10..<20, next: Probe.cursor("n2"), ticket: 2)
        #expect(probe.lines == ["append g1 page 1 at 10 +10", "ended more g1 loaded", "answer 1 loaded +10"])
      } else {
        probe.arrive(-10..<0, previous: Probe.cursor("p2"), ticket: 3)
        #expect(
          probe.lines == ["prepend g1 page -1 at -10 +10", "ended previous g1 loaded", "answer 2 loaded +10"])
      }
    }
    #expect(probe.loaded(among: -10..<20) == Array(-10..<20))
    #expect(probe.facts == "30 previous more items")
  }

  @Test(arguments: [true, false])
  func anItemThatBothPagesHoldStaysWhereItCameFirst(endFirst: Bool) {
    var probe = both()
    let end = { (probe: inout Probe) in probe.arrive([10, 99], next: Probe.cursor("n2"), ticket: 2) }
    let start = { (probe: inout Probe) in probe.arrive([99, -1], previous: Probe.cursor("p2"), ticket: 3) }
    if endFirst {
      end(&probe)
      start(&probe)
      #expect(probe.loaded(among: -1..<100) == [-1] + Array(0..<11) + [99])
    } else {
      start(&probe)
      end(&probe)
      #expect(probe.loaded(among: -1..<100) == [99, -1] + Array(0..<11))
    }
  }

  @Test func oneMayFailWhileTheOtherSucceeds() {
    var probe = both()
    probe.fail(retryable: false, ticket: 3)
    #expect(probe.news == ["failed previous g1 down try 1", "ended previous g1 failed", "fail 2 down"])
    probe.arrive(10..<20, next: .null, ticket: 2)
    #expect(probe.lines.last == "answer 1 loaded +10")
    #expect(probe.facts == "20 previous items")
  }

  @Test func eachRetriesOnItsOwn() {
    var probe = both()
    probe.fail(ticket: 2)
    probe.now = 100
    probe.fail(ticket: 3)
    #expect(probe.timers == [.retry(ticket: 2): 500, .retry(ticket: 3): 600])
    #expect(probe.session.pendingRetryInMs(now: 100) == 400)
    probe.fireNextTimer()
    #expect(probe.lines == ["fetch more g1 page 1 offset 10 cursor n1 try 2"])
    probe.fireNextTimer()
    #expect(probe.lines == ["fetch previous g1 page -1 offset 0 cursor p1 backward try 2"])
  }

  @Test func onlyOneLoadAnEdge() {
    var probe = both()
    probe.loadMore(3)
    probe.loadPrevious(4)
    probe.appear(9)
    probe.appear(0)
    #expect(probe.fetches.count == 2)
    probe.arrive(-10..<0, ticket: 3)
    #expect(probe.lines.suffix(2) == ["answer 2 loaded +10", "answer 4 coalesced +10"])
  }

  @Test func positionsNeverShift() {
    var probe = Probe.loaded(10, next: Probe.cursor("n"), previous: Probe.cursor("p1"))
    for step in 1...3 {
      probe.loadPrevious()
      probe.arrive(-4 * step..<4 - 4 * step, previous: Probe.cursor("p\(step + 1)"))
      #expect(probe.session.id(at: 3) == Probe.id(3))
      #expect(probe.session.position(of: Probe.id(-4 * step)) == -4 * step)
    }
    #expect(probe.session.first == -12)
    #expect(probe.session.last == 9)
    #expect(probe.session.pageCount == 4)
  }

  @Test func prependedPagesCountDownFromMinusOne() {
    var probe = Probe.loaded(10, previous: Probe.cursor("p1"))
    var told: [String] = []
    for step in 1...3 {
      probe.loadPrevious()
      probe.arrive([-step], previous: Probe.cursor("p\(step + 1)"))
      told.append(probe.lines[0])
    }
    #expect(
      told == ["prepend g1 page -1 at -1 +1", "prepend g1 page -2 at -2 +1", "prepend g1 page -3 at -3 +1"])
  }

  @Test func anEmptyPrependIsToldAtTheEdge() {
    var probe = Probe.loaded(10, previous: Probe.cursor("p1"))
    probe.loadPrevious()
    probe.arrive([], previous: .null)
    #expect(probe.linesWithFacts.first == "prepend g1 page -1 at 0 +0 | 10 more items")
  }

  @Test func hasMoreOfABackwardPageIsAboutThatDirection() {
    var probe = Probe.loaded(10, next: Probe.cursor("n"), previous: Probe.cursor("p1"))
    probe.loadPrevious()
    probe.arrive([-1], next: .null, previous: Probe.cursor("p2"), hasMore: false)
    #expect(!probe.session.hasPrevious)
    #expect(probe.session.hasMore)
  }

  @Test func theScrolledItemsPositionIsSaidAndRemembered() {
    var probe = Probe.loaded(10)
    #expect(probe.session.scrolledIDSet(Probe.id(4)) == 4)
    #expect(probe.session.scrolledIDSet(Probe.id(12)) == nil)
    #expect(probe.session.scrolledID == Probe.id(12))
    probe.loadMore()
    probe.arrive(10..<20)
    #expect(probe.session.position(of: Probe.id(12)) == 12)
    #expect(probe.session.scrolledIDSet(nil) == nil)
    #expect(probe.session.scrolledID == nil)
  }
}
