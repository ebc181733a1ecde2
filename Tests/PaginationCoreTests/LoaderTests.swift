import Testing

@testable import PaginationCore

/// The loader as demand: as long as it is visible, within bounds.
@Suite struct LoaderTests {
  private func loaded(
    _ count: Int = 20, previous: CursorField = .absent, _ more: (inout SessionSettings) -> Void = { _ in }
  ) -> Probe {
    Probe.loaded(count, previous: previous) {
      $0.trigger = .loader
      more(&$0)
    }
  }

  /// Answers page after page of `count` items until nothing runs, at most so many; how many there were.
  private func feed(_ probe: inout Probe, pages: Int = 100, of count: Int = 1) -> Int {
    var loads = 0
    while let fetch = probe.fetches.first, loads < pages {
      loads += 1
      let number = 1_000 + fetch.place.offset
      probe.arrive(number..<number + count, hasMore: true)
    }
    return loads
  }

  @Test func aVisibleLoaderIsNotStrandedByAShortPage() {
    var probe = loaded()
    #expect(probe.loaderAppears() == .started)
    probe.arrive(20..<21, hasMore: true)
    #expect(probe.lines.suffix(2) == ["loading more g1", "fetch more g1 page 2 offset 21"])
  }

  @Test func aLoaderThatAppearedBeforeTheFirstPageGoesOn() {
    var probe = Probe { $0.trigger = .loader }
    probe.open()
    #expect(probe.loaderAppears() == .loading)
    probe.arrive(0..<3, hasMore: true)
    #expect(probe.session.isLoading(.more))
  }

  @Test(arguments: [1, 2, 5])
  func aVisibleLoaderCarriesSoManyPages(bound: Int) {
    var probe = loaded { $0.maxUnseenPages = bound }
    probe.loaderAppears()
    #expect(feed(&probe) == bound)
    #expect(probe.session.isPaused)
    #expect(probe.lines.last == "ended more g1 loaded")
  }

  /// Every word about what is visible lets a loader go on that is still visible.
  @Test func aWordAboutWhatIsVisibleLetsItGoOn() {
    var probe = loaded { $0.maxUnseenPages = 2 }
    probe.loaderAppears()
    #expect(feed(&probe) == 2)
    #expect(probe.appear(0).decision == .idle)
    #expect(feed(&probe) == 2)
    #expect(probe.show(0, 5).decision == .idle)
    #expect(feed(&probe) == 2)
    #expect(probe.scroll(to: 0, content: 100).decision == .idle)
    #expect(feed(&probe) == 2)
    #expect(probe.loaderAppears() == .started)
    #expect(feed(&probe) == 2)
    probe.loadMore()
    #expect(feed(&probe) == 2)
  }

  @Test func aPageAtTheStartIsNoWordAboutTheLoaderAtTheEnd() {
    var probe = loaded(previous: Probe.cursor("p")) { $0.maxUnseenPages = 1 }
    probe.loaderAppears()
    probe.arrive(20..<21, hasMore: true)
    #expect(probe.session.isPaused)
    probe.loadPrevious()
    #expect(probe.session.isPaused)
    probe.arrive([-1])
    #expect(probe.session.isPaused)
    #expect(!probe.session.isBusy)
  }

  @Test func aWordLetsALoaderGoOnWhosePagesWereCountedByALoadThatWasEnded() {
    var probe = Probe {
      $0.trigger = .loader
      $0.maxUnseenPages = 1
    }
    probe.open()
    probe.loaderAppears()
    probe.arrive([], next: Probe.cursor("b"), previous: Probe.cursor("p"))
    probe.refresh()
    probe.failForGood()
    probe.loadPrevious()
    probe.arrive([-2, -1])
    #expect(!probe.session.isBusy)
    probe.appear(-1)
    #expect(probe.lines == ["loading more g1", "fetch more g1 page 1 offset 0 cursor b"])
  }

  @Test func aWordBeforeTheBoundIsReachedStartsTheCountAnew() {
    var probe = loaded { $0.maxUnseenPages = 3 }
    probe.loaderAppears()
    #expect(feed(&probe, pages: 2) == 2)
    probe.appear(0)
    #expect(feed(&probe) == 3)
  }

  @Test func aLoaderThatIsGoneAsksForNothing() {
    var probe = loaded()
    probe.loaderAppears()
    probe.loaderDisappears()
    #expect(probe.news == ["ended more g1 cancelled"])
    probe.loadMore()
    probe.arrive(20..<21, hasMore: true)
    #expect(!probe.session.isBusy)
  }

  @Test func theNextAppearanceAsksForTheSamePage() {
    var probe = loaded()
    probe.loaderAppears()
    let place = probe.fetches.first?.place
    probe.loaderDisappears()
    #expect(probe.loaderAppears() == .started)
    #expect(probe.fetches.first?.place == place)
  }

  @Test func aLoaderLeavingDuringTheWaitForARetryEndsIt() {
    var probe = loaded()
    probe.loaderAppears()
    probe.fail()
    probe.loaderDisappears()
    #expect(probe.lines == ["ended more g1 cancelled"])
    #expect(probe.timers.isEmpty)
  }

  @Test func aLoaderThatLeavesTwiceIsFine() {
    var probe = loaded()
    probe.loaderDisappears()
    probe.loaderDisappears(at: .start)
    #expect(probe.commands == [])
  }

  // MARK: At the start

  @Test func atTheStartOnePageAnAppearance() {
    var probe = loaded(previous: Probe.cursor("p1"))
    #expect(probe.loaderAppears(at: .start) == .started)
    probe.arrive(-1..<0, previous: Probe.cursor("p2"))
    #expect(!probe.session.isBusy)
    #expect(probe.loaderAppears(at: .start) == .started)
    probe.arrive(-2 ..< -1, previous: Probe.cursor("p3"))
    #expect(!probe.session.isBusy)
    #expect(probe.session.first == -2)
  }

  @Test func anEmptyPageAtTheStartDoesNotUseTheAppearanceUp() {
    var probe = loaded(previous: Probe.cursor("p1"))
    probe.loaderAppears(at: .start)
    probe.arrive([], previous: Probe.cursor("p2"))
    #expect(probe.session.isLoading(.previous))
  }

  @Test func bothLoadersWorkOnTheirOwn() {
    var probe = loaded(previous: Probe.cursor("p1"))
    probe.loaderAppears()
    probe.loaderAppears(at: .start)
    #expect(probe.fetches.map(\.kind) == [.more, .previous])
    probe.loaderDisappears(at: .start)
    #expect(probe.news == ["ended previous g1 cancelled"])
    #expect(probe.session.isLoading(.more))
  }

  // MARK: Refresh

  @Test func aVisibleLoaderStaysVisibleAcrossARefresh() {
    var probe = loaded()
    probe.refresh()
    #expect(probe.loaderAppears() == .refreshing)
    probe.arrive(0..<20, hasMore: true)
    #expect(probe.session.isLoading(.more))
    probe.loaderDisappears()
    #expect(!probe.session.isBusy)
  }

  @Test func aVisibleLoaderDoesNotTryAFailedClearAgain() {
    var probe = loaded()
    probe.loaderAppears()
    probe.refresh(mode: .clear)
    probe.failForGood()
    #expect(probe.facts == "0 more failedFirst")
    #expect(!probe.session.isBusy)
  }
}
