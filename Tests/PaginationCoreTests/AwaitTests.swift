import Testing

@testable import PaginationCore

/// Cancelling, closing and refreshing at every point at which something is waited for.
@Suite struct AwaitTests {
  /// Something that somebody waits for: waiter 1, and in some cases waiter 2.
  enum Point: CaseIterable {
    case firstLoad, firstLoadGoingOn, firstLoadRetry, more, moreRetry, moreSecondTry, previous, previousRetry, bothEdges
    case refresh, refreshClear, refreshSecondPage, refreshRetry, refreshTwice

    var waiters: [Int] { self == .bothEdges || self == .refreshTwice ? [1, 2] : [1] }

    var isRefresh: Bool {
      switch self {
      case .refresh, .refreshClear, .refreshSecondPage, .refreshRetry, .refreshTwice: true
      default: false
      }
    }
  }

  private func waiting(at point: Point) -> Probe {
    var probe =
      switch point {
      case .firstLoad, .firstLoadGoingOn, .firstLoadRetry: Probe { $0.autoload = false }
      default: Probe.loaded(20, next: Probe.cursor("n"), previous: Probe.cursor("p")) { $0.pageSize = 10 }
      }
    switch point {
    case .firstLoad: probe.loadMore(1)
    case .firstLoadGoingOn:
      probe.loadMore(1)
      probe.arrive([], hasMore: true)
    case .firstLoadRetry:
      probe.loadMore(1)
      probe.fail()
    case .more: probe.loadMore(1)
    case .moreRetry:
      probe.loadMore(1)
      probe.fail()
    case .moreSecondTry:
      probe.loadMore(1)
      probe.fail()
      probe.fireNextTimer()
    case .previous: probe.loadPrevious(1)
    case .previousRetry:
      probe.loadPrevious(1)
      probe.fail()
    case .bothEdges:
      probe.loadMore(1)
      probe.loadPrevious(2)
    case .refresh: probe.refresh(1)
    case .refreshClear: probe.refresh(1, mode: .clear)
    case .refreshSecondPage:
      probe.refresh(1, extent: .loaded)
      probe.arrive(0..<10, next: Probe.cursor("n"))
    case .refreshRetry:
      probe.refresh(1)
      probe.fail()
    case .refreshTwice:
      probe.refresh(1)
      probe.refresh(2)
    }
    return probe
  }

  private func cancelled(_ probe: Probe) -> [Int] {
    probe.commands.compactMap { if case .cancelled(let waiter) = $0 { waiter.number } else { nil } }
  }

  @Test(arguments: Point.allCases)
  func closingTellsEachWaiterOnceAndLeavesNothing(_ point: Point) {
    var probe = waiting(at: point)
    probe.close()
    #expect(cancelled(probe).sorted() == point.waiters)
    #expect(probe.fetches.isEmpty && probe.timers.isEmpty && !probe.session.isBusy)
    #expect(!probe.news.contains { !$0.hasPrefix("cancelled") })
  }

  @Test(arguments: Point.allCases)
  func cancellingAllWaitersRollsBackAndLeavesNothing(_ point: Point) {
    var probe = waiting(at: point)
    let generation = probe.session.generation
    let count = probe.session.count
    for waiter in point.waiters {
      probe.cancel(waiter)
      #expect(cancelled(probe) == [waiter])
      probe.cancel(waiter)
      #expect(probe.commands == [])
    }
    #expect(probe.fetches.isEmpty && probe.timers.isEmpty && !probe.session.isBusy)
    #expect(probe.session.generation == generation && probe.session.count == count)
    for kind in [LoadKind.initial, .more, .previous, .refresh] { #expect(probe.session.failure(of: kind) == nil) }
    // What comes late changes nothing, and the next load works.
    for ticket in 1..<9 { probe.arrive(50..<60, ticket: ticket) }
    #expect(probe.session.count == count)
    probe.loadMore(9)
    #expect(probe.fetches.count == 1)
  }

  @Test(arguments: Point.allCases)
  func aRefreshAnswersEachWaiterOnce(_ point: Point) {
    var probe = waiting(at: point)
    var told: [String] = []
    probe.refresh(7)
    told += probe.news.filter { $0.hasPrefix("answer") }
    probe.arrive(0..<20, next: .null)
    told += probe.news.filter { $0.hasPrefix("answer") }
    let word = point.isRefresh ? "coalesced +20" : "superseded +0"
    #expect(told == point.waiters.map { "answer \($0) \(word)" } + ["answer 7 loaded +20"])
    #expect(probe.fetches.isEmpty && probe.timers.isEmpty && !probe.session.isBusy)
  }

  @Test(arguments: Point.allCases)
  func afterTheEndOfInputEachWaiterIsStillAnswered(_ point: Point) {
    var probe = waiting(at: point)
    probe.session.inputEnded()
    var told: [String] = []
    for _ in 0..<9 where probe.session.isBusy {
      if probe.fetches.isEmpty { probe.fireNextTimer() }
      probe.arrive(100..<110, next: .null)
      told += probe.news.filter { $0.hasPrefix("answer") }
    }
    #expect(told.count == point.waiters.count)
    #expect(!probe.session.isBusy && probe.timers.isEmpty)
  }
}
