import Testing

@testable import PaginationCore

/// Going on in a later process where an earlier one left off.
@Suite struct ResumeTests {
  /// A list of three pages of 20 by cursor, with item 45 in view.
  private func source() -> Probe {
    var probe = Probe.loaded(20, next: Probe.cursor("b"))
    probe.loadMore()
    probe.arrive(20..<40, next: Probe.cursor("c"))
    probe.loadMore()
    probe.arrive(40..<60, next: Probe.cursor("d"))
    _ = probe.session.scrolledIDSet(Probe.id(45))
    return probe
  }

  private func resumed(_ place: PagePlace, _ earlier: [PagePlace], scrolled: Int? = 45) -> Probe {
    var probe = Probe {
      $0.start = StartPlace(place: place, earlier: earlier, isResume: true)
      $0.endOn = .never
    }
    _ = probe.session.scrolledIDSet(scrolled.map { Probe.id($0) })
    probe.open()
    return probe
  }

  @Test func thePlaceIsThatOfTheScrolledItemsPage() throws {
    let token = try #require(source().session.resumePlace(limit: 10))
    #expect(token.place == PagePlace(cursor: Array("c".utf8), page: 2, offset: 40))
    #expect(token.earlier == [PagePlace(), PagePlace(cursor: Array("b".utf8), page: 1, offset: 20)])
  }

  @Test func asManyEarlierPlacesAsFitAreTheNearestOnes() throws {
    let probe = source()
    #expect(probe.session.resumePlace(limit: 1)?.earlier == [PagePlace(cursor: Array("b".utf8), page: 1, offset: 20)])
    #expect(probe.session.resumePlace(limit: 0)?.earlier == [])
  }

  @Test func withoutAScrolledItemThePlaceIsThatOfWhatIsVisible() throws {
    var probe = source()
    _ = probe.session.scrolledIDSet(Probe.id(999))
    #expect(probe.session.resumePlace(limit: 9)?.place.page == 0)
    probe.show(25, 45)
    #expect(probe.session.resumePlace(limit: 9)?.place.page == 1)
  }

  @Test func earlierPlacesReachBeyondTheWindow() throws {
    var probe = Probe.loaded(20, next: Probe.cursor("b")) { $0.maxItems = 40 }
    probe.show(10, 19)
    probe.arrive(20..<40, next: Probe.cursor("c"))
    probe.show(30, 39)
    probe.arrive(40..<60, next: Probe.cursor("d"))
    #expect(probe.session.first == 20)
    _ = probe.session.scrolledIDSet(Probe.id(45))
    let token = try #require(probe.session.resumePlace(limit: 10))
    #expect(token.earlier.map(\.page) == [0, 1])
  }

  @Test func nothingLoadedMeansNoPlace() {
    #expect(Probe().session.resumePlace(limit: 10) == nil)
  }

  @Test func theScrolledItemsPageIsLoadedFirstAsPositionZeroOn() throws {
    let token = try #require(source().session.resumePlace(limit: 10))
    var probe = resumed(token.place, token.earlier)
    #expect(probe.lines == ["loading initial g1", "fetch initial g1 page 2 offset 40 cursor c"])
    #expect(probe.facts == "0 more loadingFirst")
    probe.arrive(40..<60, next: Probe.cursor("d"))
    #expect(
      probe.linesWithFacts == [
        "append g1 page 0 at 0 +20 scroll to 5 resumed true | 20 previous more items",
        "ended initial g1 loaded | 20 previous more items",
      ])
  }

  @Test func bothWaysWorkFromThere() throws {
    let token = try #require(source().session.resumePlace(limit: 10))
    var probe = resumed(token.place, token.earlier)
    probe.arrive(40..<60, next: Probe.cursor("d"))
    probe.loadPrevious(1)
    #expect(probe.lines.last == "fetch previous g1 page 1 offset 20 cursor b")
    probe.arrive(20..<40, next: Probe.cursor("c"))
    #expect(probe.lines == ["prepend g1 page -1 at -20 +20", "ended previous g1 loaded", "answer 1 loaded +20"])
    probe.loadPrevious(2)
    #expect(probe.lines.last == "fetch previous g1 page 0 offset 0")
    probe.arrive(0..<20, next: Probe.cursor("b"))
    #expect(probe.lines.first == "prepend g1 page -2 at -40 +20")
    #expect(probe.facts == "60 more items")
    probe.loadMore(3)
    #expect(probe.lines.last == "fetch more g1 page 3 offset 60 cursor d")
    probe.arrive(60..<80, next: .null)
    #expect(probe.lines.first == "append g1 page 1 at 20 +20")
    #expect(probe.loaded(among: 0..<80) == Array(0..<80))
  }

  /// The places in a token are cut; beyond them the page that comes back says what lies before it.
  @Test func beyondTheTokensPlacesThePageItselfKnowsTheWay() throws {
    let token = try #require(source().session.resumePlace(limit: 1))
    var probe = resumed(token.place, token.earlier)
    probe.arrive(40..<60, next: Probe.cursor("d"), previous: Probe.cursor("ignored"))
    probe.loadPrevious()
    probe.arrive(20..<40, previous: Probe.cursor("z"))
    #expect(probe.session.hasPrevious)
    probe.loadPrevious()
    #expect(probe.lines.last == "fetch previous g1 page 0 offset 20 cursor z backward")
  }

  @Test func aPlaceThatTheSourceRefusesForGoodGivesTheFirstPage() throws {
    let token = try #require(source().session.resumePlace(limit: 10))
    var probe = resumed(token.place, token.earlier)
    probe.loadMore(1)
    probe.failForGood("expired")
    #expect(probe.lines == ["fetch initial g1 page 0 offset 0"])
    probe.arrive(0..<20, next: Probe.cursor("b"))
    #expect(
      probe.linesWithFacts == [
        "append g1 page 0 at 0 +20 resumed false | 20 more items", "ended initial g1 loaded | 20 more items",
        "answer 1 coalesced +20 | 20 g1",
      ])
    #expect(!probe.session.hasPrevious)
  }

  @Test func aPlaceThatCannotBeHadNowIsRetriedAndNotGivenUp() throws {
    let token = try #require(source().session.resumePlace(limit: 10))
    var probe = resumed(token.place, token.earlier)
    for _ in 0..<3 {
      probe.fail()
      probe.fireNextTimer()
      #expect(probe.fetches.first?.place.page == 2)
    }
    probe.fail()
    #expect(probe.facts == "0 more failedFirst")
    probe.loadMore()
    #expect(probe.fetches.first?.place.page == 2)
    probe.arrive(40..<60)
    #expect(probe.lines.first == "append g1 page 0 at 0 +20 scroll to 5 resumed true")
  }

  @Test func aTokenThatCannotBeReadGivesTheFirstPageAndSaysSo() {
    var probe = Probe { $0.start = StartPlace(isResume: true) }
    probe.open()
    #expect(probe.lines.last == "fetch initial g1 page 0 offset 0")
    probe.arrive(0..<20)
    #expect(probe.lines.first == "append g1 page 0 at 0 +20 resumed false")
    probe.loadMore()
    probe.arrive(20..<40)
    #expect(probe.lines.first == "append g1 page 1 at 20 +20")
  }

  @Test(arguments: [SessionSettings.RefreshMode.keep, .clear])
  func aRefreshBeforeTheFirstPageGivesTheResumeUp(_ mode: SessionSettings.RefreshMode) throws {
    let token = try #require(source().session.resumePlace(limit: 10))
    var probe = resumed(token.place, token.earlier)
    probe.refresh(mode: mode)
    #expect(probe.lines.last == "fetch refresh g2 page 0 offset 0")
    probe.arrive(0..<20)
    #expect(probe.lines.contains("replace g2 page 0 at 0 +20 resumed false"))
    #expect(!probe.session.hasPrevious)
  }

  @Test func theOtherPagesSayNothingOfAToken() throws {
    let token = try #require(source().session.resumePlace(limit: 10))
    var probe = resumed(token.place, token.earlier)
    probe.arrive([], next: Probe.cursor("d"))
    #expect(probe.lines.first == "append g1 page 0 at 0 +0 resumed true")
    probe.arrive(60..<65, next: .null)
    #expect(probe.lines.first == "append g1 page 1 at 0 +5")
  }

  /// The source has become shorter than that: what is left of it must be seen.
  @Test func whereNothingIsLeftAtTheTokensPlaceTheListBeginsAtItsOwnStart() throws {
    let token = try #require(source().session.resumePlace(limit: 10))
    var probe = resumed(token.place, token.earlier)
    probe.arrive([], next: .null)
    #expect(probe.lines == ["fetch initial g1 page 0 offset 0"])
    #expect(!probe.session.hasPrevious)
    probe.arrive(0..<20, next: .null)
    #expect(probe.lines == ["append g1 page 0 at 0 +20 resumed false", "ended initial g1 loaded"])
  }

  /// A cursor from a token is checked like one of a response.
  @Test func aCycleBackToTheTokensCursorIsFound() throws {
    let token = try #require(source().session.resumePlace(limit: 10))
    var probe = resumed(token.place, token.earlier)
    probe.arrive(40..<60, next: Probe.cursor("c"))
    #expect(probe.lines[1] == "failed initial g1 cycle c try 1")
  }

  @Test func aCycleBackToACursorOfTheTokensWayIsFound() throws {
    let token = try #require(source().session.resumePlace(limit: 10))
    var probe = resumed(token.place, token.earlier)
    probe.arrive(40..<60, next: Probe.cursor("b"))
    #expect(probe.lines[1] == "failed initial g1 cycle b try 1")
  }

  // MARK: startAt

  @Test func startAtBeginsAtACursorThatIsTheListsFirst() {
    var probe = Probe { $0.start = StartPlace(firstCursor: Array("m".utf8)) }
    probe.open()
    #expect(probe.lines.last == "fetch initial g1 page 0 offset 0 cursor m")
    probe.arrive(0..<20, next: Probe.cursor("n"), previous: Probe.cursor("l"))
    #expect(probe.facts == "20 previous more items")
    probe.loadPrevious()
    #expect(probe.lines.last == "fetch previous g1 page -1 offset 0 cursor l backward")
    probe.arrive([-3, -2, -1], previous: .null)
    #expect(probe.lines.first == "prepend g1 page -1 at -3 +3")
    #expect(!probe.session.hasPrevious)
    probe.refresh()
    #expect(probe.lines.last == "fetch refresh g2 page 0 offset 0 cursor m")
  }
}
