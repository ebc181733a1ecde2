import Testing

@testable import PaginationCore

/// What an appearance is answered with: the first decision that holds, in the order that the protocol fixes.
@Suite struct DecisionTests {
  // Each test makes a decision hold and, where it can, some of those behind it too.

  @Test func positionsOfAnOlderGenerationAreStale() {
    var probe = Probe.loaded(20)
    probe.refresh()
    probe.arrive(0..<20)
    #expect(probe.appear(19, generation: 1) == Appearance(.stale, .stale))
    #expect(probe.show(0, 19, generation: 1) == Appearance(.stale, .stale))
    #expect(probe.appear(id: 19, generation: 1) == Appearance(.stale, .stale))
    #expect(probe.appear(19, generation: 2).decision == .started)
  }

  @Test func staleComesBeforeLoadingAndEmpty() {
    var probe = Probe(generation: 5)
    #expect(probe.appear(0, generation: 4) == Appearance(.stale, .stale))
    probe.open()
    #expect(probe.appear(0, generation: 4) == Appearance(.stale, .stale))
    #expect(probe.appear(0, generation: 5) == Appearance(.loading, .loading))
  }

  @Test func whileNothingIsLoadedTheAnswerIsLoadingOrEmpty() {
    var probe = Probe { $0.trigger = .loader }
    #expect(probe.appear(0) == Appearance(.empty, .empty))
    probe.open()
    #expect(probe.appear(0) == Appearance(.loading, .loading))
    probe.arrive([], next: .null)
    #expect(probe.appear(0) == Appearance(.empty, .empty))
    #expect(probe.appear(0, generation: 9) == Appearance(.empty, .empty))
    #expect(probe.loaderAppears() == .empty)
    probe.refresh()
    #expect(probe.appear(0) == Appearance(.loading, .loading))
    #expect(probe.loaderAppears() == .loading)
    #expect(probe.loaderDisappears() == .loading)
  }

  @Test func aRefreshAfterAFailedFirstLoadCountsAsLoading() {
    var probe = Probe()
    probe.open()
    probe.failForGood()
    probe.refresh()
    #expect(probe.loaderAppears() == .loading)
    #expect(probe.scroll(to: 0, content: 0) == Appearance(.loading, .loading))
  }

  @Test func aLoadOfThePageBeforeAnEmptyListCountsAsLoading() {
    var probe = Probe()
    probe.open()
    probe.arrive([], next: .null, previous: Probe.cursor("p"))
    probe.loadPrevious(1)
    #expect(probe.appear(0) == Appearance(.loading, .loading))
    probe.arrive(0..<3)
    #expect(probe.session.first == -3)
    #expect(probe.session.last == -1)
  }

  @Test func whatIsNotLoadedIsUnknown() {
    var probe = Probe.loaded(20) { $0.trigger = .loader }
    #expect(probe.appear(20) == Appearance(.unknown, .unknown))
    #expect(probe.appear(-1) == Appearance(.unknown, .unknown))
    #expect(probe.appear(id: 99) == Appearance(.unknown, .unknown))
    #expect(probe.show(20, 25) == Appearance(.unknown, .unknown))
    #expect(probe.show(-5, -1) == Appearance(.unknown, .unknown))
    #expect(probe.show(5, 4) == Appearance(.unknown, .unknown))
    #expect(probe.appear(.max) == Appearance(.unknown, .unknown))
    #expect(probe.appear(.min) == Appearance(.unknown, .unknown))
    #expect(probe.show(.max, .max) == Appearance(.unknown, .unknown))
    #expect(probe.show(.min, .min) == Appearance(.unknown, .unknown))
  }

  @Test func aNewerGenerationThanTheListsIsUnknown() {
    var probe = Probe.loaded(20)
    probe.refresh()
    #expect(probe.appear(19, generation: 2) == Appearance(.unknown, .unknown))
    #expect(probe.show(0, 19, generation: 2) == Appearance(.unknown, .unknown))
  }

  @Test func whatTheWindowDroppedIsUnknown() {
    var probe = Probe.loaded(20) { $0.maxItems = 40 }
    probe.appear(19)
    probe.arrive(20..<40, hasMore: true)
    probe.appear(39)
    probe.arrive(40..<60, hasMore: true)
    #expect(probe.session.first == 20)
    #expect(probe.appear(19) == Appearance(.unknown, .unknown))
    #expect(probe.appear(id: 5) == Appearance(.unknown, .unknown))
  }

  @Test func anotherKindOfTriggerIsIdle() {
    var probe = Probe.loaded(20) {
      $0.trigger = .loader
      $0.canLoadMore = false
    }
    #expect(probe.appear(19) == Appearance(.idle, .idle, position: 19))
    #expect(probe.show(0, 19) == Appearance(.idle, .idle))
    #expect(probe.scroll(to: 0, content: 0) == Appearance(.idle, .idle))
    probe = Probe.loaded(20) { $0.canLoadMore = false }
    #expect(probe.loaderAppears() == .idle)
    #expect(probe.loaderAppears(at: .start) == .idle)
  }

  @Test func pagingThatIsOffIsDisabledInAndOutOfTheZone() {
    var probe = Probe.loaded(20) { $0.canLoadMore = false }
    #expect(probe.appear(0) == Appearance(.disabled, .disabled, position: 0))
    #expect(probe.appear(19) == Appearance(.disabled, .disabled, position: 19))
    probe.refresh()
    #expect(probe.appear(19).decision == .disabled)
    probe = Probe.loaded(20) {
      $0.canLoadMore = false
      $0.trigger = .loader
    }
    #expect(probe.loaderAppears() == .disabled)
  }

  @Test func outOfTheZoneIsIdleWhateverRuns() {
    var probe = Probe.loaded(40)
    probe.loadMore()
    #expect(probe.appear(20) == Appearance(.idle, .idle, position: 20))
    probe.refresh()
    #expect(probe.appear(20) == Appearance(.idle, .idle, position: 20))
  }

  @Test func duringARefreshDemandIsRefreshing() {
    var probe = Probe.loaded(20, next: .null)
    probe.refresh()
    #expect(probe.appear(19) == Appearance(.refreshing, .idle, position: 19))
    #expect(probe.appear(0) == Appearance(.idle, .refreshing, position: 0))
  }

  @Test func aLoadInThatDirectionIsLoading() {
    var probe = Probe.loaded(20, previous: Probe.cursor("p"))
    probe.loadMore()
    #expect(probe.appear(19) == Appearance(.loading, .idle, position: 19))
    #expect(probe.appear(0) == Appearance(.idle, .started, position: 0))
    #expect(probe.appear(0) == Appearance(.idle, .loading, position: 0))
  }

  @Test func aListWithoutMoreHasEnded() {
    var probe = Probe.loaded(20, next: .null)
    #expect(probe.appear(19) == Appearance(.ended, .idle, position: 19))
    #expect(probe.appear(0) == Appearance(.idle, .ended, position: 0))
  }

  @Test func aFailedDirectionIsLatched() {
    var probe = Probe.loaded(20, previous: Probe.cursor("p"))
    probe.appear(19)
    probe.failForGood()
    #expect(probe.appear(19) == Appearance(.latched, .idle, position: 19))
    #expect(probe.fetches.isEmpty)
    #expect(probe.appear(0) == Appearance(.idle, .started, position: 0))
    probe.failForGood()
    #expect(probe.appear(0) == Appearance(.idle, .latched, position: 0))
  }

  @Test func aListWithoutProgressIsPaused() {
    var probe = Probe.loaded(20) { $0.maxEmptyPages = 1 }
    probe.appear(19)
    probe.arrive([], hasMore: true)
    #expect(probe.appear(19) == Appearance(.paused, .idle, position: 19))
  }

  @Test func bothEdgesAreDecidedOnTheirOwn() {
    var probe = Probe.loaded(4, previous: Probe.cursor("p"))
    #expect(probe.appear(1) == Appearance(.started, .started, position: 1))
    #expect(
      probe.lines == [
        "loading more g1", "fetch more g1 page 1 offset 4", "loading previous g1",
        "fetch previous g1 page -1 offset 0 cursor p backward",
      ])
  }

  @Test func anIdIsFoundWhereItsItemIs() {
    var probe = Probe.loaded(20)
    #expect(probe.appear(id: 7) == Appearance(.idle, .idle, position: 7))
    #expect(probe.appear(id: 19) == Appearance(.started, .idle, position: 19))
  }

  @Test func aRangeIsCutToWhatIsLoaded() {
    var probe = Probe.loaded(20, previous: Probe.cursor("p"))
    #expect(probe.show(.min, 10) == Appearance(.idle, .started))
    #expect(probe.show(10, .max) == Appearance(.started, .idle))
  }

  @Test func aLoaderThatLeavesIsIdle() {
    var probe = Probe.loaded(20) { $0.trigger = .loader }
    #expect(probe.loaderDisappears() == .idle)
    probe.loaderAppears()
    probe.loadMore(1)
    #expect(probe.loaderDisappears() == .idle)
    #expect(probe.session.isLoading(.more))
  }

  @Test func afterTheEndOfInputDemandStartsNothing() {
    var probe = Probe.loaded(20)
    probe.session.inputEnded()
    #expect(probe.appear(19) == Appearance(.idle, .idle, position: 19))
    #expect(probe.fetches.isEmpty)
    #expect(!probe.session.isBusy)
  }

  @Test func afterTheEndOfInputWhatRunsIsFinished() {
    var probe = Probe()
    probe.open()
    probe.session.inputEnded()
    #expect(probe.session.isBusy)
    probe.arrive([], hasMore: true)
    #expect(probe.session.isBusy)
    probe.fail()
    #expect(probe.session.isBusy)
    probe.fireNextTimer()
    probe.arrive(0..<20, hasMore: true)
    #expect(!probe.session.isBusy)
  }
}
