import Testing

@testable import PaginationCore

/// `maxItems`: what is far from the screen is dropped, and comes back when it is needed.
@Suite struct WindowTests {
  /// Pages of ten by cursor c1, c2, ..., of which so many are loaded; every page but the last loaded was seen.
  private func scrolled(pages: Int, maxItems: Int? = 30, _ more: (inout SessionSettings) -> Void = { _ in }) -> Probe {
    var probe = Probe.loaded(10, next: Probe.cursor("c1")) {
      $0.pageSize = 10
      $0.maxItems = maxItems
      more(&$0)
    }
    for page in 1..<max(pages, 1) {
      probe.appear(page * 10 - 1)
      probe.arrivePage(page)
    }
    return probe
  }

  // MARK: What is dropped

  @Test func theFurthestPageIsDroppedWholeAndInOrder() {
    let probe = scrolled(pages: 4)
    #expect(
      probe.linesWithFacts == [
        "append g1 page 3 at 30 +10 | 40 more items",
        "dropped start 0...9 g1 | 30 previous more items",
        "ended more g1 loaded | 30 previous more items",
      ])
    #expect(probe.session.first == 10)
    #expect(probe.session.last == 39)
    #expect(probe.loaded(among: 0..<50) == Array(10..<40))
  }

  @Test func withoutABoundNothingIsDropped() {
    #expect(scrolled(pages: 9, maxItems: nil).session.count == 90)
  }

  @Test func idsLeaveDedupeWithTheirPage() {
    var probe = scrolled(pages: 4)
    probe.loadMore()
    probe.arrive([3, 4, 15, 40], next: Probe.cursor("c5"))
    #expect(probe.lines.first == "append g1 page 4 at 40 +3 -1")
  }

  @Test func pagesThatTouchTheZonesOfWhatIsVisibleStay() {
    var probe = scrolled(pages: 3, maxItems: 10)
    // What touches positions 19 - 4 to 19 + 4 stays, whatever the bound says.
    #expect(probe.session.first == 10)
    #expect(probe.session.count == 20)
    probe.show(25, 29)
    probe.arrivePage(3)
    #expect(probe.session.first == 20)
    #expect(probe.session.count == 20)
  }

  /// The page right behind the zone stays too: it would be asked for again at once.
  @Test(arguments: [(9, 0), (13, 0), (14, 10), (15, 10)])
  func thePageRightBehindTheZoneStays(visible: Int, first: Int) {
    var probe = scrolled(pages: 3, maxItems: 30)
    probe.show(visible, 29)
    probe.arrivePage(3)
    #expect(probe.session.first == first)
    #expect(probe.appear(visible).previous == (first == 0 ? visible < 4 ? .ended : .idle : .idle))
  }

  @Test(arguments: [19, 20, 21])
  func aBoundOfTwoPagesMoreOrLess(maxItems: Int) {
    var probe = scrolled(pages: 2, maxItems: maxItems)
    #expect(probe.session.count == 20)
    probe.appear(19)
    probe.arrivePage(2)
    #expect(probe.session.count == 20)
    #expect(probe.session.first == 10)
    probe.appear(10)
    probe.arrivePage(0)
    #expect(probe.session.first == 0)
    #expect(probe.session.count == 20)
  }

  @Test func whatIsVisibleIsTheRangeThatWasSaidLast() {
    var probe = scrolled(pages: 3)
    probe.show(2, 29)
    probe.appear(29)
    probe.arrivePage(3)
    #expect(probe.session.count == 40)
    #expect(probe.session.first == 0)
  }

  @Test func withoutARangeTheLatestAppearanceIsVisible() {
    var probe = scrolled(pages: 3)
    probe.loadMore()
    probe.appear(12)
    probe.appear(2)
    probe.arrivePage(3)
    #expect(probe.session.first == 0)
  }

  @Test func withNothingKnownToBeVisibleTheNewPageIs() {
    var probe = Probe.loaded(10, next: Probe.cursor("c1")) { $0.maxItems = 20 }
    for page in 1...4 {
      probe.loadMore()
      probe.arrivePage(page)
    }
    #expect(probe.session.first == 30)
    #expect(probe.session.count == 20)
  }

  @Test func bothEdgesMayBeDroppedAndEachEventIsTrueWhenItIsRead() {
    var probe = Probe.loaded(10, next: Probe.cursor("c1")) { $0.pageSize = 10 }
    for page in 1...5 {
      probe.loadMore()
      probe.arrivePage(page)
    }
    // A refresh of everything, with a bound, gives back the place in the middle.
    var bounded = Probe {
      $0.pageSize = 10
      $0.maxItems = 20
      $0.refreshExtent = .anchor
    }
    bounded.open()
    bounded.arrivePage(0)
    _ = bounded.session.scrolledIDSet(Probe.id(25))
    bounded.refresh()
    for page in 0...2 { bounded.arrivePage(page) }
    #expect(
      bounded.linesWithFacts == [
        "gather", "source g2 commits", "replace g2 page 0 at 0 +30 scroll to 25 | 30 more items",
        "dropped start 0...9 g2 | 20 previous more items", "ended refresh g2 loaded | 20 previous more items",
      ])
    var both = Probe {
      $0.pageSize = 10
      $0.maxItems = 10
      $0.refreshExtent = .loaded
    }
    both.open()
    both.arrivePage(0)
    both.show(0, 9)
    both.arrivePage(1)
    both.show(0, 19)
    both.arrivePage(2)
    both.show(0, 29)
    both.arrivePage(3)
    both.show(0, 39)
    both.arrivePage(4)
    both.show(24, 25)
    both.refresh()
    for page in 0...4 { both.arrivePage(page) }
    #expect(
      both.linesWithFacts == [
        "gather", "source g2 commits", "replace g2 page 0 at 0 +50 | 50 more items",
        "dropped start 0...19 g2 | 30 previous more items", "dropped end 30...49 g2 | 10 previous more items",
        "ended refresh g2 loaded | 10 previous more items",
      ])
  }

  @Test func aRefreshsAnswerCountsWhatItBroughtAndNotWhatTheWindowLeft() {
    var probe = scrolled(pages: 3, maxItems: 20)
    probe.refresh(1, extent: .loaded)
    for page in 0...1 { probe.arrivePage(page) }
    #expect(probe.news.contains("answer 1 loaded +20"))
    probe = scrolled(pages: 3, maxItems: 10)
    probe.show(17, 29)
    probe.refresh(1, extent: .loaded)
    for page in 0...1 { probe.arrivePage(page) }
    #expect(probe.linesWithFacts.contains("answer 1 loaded +20 | 10 g2"))
  }

  // MARK: What is spared

  @Test func aSideThatSomebodyWaitsForIsNotDropped() {
    var probe = scrolled(pages: 3, maxItems: 20) { $0.start = StartPlace(earlier: [PagePlace(page: -1)]) }
    #expect(probe.session.first == 10)
    probe.loadPrevious(1)
    probe.appear(29)
    probe.arrivePage(3, kind: .more)
    #expect(probe.session.first == 10)
    #expect(probe.session.isLoading(.previous))
    probe.arrivePage(0)
    // The page just waited for is not taken away again.
    #expect(probe.session.first == 0)
    #expect(probe.lines.last == "answer 1 loaded +10")
  }

  @Test func aLoadAtADroppedSideIsCancelledAndItsAnswerIgnored() {
    var probe = scrolled(pages: 4)
    probe.show(11, 39)
    #expect(probe.fetches.map(\.kind) == [.more, .previous])
    let late = probe.fetches[1].ticket
    probe.show(38, 39)
    probe.arrivePage(4, kind: .more)
    #expect(
      probe.lines == [
        "append g1 page 4 at 40 +10", "cancel fetch #\(late)", "dropped start 10...19 g1",
        "ended previous g1 cancelled", "ended more g1 loaded",
      ])
    probe.arrive(0..<10, ticket: late)
    #expect(probe.commands == [])
    #expect(probe.session.first == 20)
    #expect(probe.timers.isEmpty)
  }

  @Test func aVisibleLoaderKeepsItsEdge() {
    var probe = Probe.loaded(10, next: Probe.cursor("c1")) {
      $0.maxItems = 20
      $0.trigger = .loader
    }
    probe.appear(0)
    probe.loaderAppears()
    for page in 1...5 { probe.arrivePage(page) }
    #expect(probe.session.last == 59)
    #expect(!probe.news.contains { $0.hasPrefix("dropped end") })
    probe.loaderDisappears()
    probe.loaderAppears()
    probe.arrivePage(6)
    #expect(probe.session.first == 50)
    #expect(probe.session.last == 69)
  }

  // MARK: Coming back

  @Test func aDroppedPageIsAskedForAgainByItsOwnCursorAndKeepsItsPositions() {
    var probe = scrolled(pages: 4)
    #expect(probe.appear(12) == Appearance(.idle, .started, position: 12))
    #expect(probe.lines == ["loading previous g1", "fetch previous g1 page 0 offset 0"])
    probe.arrivePage(0)
    #expect(
      probe.linesWithFacts == [
        "prepend g1 page 0 at 0 +10 | 40 more items", "dropped end 30...39 g1 | 30 more items",
        "ended previous g1 loaded | 30 more items",
      ])
    #expect(probe.loaded(among: 0..<40) == Array(0..<30))
    probe.appear(29)
    #expect(probe.lines == ["loading more g1", "fetch more g1 page 3 offset 30 cursor c3"])
    probe.arrivePage(3)
    #expect(probe.lines.first == "append g1 page 3 at 30 +10")
    #expect(probe.session.last == 39)
  }

  @Test func farDownAndBackUpGivesTheSameListWithoutThrashing() {
    var probe = scrolled(pages: 12)
    var fetched = 0
    while let first = probe.session.first, first > 0, fetched < 1_000 {
      probe.appear(first)
      while let fetch = probe.fetches.first, fetched < 1_000 {
        fetched += 1
        probe.arrivePage(fetch.place.page)
      }
      #expect(probe.session.count <= 40)
    }
    #expect(fetched == 9)
    #expect(probe.session.last == 29)
    #expect(!probe.session.hasPrevious)
    while let last = probe.session.last, last < 119, fetched < 1_000 {
      probe.appear(last)
      while let fetch = probe.fetches.first, fetched < 1_000 {
        fetched += 1
        probe.arrivePage(fetch.place.page)
      }
    }
    #expect(fetched == 18)
    #expect(probe.loaded(among: 0..<120) == Array(90..<120))
  }

  @Test func aReopenedPageIsNoCycle() {
    var probe = scrolled(pages: 4)
    for _ in 0..<3 {
      probe.appear(10)
      probe.arrivePage(0)
      probe.appear(0)
      probe.appear(29)
      probe.arrivePage(3)
    }
    #expect(probe.session.failure(of: .more) == nil)
    #expect(probe.session.failure(of: .previous) == nil)
  }

  /// A page that grew or shrank meanwhile is placed against the edge.
  @Test func aReopenedPageOfAnotherSizeLiesAgainstTheEdge() {
    var probe = scrolled(pages: 4)
    probe.appear(10)
    probe.arrive(4..<10, next: Probe.cursor("c1"))
    #expect(probe.lines.first == "prepend g1 page 0 at 4 +6")
    #expect(probe.session.first == 4)
    #expect(!probe.session.hasPrevious)
  }

  @Test func aDroppedSideThatHadEndedOpensAgain() {
    var probe = scrolled(pages: 3, maxItems: 20)
    probe.appear(29)
    probe.arrive(30..<40, next: .null)
    #expect(probe.facts == "20 previous items")
    probe.appear(20)
    probe.arrivePage(1)
    #expect(probe.facts == "20 previous more items")
    probe.appear(29)
    probe.arrivePage(3, next: .null)
    #expect(!probe.session.hasMore)
  }

  @Test func aFailureThatStandsBehindDroppedPagesStandsAgainWhenTheyAreBack() {
    var probe = scrolled(pages: 4, maxItems: 30)
    probe.appear(39)
    probe.failForGood()
    probe.appear(10)
    probe.arrivePage(0)
    #expect(probe.session.last == 29)
    #expect(probe.session.failure(of: .more) == nil)
    #expect(probe.appear(29).decision == .started)
    probe.arrivePage(3)
    #expect(probe.session.last == 39)
    #expect(probe.appear(39).decision == .latched)
    #expect(probe.fetches.isEmpty)
    probe.loadMore()
    #expect(probe.fetches.first?.place.page == 4)
  }

  @Test func droppingPagesLiftsAPause() {
    var probe = scrolled(pages: 4, maxItems: 30) { $0.maxEmptyPages = 1 }
    probe.appear(39)
    probe.arrive([], next: Probe.cursor("c5"))
    #expect(probe.session.isPaused)
    probe.appear(10)
    probe.arrivePage(0)
    #expect(!probe.session.isPaused)
    #expect(probe.session.last == 29)
  }

  // MARK: Demand

  @Test func whatIsDroppedTakesItsDemandAlong() {
    var probe = scrolled(pages: 4)
    probe.appear(39)
    probe.arrivePage(4)
    #expect(probe.session.first == 20)
    for position in [20, 10, 2] {
      probe.appear(position)
      for _ in 0..<9 { if let fetch = probe.fetches.first { probe.arrivePage(fetch.place.page) } }
    }
    // Item 39 was the furthest demand; it is gone, and nobody is near the end.
    #expect(probe.session.last == 29)
    #expect(!probe.session.isLoading(.more))
  }

  @Test func afterARefreshTheWindowLiesAroundWhatWasVisible() {
    var probe = Probe.loaded(10, next: Probe.cursor("c1")) {
      $0.pageSize = 10
      $0.maxItems = 50
      $0.refreshExtent = .loaded
    }
    for page in 1...4 {
      probe.appear(page * 10 - 1)
      probe.arrivePage(page)
    }
    probe.appear(2)
    probe.refresh()
    for page in 0...4 { probe.arrivePage(page) }
    #expect(probe.session.first == 0)
    probe.loadMore()
    probe.arrivePage(5)
    // The furthest demand was at 39, but the screen is at 2.
    #expect(probe.session.first == 0)
  }

  @Test func aPageThatAddsNothingDropsNothing() {
    var probe = scrolled(pages: 3)
    probe.appear(29)
    probe.arrive([], next: Probe.cursor("c4"))
    #expect(
      probe.lines == [
        "append g1 page 3 at 30 +0", "ended more g1 loaded", "loading more g1",
        "fetch more g1 page 4 offset 30 cursor c4",
      ])
  }
}

extension Probe {
  /// Answers a fetch with page `page` of a list of ten items a page, by cursors c1, c2, and so on.
  mutating func arrivePage(_ page: Int, next: CursorField? = nil, kind: LoadKind? = nil) {
    let ticket = fetches.first { kind == nil || $0.kind == kind }?.ticket
    arrive(page * 10..<page * 10 + 10, next: next ?? Probe.cursor("c\(page + 1)"), ticket: ticket)
  }
}
