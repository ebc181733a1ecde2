import Testing

@testable import PaginationCore

/// Refresh: a new list takes the old one's place, at once or not at all.
@Suite struct RefreshTests {
  // MARK: Keep

  @Test func aKeepRefreshReplacesTheListInOneEvent() {
    var probe = Probe.loaded(20, next: Probe.cursor("b"))
    probe.refresh(1)
    #expect(
      probe.lines == ["loading refresh g2", "fetch refresh g2 page 0 offset 0"])
    #expect(probe.session.generation == 1)
    #expect(probe.facts == "20 more items")
    probe.arrive(100..<110, next: Probe.cursor("c"), total: 300)
    #expect(
      probe.linesWithFacts == [
        "gather", "source g2 commits", "replace g2 page 0 at 0 +10 of 300 | 10 more items",
        "ended refresh g2 loaded | 10 more items", "answer 1 loaded +10 | 10 g2",
      ])
    #expect(probe.session.generation == 2)
    #expect(probe.session.total == 300)
    #expect(probe.session.position(of: Probe.id(3)) == nil)
    probe.loadMore()
    #expect(probe.lines.last == "fetch more g2 page 1 offset 10 cursor c")
  }

  @Test func theOldListServesUntilTheNewOneIsThere() {
    var probe = Probe.loaded(20)
    probe.refresh()
    #expect(probe.appear(7).position == 7)
    #expect(probe.session.id(at: 7) == Probe.id(7))
  }

  @Test func anEmptyResultEmptiesTheList() {
    var probe = Probe.loaded(20)
    probe.refresh(1)
    probe.arrive([], next: .null)
    #expect(probe.news.last == "answer 1 loaded +0")
    #expect(probe.facts == "0 empty")
    probe.refresh(2)
    #expect(probe.facts == "0 empty")
    probe.arrive(0..<5, next: .null)
    #expect(probe.facts == "5 items")
  }

  /// A refresh goes on by itself over empty pages, like a first load, and shows nothing before it has something to show.
  @Test func aRefreshGoesOnUntilAnItem() {
    var probe = Probe.loaded(20)
    probe.refresh(1)
    probe.arrive([], hasMore: true)
    #expect(probe.lines == ["gather", "fetch refresh g2 page 1 offset 0"])
    #expect(probe.facts == "20 more items")
    probe.arrive(30..<35, hasMore: true)
    #expect(
      probe.news == ["replace g2 page 0 at 0 +5", "ended refresh g2 loaded", "answer 1 loaded +5"])
  }

  @Test func aRefreshOfNothingButEmptyPagesIsPaused() {
    var probe = Probe.loaded(20) { $0.maxEmptyPages = 2 }
    probe.refresh(1)
    probe.arrive([], hasMore: true)
    probe.arrive([], hasMore: true)
    #expect(
      probe.linesWithFacts.suffix(3) == [
        "replace g2 page 0 at 0 +0 | 0 more paused empty", "ended refresh g2 paused | 0 more paused empty",
        "answer 1 paused +0 | 0 g2",
      ])
    probe.loadMore()
    #expect(probe.lines == ["loading initial g2", "fetch initial g2 page 2 offset 0"])
  }

  // MARK: Precedence

  @Test func aRefreshEndsTheLoadsOfTheOldGenerationFirst() {
    var probe = Probe.loaded(20, previous: Probe.cursor("p"))
    probe.loadMore(1)
    probe.loadPrevious(2)
    probe.refresh(3)
    #expect(
      probe.lines == [
        "cancel fetch #2", "ended more g1 superseded", "answer 1 superseded +0", "cancel fetch #3",
        "ended previous g1 superseded", "answer 2 superseded +0", "loading refresh g2",
        "fetch refresh g2 page 0 offset 0",
      ])
    probe.arrive(20..<40, ticket: 2)
    #expect(probe.commands == [])
    probe.arrive(20..<40, ticket: 3)
    #expect(probe.commands == [])
  }

  @Test func aRefreshEndsTheFirstLoad() {
    var probe = Probe()
    probe.open()
    probe.refresh(1)
    #expect(probe.news == ["ended initial g1 superseded", "loading refresh g2"])
    probe.arrive(0..<20)
    #expect(probe.news == ["replace g2 page 0 at 0 +20", "ended refresh g2 loaded", "answer 1 loaded +20"])
  }

  @Test func theNewestRefreshWinsAndEarlierOnesCoalesce() {
    var probe = Probe.loaded(20)
    probe.refresh(1)
    probe.refresh(2)
    probe.refresh(3)
    probe.arrive(0..<20, ticket: 2)
    #expect(probe.commands == [])
    probe.arrive(0..<20, ticket: 3)
    #expect(probe.commands == [])
    probe.arrive(50..<60, ticket: 4)
    #expect(
      probe.linesWithFacts.suffix(3) == [
        "answer 1 coalesced +10 | 10 g4", "answer 2 coalesced +10 | 10 g4", "answer 3 loaded +10 | 10 g4",
      ])
  }

  @Test func numbersOfGenerationsAreNotUsedAgain() {
    var probe = Probe.loaded(20)
    probe.refresh()
    probe.failForGood()
    #expect(probe.session.generation == 1)
    probe.refresh(1)
    #expect(probe.lines.first == "loading refresh g3")
    probe.cancel(1)
    #expect(probe.session.generation == 1)
    #expect(probe.session.lastAllottedGeneration == 3)
    probe.refresh()
    probe.arrive(0..<20)
    #expect(probe.session.generation == 4)
  }

  @Test func aSessionThatReplacesAnotherGoesOnUpwards() {
    var probe = Probe(generation: 8)
    probe.open()
    #expect(probe.lines.first == "loading initial g8")
    #expect(probe.session.nextGeneration == 9)
  }

  @Test func whereRefreshIsOffItIsDisabled() {
    var probe = Probe.loaded(20) { $0.canRefresh = false }
    probe.refresh(1, ownSource: true)
    #expect(probe.lines == ["source g2 goes", "answer 1 disabled +0"])
    #expect(probe.session.lastAllottedGeneration == 1)
  }

  // MARK: Failure

  @Test func aFailedKeepRefreshLeavesAllAsItWas() {
    var probe = Probe.loaded(20, next: Probe.cursor("b"))
    probe.refresh(1)
    probe.failForGood()
    #expect(
      probe.linesWithFacts == [
        "source g2 goes", "failed refresh g2 gone try 1", "ended refresh g2 failed | 20 more items", "fail 1 gone",
      ])
    #expect(probe.session.generation == 1)
    #expect(probe.session.failure(of: .refresh) != nil)
    #expect(probe.session.failure(of: .more) == nil)
    probe.appear(19)
    #expect(probe.lines.last == "fetch more g1 page 1 offset 20 cursor b")
  }

  @Test func aFailedRefreshOfAListKnownToBeEmptyLeavesItEmpty() {
    var probe = Probe()
    probe.open()
    probe.arrive([], next: .null)
    probe.refresh()
    probe.failForGood()
    #expect(probe.facts == "0 empty")
    #expect(probe.session.failure(of: .refresh) != nil)
  }

  @Test func aFailedClearRefreshLeavesAnEmptyList() {
    var probe = Probe.loaded(20)
    probe.refresh(1, mode: .clear)
    probe.failForGood()
    #expect(
      probe.linesWithFacts == [
        "failed refresh g2 gone try 1", "ended refresh g2 failed | 0 more failedFirst", "fail 1 gone",
      ])
    probe.loadMore(2)
    #expect(probe.lines == ["loading initial g2", "fetch initial g2 page 0 offset 0"])
    probe.arrive(0..<20)
    #expect(probe.lines.last == "answer 2 loaded +20")
  }

  @Test func aRefreshAsTheFirstLoadThatFailsIsShownAsAWhole() {
    var probe = Probe { $0.autoload = false }
    probe.open()
    probe.refresh()
    #expect(probe.facts == "0 more loadingFirst")
    probe.failForGood()
    #expect(probe.facts == "0 more failedFirst")
  }

  @Test func aRefreshIsRetriedAtThePageThatFailed() {
    var probe = Probe.loaded(20) { $0.pageSize = 10 }
    probe.refresh(1, extent: .loaded)
    probe.arrive(0..<10, hasMore: true)
    probe.fail()
    #expect(probe.lines == ["failed refresh g2 down try 1 again in 500"])
    probe.fireNextTimer()
    #expect(probe.lines == ["fetch refresh g2 page 1 offset 10 try 2"])
    probe.arrive(10..<20, hasMore: true)
    #expect(probe.news.last == "answer 1 loaded +20")
  }

  @Test func aRefreshDuringTheWaitForItsRetryStartsAnew() {
    var probe = Probe.loaded(20)
    probe.refresh(1)
    probe.fail()
    probe.refresh(2)
    #expect(probe.news == ["ended refresh g2 superseded", "loading refresh g3"])
    #expect(probe.timers.keys.map { $0 } == [.timeout(ticket: 3)])
  }

  @Test func aRefreshTimesOutLikeAnyLoad() {
    var probe = Probe.loaded(20) { $0.retry.retries = 0 }
    probe.refresh(1)
    probe.fireNextTimer()
    #expect(probe.news.last == "fail 1 timeout 30000")
    #expect(probe.lines.first == "cancel fetch #2")
  }

  // MARK: Extent

  @Test func extentLoadedFetchesAsManyItemsAsThereWere() {
    var probe = Probe.loaded(25) { $0.pageSize = 10 }
    probe.refresh(extent: .loaded)
    probe.arrive(0..<10, hasMore: true)
    #expect(probe.news == [])
    probe.arrive(10..<20, hasMore: true)
    probe.arrive(20..<30, hasMore: true)
    #expect(
      probe.lines == [
        "gather", "source g2 commits", "replace g2 page 0 at 0 +30", "ended refresh g2 loaded",
      ])
    #expect(probe.session.pageCount == 3)
    probe.loadMore()
    #expect(probe.lines.last == "fetch more g2 page 3 offset 30")
  }

  @Test func extentLoadedStopsAtTheEnd() {
    var probe = Probe.loaded(25) { $0.pageSize = 10 }
    probe.refresh(extent: .loaded)
    probe.arrive(0..<10, hasMore: true)
    probe.arrive(10..<12, next: .null)
    #expect(probe.news.first == "replace g2 page 0 at 0 +12")
    #expect(!probe.session.hasMore)
  }

  @Test func extentAnchorFetchesUntilTheScrolledItem() {
    var probe = Probe.loaded(10) { $0.pageSize = 10 }
    _ = probe.session.scrolledIDSet(Probe.id(9))
    probe.refresh(extent: .anchor)
    probe.arrive(-7..<3, hasMore: true)
    #expect(probe.news == [])
    probe.arrive(3..<13, hasMore: true)
    #expect(probe.news.first == "replace g2 page 0 at 0 +20 scroll to 16")
  }

  /// The former number of pages and `maxEmptyPages` more.
  @Test func extentAnchorGivesUpAfterSoManyPages() {
    var probe = Probe.loaded(10) {
      $0.pageSize = 10
      $0.maxEmptyPages = 2
    }
    _ = probe.session.scrolledIDSet(Probe.id(5))
    probe.refresh(extent: .anchor)
    for page in 1...3 { probe.arrive(page * 100..<page * 100 + 10, hasMore: true) }
    #expect(probe.news.first == "replace g2 page 0 at 0 +30")
  }

  @Test func aRefreshThatReplacesAClearingOneMayTakeAsManyPages() {
    var probe = Probe.loaded(10) {
      $0.pageSize = 10
      $0.maxEmptyPages = 1
    }
    probe.loadMore()
    probe.arrive(10..<20, hasMore: true)
    _ = probe.session.scrolledIDSet(Probe.id(5))
    probe.refresh(mode: .clear, extent: .anchor)
    probe.refresh(extent: .anchor)
    for page in 1...2 { probe.arrive(page * 100..<page * 100 + 10, hasMore: true) }
    #expect(probe.news == [])
    probe.arrive(0..<10, hasMore: true)
    #expect(probe.news.first == "replace g3 page 0 at 0 +30 scroll to 25")
  }

  @Test func withoutAScrolledItemExtentAnchorIsOnePage() {
    var probe = Probe.loaded(20)
    probe.refresh(extent: .anchor)
    probe.arrive(0..<20, hasMore: true)
    #expect(probe.news.first == "replace g2 page 0 at 0 +20")
  }

  @Test func everyExtentGivesThePlaceBack() {
    for extent in [SessionSettings.RefreshExtent.first, .loaded, .anchor] {
      var probe = Probe.loaded(20)
      _ = probe.session.scrolledIDSet(Probe.id(7))
      probe.refresh(extent: extent)
      probe.arrive(5..<25, hasMore: true)
      #expect(probe.news.first == "replace g2 page 0 at 0 +20 scroll to 2")
    }
  }

  @Test func pagesOfARefreshAreDedupedAmongThemselves() {
    var probe = Probe.loaded(25) { $0.pageSize = 10 }
    probe.refresh(1, extent: .loaded)
    probe.arrive(0..<10, hasMore: true)
    probe.arrive([8, 9, 10, 10, 11], hasMore: true)
    #expect(probe.lines.first == "gather dropping [0, 1, 3]")
    probe.arrive(12..<32, hasMore: true)
    #expect(probe.news.last == "answer 1 loaded +32 -3")
  }

  @Test func anExtentIsCutWhereOneEventCannotCarryIt() {
    var probe = Probe.loaded(40) {
      $0.pageSize = 10
      $0.maxEventBytes = 100
    }
    probe.refresh(extent: .loaded)
    probe.arrive(0..<10, next: Probe.cursor("b"), bytes: 60)
    probe.arrive(10..<20, next: Probe.cursor("c"), bytes: 40)
    probe.arrive(20..<30, next: Probe.cursor("d"), bytes: 1)
    #expect(
      probe.linesWithFacts == [
        "source g2 commits", "replace g2 page 0 at 0 +20 | 20 more items", "ended refresh g2 loaded | 20 more items",
      ])
    probe.loadMore()
    #expect(probe.lines.last == "fetch more g2 page 2 offset 20 cursor c")
    probe.arrive(20..<30, next: Probe.cursor("d"))
    #expect(probe.lines == ["append g2 page 2 at 20 +10", "ended more g2 loaded"])
  }

  @Test func aPageTooLargeForOneEventIsNotPutOffForEver() {
    var probe = Probe.loaded(40) {
      $0.pageSize = 10
      $0.maxEventBytes = 100
    }
    probe.refresh(extent: .loaded)
    probe.arrive([], next: Probe.cursor("b"))
    probe.arrive(0..<50, next: Probe.cursor("c"), bytes: 500)
    #expect(probe.news.first == "replace g2 page 0 at 0 +50")
  }

  @Test func aCycleInsideARefreshCommitsWhatIsThereAndLatches() {
    var probe = Probe.loaded(40) { $0.pageSize = 10 }
    probe.refresh(1, extent: .loaded)
    probe.arrive(0..<10, next: Probe.cursor("b"))
    probe.arrive(10..<20, next: Probe.cursor("b"))
    #expect(
      probe.news == [
        "replace g2 page 0 at 0 +20", "failed more g2 cycle b try 1", "ended refresh g2 loaded",
        "answer 1 loaded +20",
      ])
    #expect(probe.session.failure(of: .more) != nil)
  }

  // MARK: Another source, another place

  @Test func anotherSourceIsCommittedWithThePage() {
    var probe = Probe.loaded(20, next: Probe.cursor("b"))
    probe.refresh(1, ownSource: true)
    probe.arrive(100..<120, next: Probe.cursor("b"))
    #expect(probe.lines.prefix(2) == ["gather", "source g2 commits"])
    // The cursor was seen in the old query; it says nothing about the new one.
    #expect(probe.session.failure(of: .more) == nil)
  }

  @Test func anotherSourceGoesWhenItsRefreshFails() {
    var probe = Probe.loaded(20)
    probe.refresh(1, ownSource: true)
    probe.failForGood()
    #expect(probe.lines.first == "source g2 goes")
  }

  @Test func aPlainRefreshTakesTheQueryOfTheOneItSupersedes() {
    var probe = Probe.loaded(20)
    probe.refresh(1, from: "x", ownSource: true)
    probe.refresh(2)
    #expect(probe.lines.contains("source g2 becomes g3"))
    #expect(probe.lines.last == "fetch refresh g3 page 0 offset 0 cursor x")
  }

  /// A cursor of the old query means nothing to the new one.
  @Test func aPlainRefreshTakesTheBeginningOfTheQueryItSupersedes() {
    var probe = Probe { $0.start = StartPlace(firstCursor: Array("old".utf8)) }
    probe.open()
    probe.arrive(0..<20)
    probe.refresh(1, ownSource: true)
    probe.refresh(2)
    #expect(probe.lines.last == "fetch refresh g3 page 0 offset 0")
  }

  @Test func aRefreshWithItsOwnQueryTakesNothingOver() {
    var probe = Probe.loaded(20)
    probe.refresh(1, from: "x", ownSource: true)
    probe.refresh(2, ownSource: true)
    #expect(probe.lines.contains("source g2 goes"))
    #expect(probe.lines.last == "fetch refresh g3 page 0 offset 0")
  }

  @Test func aNewPlaceToStartStaysTheListsFirst() {
    var probe = Probe.loaded(20)
    probe.refresh(from: "m")
    #expect(probe.lines.last == "fetch refresh g2 page 0 offset 0 cursor m")
    probe.arrive(0..<20)
    probe.refresh()
    #expect(probe.lines.last == "fetch refresh g3 page 0 offset 0 cursor m")
  }

  @Test func aFailedRefreshLeavesThePlaceToStart() {
    var probe = Probe.loaded(20)
    probe.refresh(from: "m")
    probe.failForGood()
    probe.refresh()
    #expect(probe.lines.last == "fetch refresh g3 page 0 offset 0")
  }

  // MARK: What is carried over

  @Test func demandMovesToTheSameItem() {
    var probe = Probe.loaded(20)
    probe.appear(15)
    probe.refresh()
    probe.arrive(0..<17, hasMore: true)
    #expect(probe.session.isLoading(.more))
    probe = Probe.loaded(20)
    probe.appear(15)
    probe.refresh()
    probe.arrive(0..<25, hasMore: true)
    #expect(!probe.session.isBusy)
  }

  @Test func demandBeyondTheNewEndMovesToTheLastItem() {
    var probe = Probe.loaded(20)
    probe.appear(12)
    probe.refresh()
    probe.arrive(100..<110, hasMore: true)
    #expect(probe.session.isLoading(.more))
  }

  @Test func otherDemandGoes() {
    var probe = Probe.loaded(20)
    probe.appear(8)
    probe.refresh()
    probe.arrive(100..<110, hasMore: true)
    #expect(!probe.session.isBusy)
  }

  @Test func demandIsCarriedOverAClearToo() {
    var probe = Probe.loaded(20)
    probe.appear(15)
    probe.refresh(mode: .clear)
    probe.arrive(0..<17, hasMore: true)
    #expect(probe.session.isLoading(.more))
  }

  @Test func demandAtTheStartMovesWithItsItem() {
    var probe = Probe.loaded(20, previous: Probe.cursor("p")) { $0.canLoadMore = true }
    probe.show(2, 10)
    probe.fail(retryable: false)
    probe.refresh()
    probe.arrive(0..<20, previous: Probe.cursor("q"))
    #expect(probe.session.isLoading(.previous))
  }

  /// Cursors belong to their generation.
  @Test func afterARefreshPagingGoesOnFromTheNewList() {
    var probe = Probe.loaded(20, next: Probe.cursor("b"), previous: Probe.cursor("p"))
    probe.refresh()
    probe.arrive(0..<20, next: Probe.cursor("n"), previous: .absent)
    #expect(!probe.session.hasPrevious)
    probe.appear(19)
    #expect(probe.lines.last == "fetch more g2 page 1 offset 20 cursor n")
  }

  @Test func aRefreshDuringAPrependRemovesNegativePositions() {
    var probe = Probe.loaded(20, previous: Probe.cursor("p"))
    probe.loadPrevious()
    probe.arrive(-5..<0, previous: Probe.cursor("q"))
    #expect(probe.session.first == -5)
    probe.loadPrevious()
    probe.refresh()
    probe.arrive(0..<20)
    #expect(probe.session.first == 0)
    #expect(probe.session.position(of: Probe.id(-3)) == nil)
  }
}
