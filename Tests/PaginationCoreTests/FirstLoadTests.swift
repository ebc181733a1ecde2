import Testing

@testable import PaginationCore

/// From `open` to the first item.
@Suite struct FirstLoadTests {
  @Test func openingStartsTheFirstLoad() {
    var probe = Probe()
    #expect(probe.facts == "0 more idle")
    probe.open()
    #expect(
      probe.commands == [
        .loadingBegan(.initial, generation: 1),
        .setTimer(.timeout(ticket: 1), afterMs: 30_000),
        .fetch(Fetch(ticket: 1, kind: .initial, generation: 1, place: PagePlace(), limit: 20, attempt: 1)),
      ])
    #expect(probe.facts == "0 more loadingFirst")
    #expect(probe.session.isLoading(.initial))
  }

  @Test func withoutAutoloadNothingIsLoadedByItself() {
    var probe = Probe { $0.autoload = false }
    probe.open()
    #expect(probe.commands == [])
    #expect(probe.facts == "0 more idle")
  }

  @Test func theFirstPageIsCommittedBeforeTheLoadEnds() {
    var probe = Probe()
    probe.open()
    probe.arrive(0..<20, total: 95)
    #expect(
      probe.linesWithFacts == [
        "append g1 page 0 at 0 +20 of 95 | 20 more items",
        "ended initial g1 loaded | 20 more items",
      ])
    #expect(probe.session.first == 0)
    #expect(probe.session.last == 19)
    #expect(probe.session.total == 95)
    #expect(probe.timers.isEmpty)
  }

  /// An empty first page with more to come is no end: one load carries all pages up to the first item.
  @Test func theFirstLoadGoesOnUntilAnItem() {
    var probe = Probe()
    probe.open()
    probe.arrive([], next: Probe.cursor("b"))
    #expect(
      probe.linesWithFacts == [
        "append g1 page 0 at 0 +0 | 0 more loadingFirst",
        "fetch initial g1 page 1 offset 0 cursor b",
      ])
    probe.arrive([], next: Probe.cursor("c"))
    probe.arrive(0..<5, next: Probe.cursor("d"))
    #expect(probe.lines == ["append g1 page 2 at 0 +5", "ended initial g1 loaded"])
    #expect(probe.facts == "5 more items")
  }

  @Test func aWaiterOfAFirstLoadIsAnsweredWhenAllOfItIsDone() {
    var probe = Probe { $0.autoload = false }
    probe.open()
    probe.loadMore(1)
    probe.arrive([], hasMore: true)
    #expect(probe.lines == ["append g1 page 0 at 0 +0", "fetch initial g1 page 1 offset 0"])
    probe.arrive([4, 4, 5], hasMore: true)
    #expect(probe.lines == ["append g1 page 1 at 0 +2 -1", "ended initial g1 loaded", "answer 1 loaded +2 -1"])
  }

  @Test func aFirstLoadThatIsCancelledBetweenPagesGoesOnFromThere() {
    var probe = Probe { $0.autoload = false }
    probe.open()
    probe.loadMore(1)
    probe.arrive([], hasMore: true)
    probe.cancel(1)
    #expect(probe.news == ["ended initial g1 cancelled", "cancelled 1"])
    #expect(probe.facts == "0 more idle")
    probe.loadMore(2)
    #expect(probe.lines == ["loading initial g1", "fetch initial g1 page 1 offset 0"])
  }

  @Test func theFirstLoadPausesAfterTooManyEmptyPages() {
    var probe = Probe { $0.maxEmptyPages = 2 }
    probe.open()
    probe.arrive([], hasMore: true)
    probe.arrive([], hasMore: true)
    #expect(
      probe.linesWithFacts == [
        "append g1 page 1 at 0 +0 | 0 more paused empty",
        "ended initial g1 paused | 0 more paused empty",
      ])
    probe.loadMore(1)
    #expect(probe.lines == ["loading initial g1", "fetch initial g1 page 2 offset 0"])
    probe.arrive([], hasMore: true)
    probe.arrive([], hasMore: true)
    #expect(probe.lines.last == "answer 1 paused +0")
  }

  @Test func anEmptyListIsKnownToBeEmpty() {
    var probe = Probe()
    probe.open()
    probe.arrive([], next: .null)
    #expect(
      probe.linesWithFacts == ["append g1 page 0 at 0 +0 | 0 empty", "ended initial g1 loaded | 0 empty"])
    #expect(probe.session.first == nil)
    #expect(probe.session.last == nil)
    probe.loadMore(1)
    #expect(probe.lines == ["answer 1 ended +0"])
  }

  @Test func aFirstLoadThatFailsForGoodIsShownAsAWhole() {
    var probe = Probe()
    probe.open()
    probe.failForGood()
    #expect(
      probe.linesWithFacts == ["failed initial g1 gone try 1", "ended initial g1 failed | 0 more failedFirst"])
    #expect(probe.session.failure(of: .initial) != nil)
    #expect(probe.session.failure(of: .more) == nil)
    probe.loadMore(1)
    #expect(probe.facts == "0 more loadingFirst")
    #expect(probe.lines == ["loading initial g1", "fetch initial g1 page 0 offset 0"])
    probe.arrive(0..<20)
    #expect(probe.lines.last == "answer 1 loaded +20")
  }

  /// A failed try of a first load asks again for the page that failed, not for those before it.
  @Test func aFailureAfterAnEmptyPageIsRetriedAtItsPage() {
    var probe = Probe()
    probe.open()
    probe.arrive([], hasMore: true)
    probe.fail()
    #expect(probe.lines == ["failed initial g1 down try 1 again in 500"])
    probe.fireNextTimer()
    #expect(probe.lines == ["fetch initial g1 page 1 offset 0 try 2"])
    probe.failForGood()
    #expect(probe.facts == "0 more failedFirst")
    probe.loadMore()
    #expect(probe.lines == ["loading initial g1", "fetch initial g1 page 1 offset 0"])
  }

  @Test func loadMoreDoesTheFirstLoadEvenWherePagingIsOff() {
    var probe = Probe {
      $0.autoload = false
      $0.canLoadMore = false
    }
    probe.open()
    probe.loadMore(1)
    #expect(probe.lines == ["loading initial g1", "fetch initial g1 page 0 offset 0"])
    probe.arrive(0..<20, hasMore: true)
    #expect(probe.lines.last == "answer 1 loaded +20")
    probe.loadMore(2)
    #expect(probe.lines == ["answer 2 disabled +0"])
  }

  @Test func appearancesBeforeTheFirstPageAreAnswered() {
    var probe = Probe { $0.autoload = false }
    probe.open()
    #expect(probe.appear(0) == Appearance(.empty, .empty))
    #expect(probe.show(0, 9) == Appearance(.empty, .empty))
    probe.loadMore()
    #expect(probe.appear(0) == Appearance(.loading, .loading))
    #expect(probe.appear(id: 3) == Appearance(.loading, .loading))
    #expect(probe.show(0, 9) == Appearance(.loading, .loading))
  }

  @Test(arguments: [SessionSettings.Trigger.item, .loader, .distance(.init(limit: .relative(0.5)))])
  func aLoaderOrGeometryDoesTheFirstLoadUnderEveryTrigger(_ trigger: SessionSettings.Trigger) {
    var probe = Probe {
      $0.autoload = false
      $0.trigger = trigger
    }
    probe.open()
    #expect(probe.loaderAppears() == .started)
    #expect(probe.loaderAppears() == .loading)
    probe = Probe {
      $0.autoload = false
      $0.trigger = trigger
    }
    probe.open()
    #expect(probe.scroll(to: 0, content: 0).decision == .started)
    #expect(probe.scroll(to: 0, content: 0).decision == .loading)
  }

  @Test func aLoaderOrGeometryTriesNoFailedFirstLoadAgain() {
    var probe = Probe { $0.trigger = .loader }
    probe.open()
    probe.failForGood()
    #expect(probe.loaderAppears() == .empty)
    #expect(probe.scroll(to: 0, content: 0).decision == .empty)
    #expect(probe.fetches.isEmpty)
  }

  @Test func withRearmALoaderThatComesBackTriesTheFirstLoadAgain() {
    var probe = Probe {
      $0.trigger = .loader
      $0.rearmOnAppear = true
    }
    probe.open()
    probe.loaderAppears()
    probe.failForGood()
    #expect(probe.loaderAppears() == .empty)
    probe.loaderDisappears()
    #expect(probe.loaderAppears() == .started)
  }

  @Test func theFirstLoadThatOnlyALoaderAskedForGoesWithIt() {
    var probe = Probe {
      $0.autoload = false
      $0.trigger = .loader
    }
    probe.open()
    #expect(probe.loaderAppears() == .started)
    probe.loaderDisappears()
    #expect(probe.news == ["ended initial g1 cancelled"])
    #expect(probe.facts == "0 more idle")
    #expect(probe.loaderAppears() == .started)
  }

  @Test func theFirstLoadThatAnotherSortOfLoaderAskedForStays() {
    var probe = Probe { $0.autoload = false }
    probe.open()
    probe.loaderAppears()
    probe.loaderDisappears()
    #expect(probe.session.isLoading(.initial))
  }

  /// The first item is at position 0, so nothing may come before it while it is awaited.
  @Test func loadPreviousDuringAFirstLoadJoinsIt() {
    var probe = Probe()
    probe.open()
    probe.arrive([], next: Probe.cursor("n"), previous: Probe.cursor("p"))
    #expect(probe.session.hasPrevious && probe.session.isLoading(.initial))
    probe.loadPrevious(1)
    #expect(probe.lines == [])
    probe.arrive(0..<5, next: .null)
    #expect(
      probe.lines == ["append g1 page 1 at 0 +5", "ended initial g1 loaded", "answer 1 coalesced +5"])
    probe.loadPrevious(2)
    probe.arrive(-5..<0, previous: .null)
    #expect(probe.lines.first == "prepend g1 page -1 at -5 +5")
  }

  @Test func loadMoreDuringTheOnlyLoadOfAnEmptyListJoinsIt() {
    var probe = Probe { $0.maxEmptyPages = 1 }
    probe.open()
    probe.arrive([], next: Probe.cursor("n"), previous: Probe.cursor("p"))
    #expect(probe.session.isPaused)
    probe.loadPrevious(1)
    probe.loadMore(2)
    #expect(probe.lines == [])
    probe.arrive(-5..<0, previous: .null)
    #expect(probe.lines.suffix(2) == ["answer 1 loaded +5", "answer 2 coalesced +5"])
  }
}
