import Testing

@testable import PaginationCore

/// Items and ranges as demand: remembered, weighed again after every commit, never lost and never invented.
@Suite struct DemandTests {
  // MARK: The zone

  static let thresholds = [0, 1, 9, 10, 11, 100]

  /// The end's zone is `last - position <= threshold`, at every threshold from none to ten pages.
  @Test(arguments: thresholds)
  func theZoneAtTheEndIsExact(threshold: Int) {
    for position in 0..<10 {
      var probe = Probe.loaded(10) {
        $0.pageSize = 10
        $0.prefetchThreshold = threshold
      }
      let expected: Decision = 9 - position <= threshold ? .started : .idle
      #expect(probe.appear(position).decision == expected, "position \(position)")
      #expect(probe.fetches.count == (expected == .started ? 1 : 0))
    }
  }

  @Test(arguments: thresholds)
  func theZoneAtTheStartIsExact(threshold: Int) {
    for position in 0..<10 {
      var probe = Probe.loaded(10, previous: Probe.cursor("p")) {
        $0.pageSize = 10
        $0.prefetchThreshold = threshold
      }
      let expected: Decision = position <= threshold ? .started : .idle
      #expect(probe.appear(position).previous == expected, "position \(position)")
    }
  }

  @Test func aNegativeThresholdCountsAsZero() {
    var probe = Probe.loaded(10) { $0.prefetchThreshold = -7 }
    #expect(probe.session.settings.prefetchThreshold == 0)
    #expect(probe.appear(8).decision == .idle)
    #expect(probe.appear(9).decision == .started)
  }

  // MARK: The boundary matrix

  static let pages = [0, 1, 9, 10, 11, 30]

  /// Whatever a page returns, demand is met, or the list has ended or is paused: nothing is stranded, and no page is
  /// loaded beyond what the demand asks for.
  @Test(arguments: thresholds, pages)
  func demandIsMetWhateverThePagesHold(threshold: Int, page: Int) {
    var probe = Probe.loaded(10) {
      $0.pageSize = 10
      $0.prefetchThreshold = threshold
      $0.maxEmptyPages = 4
    }
    probe.appear(9)
    var number = 10
    var loads = 0
    while !probe.fetches.isEmpty && loads < 200 {
      loads += 1
      probe.arrive(number..<number + page, hasMore: true)
      number += page
    }
    if page == 0 {
      #expect(loads == 4)
      #expect(probe.session.isPaused)
    } else {
      // As many pages as bring the end further than the threshold, and not one more.
      #expect(loads == threshold / page + 1)
      #expect(!probe.session.isPaused)
      #expect(probe.session.last == 9 + loads * page)
    }
    #expect(!probe.session.isBusy)
  }

  @Test(arguments: thresholds, pages)
  func demandAtTheStartIsUsedUpByThePrependItCaused(threshold: Int, page: Int) {
    var probe = Probe.loaded(10, previous: Probe.cursor("p0")) {
      $0.pageSize = 10
      $0.prefetchThreshold = threshold
      $0.maxEmptyPages = 4
    }
    probe.show(0, 0)
    var number = 0
    var loads = 0
    while probe.fetches.contains(where: { $0.kind == .previous }) && loads < 200 {
      loads += 1
      let ticket = probe.fetches.first { $0.kind == .previous }?.ticket
      probe.arrive(number - page..<number, previous: Probe.cursor("p\(loads)"), ticket: ticket)
      number -= page
    }
    #expect(loads == (page == 0 ? 4 : 1))
    #expect(probe.session.first == (page == 0 ? 0 : -page))
  }

  // MARK: Nothing is lost

  @Test func anAppearanceDuringALoadIsRememberedForAfterIt() {
    var probe = Probe.loaded(10)
    probe.appear(9)
    // A fling: the tail is seen while the page is still on its way, and never again.
    #expect(probe.appear(9).decision == .loading)
    probe.arrive(10..<12, hasMore: true)
    #expect(probe.lines.suffix(2) == ["loading more g1", "fetch more g1 page 2 offset 12"])
  }

  @Test func aRangeDuringALoadIsRememberedForAfterIt() {
    var probe = Probe.loaded(10)
    probe.loadMore()
    #expect(probe.show(0, 9).decision == .loading)
    probe.arrive(10..<11, hasMore: true)
    #expect(probe.session.isLoading(.more))
  }

  @Test func theFurthestItemCountsAndNotTheLast() {
    var probe = Probe.loaded(20)
    probe.appear(19)
    probe.appear(2)
    probe.arrive(20..<21, hasMore: true)
    #expect(probe.session.isLoading(.more))
  }

  @Test func aRangeReplacesAllEarlierDemand() {
    var probe = Probe.loaded(20, previous: Probe.cursor("p"))
    probe.appear(19)
    probe.appear(0)
    probe.show(8, 12)
    let tickets = probe.fetches.map(\.ticket)
    probe.arrive(20..<21, hasMore: true, ticket: tickets[0])
    #expect(!probe.session.isLoading(.more))
    probe.arrive([], previous: Probe.cursor("q"), ticket: tickets[1])
    #expect(!probe.session.isLoading(.previous))
  }

  @Test func aRangeThatIsUnknownReplacesNothing() {
    var probe = Probe.loaded(20)
    probe.appear(19)
    probe.show(50, 60)
    probe.arrive(20..<21, hasMore: true)
    #expect(probe.session.isLoading(.more))
  }

  @Test func aPageOfDuplicatesStrandsNothing() {
    var probe = Probe.loaded(20)
    probe.appear(19)
    probe.arrive(0..<20, hasMore: true)
    #expect(probe.lines.first == "append g1 page 1 at 20 +0 -20")
    #expect(probe.lines.last == "fetch more g1 page 2 offset 40")
  }

  @Test func demandThatWaitedForAFailedRefreshIsWeighed() {
    var probe = Probe.loaded(20)
    probe.refresh(1)
    #expect(probe.appear(19).decision == .refreshing)
    probe.failForGood()
    #expect(
      probe.lines == [
        "source g2 goes", "failed refresh g2 gone try 1", "ended refresh g2 failed", "fail 1 gone",
        "loading more g1", "fetch more g1 page 1 offset 20",
      ])
  }

  /// What came too early for the first page is answered, not remembered: its positions meant nothing yet.
  @Test func anAppearanceBeforeTheFirstPageIsNoDemand() {
    var probe = Probe()
    probe.open()
    probe.appear(0)
    probe.show(0, 19)
    probe.arrive(0..<20, hasMore: true)
    #expect(!probe.session.isBusy)
  }

  // MARK: Nothing is invented

  @Test func withoutDemandNothingIsLoaded() {
    var probe = Probe.loaded(20)
    #expect(probe.lines == ["append g1 page 0 at 0 +20", "ended initial g1 loaded"])
    probe.appear(5)
    #expect(probe.commands == [])
    probe.loadMore()
    probe.arrive(20..<40, hasMore: true)
    #expect(!probe.session.isBusy)
  }

  @Test func anAppearanceThatIsStaleOrUnknownIsNoDemand() {
    var probe = Probe.loaded(20)
    probe.appear(19, generation: 0)
    probe.appear(25)
    probe.loadMore()
    probe.arrive(20..<21, hasMore: true)
    #expect(!probe.session.isBusy)
  }

  @Test(arguments: [SessionSettings.Trigger.loader, .distance(.init(limit: .absolute(10)))])
  func underAnotherTriggerItemsAreNoDemand(_ trigger: SessionSettings.Trigger) {
    var probe = Probe.loaded(20) { $0.trigger = trigger }
    probe.appear(19)
    probe.show(0, 19)
    #expect(probe.fetches.isEmpty)
    probe.loadMore()
    probe.arrive(20..<21, hasMore: true)
    #expect(!probe.session.isBusy)
  }

  @Test func aListThatEndedLoadsNothingMore() {
    var probe = Probe.loaded(20, next: .null)
    for position in 0..<20 { probe.appear(position) }
    #expect(probe.fetches.isEmpty)
  }

  // MARK: loadMore and loadPrevious

  @Test func callersCoalesceIntoOneLoad() {
    var probe = Probe.loaded(20)
    probe.loadMore(1)
    probe.loadMore(2)
    probe.appear(19)
    probe.loadMore(3)
    #expect(probe.fetches.count == 1)
    probe.arrive([20, 20, 21], next: .null)
    #expect(
      probe.linesWithFacts == [
        "append g1 page 1 at 20 +2 -1 | 22 items", "ended more g1 loaded | 22 items",
        "answer 1 loaded +2 -1 | 22 g1", "answer 2 coalesced +2 -1 | 22 g1", "answer 3 coalesced +2 -1 | 22 g1",
      ])
  }

  @Test func whereNothingMoreIsThereNoFetchIsMade() {
    var probe = Probe.loaded(20, next: .null)
    probe.loadMore(1)
    #expect(probe.linesWithFacts == ["answer 1 ended +0 | 20 g1"])
    probe.loadPrevious(2)
    #expect(probe.lines == ["answer 2 ended +0"])
  }

  @Test func duringARefreshARequestIsSuperseded() {
    var probe = Probe.loaded(20, next: .null)
    probe.refresh()
    probe.loadMore(1)
    #expect(probe.lines == ["answer 1 superseded +0"])
    probe.loadPrevious(2)
    #expect(probe.lines == ["answer 2 superseded +0"])
  }

  @Test func wherePagingIsOffARequestIsDisabled() {
    var probe = Probe.loaded(20, previous: Probe.cursor("p")) { $0.canLoadMore = false }
    probe.loadMore(1)
    #expect(probe.lines == ["answer 1 disabled +0"])
    probe.loadPrevious(2)
    #expect(probe.lines == ["answer 2 disabled +0"])
  }

  @Test func aNotificationDoesTheSameAndIsNotAnswered() {
    var probe = Probe.loaded(20, next: .null, previous: Probe.cursor("p"))
    probe.loadMore()
    #expect(probe.commands == [])
    probe.loadPrevious()
    #expect(probe.session.isLoading(.previous))
  }

  @Test func loadMoreWorksUnderEveryTrigger() {
    for trigger in [SessionSettings.Trigger.item, .loader, .distance(.init(limit: .relative(1)))] {
      var probe = Probe.loaded(20) { $0.trigger = trigger }
      probe.loadMore(1)
      probe.arrive(20..<40)
      #expect(probe.lines.last == "answer 1 loaded +20")
    }
  }
}
