import Testing

@testable import PaginationCore

/// `$/cancelRequest`, wants, and the roll-back when the last want goes.
@Suite struct CancellationTests {
  @Test func cancellingTheOnlyWaiterRollsTheLoadBack() {
    var probe = Probe.loaded(20)
    probe.loadMore(1)
    let before = probe.facts
    probe.cancel(1)
    #expect(
      probe.commands == [
        .cancelTimer(.timeout(ticket: 2)),
        .cancelFetch(ticket: 2),
        .loadingEnded(.more, generation: 1, result: .cancelled, probe.session.facts),
        .cancelled(Waiter(1)),
      ])
    #expect(probe.facts == before)
    #expect(probe.timers.isEmpty)
  }

  @Test func theNextLoadAfterACancelAsksForTheSamePage() {
    var probe = Probe.loaded(20, next: Probe.cursor("b"))
    probe.loadMore(1)
    let place = probe.fetches.first?.place
    probe.cancel(1)
    probe.loadMore(2)
    #expect(probe.fetches.first?.place == place)
    #expect(probe.fetches.first?.ticket == 3)
  }

  @Test func oneOfSeveralWaitersLeavesAndTheLoadGoesOn() {
    var probe = Probe.loaded(20)
    probe.loadMore(1)
    probe.loadMore(2)
    probe.cancel(1)
    #expect(probe.lines == ["cancelled 1"])
    probe.arrive(20..<40, hasMore: true)
    #expect(probe.lines == ["append g1 page 1 at 20 +20", "ended more g1 loaded", "answer 2 coalesced +20"])
  }

  @Test func demandKeepsALoadWhoseWaiterLeaves() {
    var probe = Probe.loaded(20)
    probe.appear(19)
    probe.loadMore(1)
    probe.cancel(1)
    #expect(probe.lines == ["cancelled 1"])
    #expect(probe.session.isLoading(.more))
  }

  @Test func demandThatCameDuringALoadKeepsIt() {
    var probe = Probe.loaded(20)
    probe.loadMore(1)
    #expect(probe.appear(19).decision == .loading)
    probe.cancel(1)
    #expect(probe.session.isLoading(.more))
  }

  @Test func aNotificationKeepsALoadWhoseWaiterLeaves() {
    var probe = Probe.loaded(20)
    probe.loadMore(1)
    probe.loadMore()
    probe.cancel(1)
    #expect(probe.session.isLoading(.more))
  }

  @Test func theFirstLoadOfAutoloadNeedsNoOtherWant() {
    var probe = Probe()
    probe.open()
    probe.loadMore(1)
    probe.cancel(1)
    #expect(probe.lines == ["cancelled 1"])
    #expect(probe.facts == "0 more loadingFirst")
  }

  @Test func aFirstLoadThatWasOnlyAskedForIsCancelled() {
    var probe = Probe { $0.autoload = false }
    probe.open()
    probe.loadMore(1)
    probe.cancel(1)
    #expect(probe.news == ["ended initial g1 cancelled", "cancelled 1"])
    #expect(probe.facts == "0 more idle")
  }

  @Test func aVisibleLoaderKeepsALoadWhoseWaiterLeaves() {
    var probe = Probe.loaded(20) { $0.trigger = .loader }
    probe.loaderAppears()
    probe.loadMore(1)
    probe.cancel(1)
    #expect(probe.session.isLoading(.more))
    probe.loaderDisappears()
    #expect(probe.news == ["ended more g1 cancelled"])
  }

  @Test func theLoaderLeavingDoesNotCancelWhatSomebodyWaitsFor() {
    var probe = Probe.loaded(20) { $0.trigger = .loader }
    probe.loaderAppears()
    probe.loadMore(1)
    probe.loaderDisappears()
    #expect(probe.lines == [])
    probe.cancel(1)
    #expect(probe.news == ["ended more g1 cancelled", "cancelled 1"])
  }

  @Test func cancellingARefreshLeavesAllAsItWas() {
    var probe = Probe.loaded(20)
    let before = probe.facts
    probe.refresh(1)
    probe.cancel(1)
    #expect(probe.lines == ["cancel fetch #2", "source g2 goes", "ended refresh g2 cancelled", "cancelled 1"])
    #expect(probe.facts == before)
    #expect(probe.session.generation == 1)
    #expect(probe.timers.isEmpty)
  }

  @Test func cancellingAClearingRefreshLeavesAnIdleList() {
    var probe = Probe.loaded(20)
    probe.refresh(1, mode: .clear)
    probe.cancel(1)
    #expect(probe.facts == "0 more idle")
    #expect(probe.session.generation == 2)
  }

  @Test func oneOfSeveralWaitersOfARefreshLeavesAndItGoesOn() {
    var probe = Probe.loaded(20)
    probe.refresh(1)
    probe.refresh(2)
    probe.cancel(2)
    #expect(probe.lines == ["cancelled 2"])
    probe.arrive(0..<20)
    #expect(probe.news.last == "answer 1 coalesced +20")
  }

  /// The refresh had ended a load that demand wanted; the cancel gives demand no new word.
  @Test func demandIsNotWeighedAgainBecauseOfACancel() {
    var probe = Probe.loaded(20)
    probe.appear(19)
    probe.refresh(1)
    probe.cancel(1)
    #expect(!probe.session.isLoading(.more))
    #expect(probe.appear(19).decision == .started)
  }

  @Test func aCancelOfSomethingUnknownOrAnsweredIsIgnored() {
    var probe = Probe.loaded(20)
    probe.cancel(7)
    #expect(probe.commands == [])
    probe.loadMore(1)
    probe.arrive(20..<40)
    probe.cancel(1)
    #expect(probe.commands == [])
  }

  @Test func whatComesFromACancelledCallIsIgnored() {
    var probe = Probe.loaded(20)
    probe.loadMore(1)
    probe.cancel(1)
    probe.arrive(20..<40, ticket: 2)
    #expect(probe.commands == [])
    #expect(probe.session.count == 20)
    probe.fail(ticket: 2)
    #expect(probe.commands == [])
    probe.fire(.timeout(ticket: 2))
    #expect(probe.commands == [])
  }

  @Test func aCancelEndsTheWaitForARetry() {
    var probe = Probe.loaded(20)
    probe.loadMore(1)
    probe.fail()
    probe.cancel(1)
    #expect(
      probe.commands == [
        .cancelTimer(.retry(ticket: 2)),
        .loadingEnded(.more, generation: 1, result: .cancelled, probe.session.facts),
        .cancelled(Waiter(1)),
      ])
  }

  @Test func aCancelledRetryOfALatchedEdgeLeavesTheLatch() {
    var probe = Probe.loaded(20)
    probe.appear(19)
    probe.failForGood()
    probe.loadMore(1)
    #expect(probe.session.failure(of: .more) == nil)
    probe.cancel(1)
    #expect(probe.session.failure(of: .more) != nil)
    #expect(probe.appear(19).decision == .latched)
  }

  @Test func aCancelledLoadOfAPausedListLeavesThePause() {
    var probe = Probe.loaded(20) { $0.maxEmptyPages = 1 }
    probe.loadMore()
    probe.arrive([], hasMore: true)
    #expect(probe.facts == "20 more paused items")
    probe.loadMore(1)
    #expect(probe.facts == "20 more items")
    probe.cancel(1)
    #expect(probe.linesWithFacts.contains("ended more g1 cancelled | 20 more paused items"))
    #expect(probe.appear(19).decision == .paused)
  }

  @Test func aFailedRefreshLeavesTheLatchOfALoadThatItEnded() {
    var probe = Probe.loaded(20)
    probe.appear(19)
    probe.failForGood()
    probe.loadMore(1)
    probe.refresh()
    #expect(probe.lines.contains("answer 1 superseded +0"))
    probe.failForGood()
    #expect(probe.session.failure(of: .more) != nil)
    #expect(probe.appear(19).decision == .latched)
  }

  @Test func closingTellsEveryWaiterAndEndsEveryCall() {
    var probe = Probe.loaded(20, previous: Probe.cursor("p"))
    probe.loadMore(1)
    probe.loadMore(2)
    probe.loadPrevious(3)
    probe.close()
    #expect(
      probe.lines == ["cancel fetch #2", "cancelled 1", "cancelled 2", "cancel fetch #3", "cancelled 3"])
    #expect(probe.timers.isEmpty)
    probe.arrive(20..<40, ticket: 2)
    #expect(probe.commands == [])
  }

  @Test func closingDuringARefreshTellsItsWaiters() {
    var probe = Probe.loaded(20)
    probe.refresh(1)
    probe.refresh(2)
    probe.close()
    #expect(probe.lines == ["cancel fetch #3", "cancelled 1", "cancelled 2"])
  }

  @Test func closingDuringTheWaitForARetryLeavesNoTimer() {
    var probe = Probe.loaded(20)
    probe.loadMore(1)
    probe.fail()
    probe.close()
    #expect(probe.lines == ["cancelled 1"])
    #expect(probe.timers.isEmpty)
  }
}
