import Testing

@testable import PaginationCore

/// What a page says of what follows: the end, cursors, cycles, contradictions, and pages that bring nothing.
@Suite struct EndAndCursorTests {
  // MARK: endOn

  /// `endOn` decides only where the page says nothing; what counts is what the source gave, before dedupe.
  @Test(arguments: [
    (SessionSettings.EndOn.emptyPage, 0, false), (.emptyPage, 1, true), (.emptyPage, 9, true), (.emptyPage, 10, true),
    (.shortPage, 0, false), (.shortPage, 1, false), (.shortPage, 9, false), (.shortPage, 10, true),
    (.shortPage, 11, true), (.shortPage, 30, true), (.never, 0, true), (.never, 9, true), (.never, 10, true),
  ])
  func endOnDecidesWhereThePageSaysNothing(endOn: SessionSettings.EndOn, count: Int, hasMore: Bool) {
    var probe = Probe.loaded(10) {
      $0.pageSize = 10
      $0.endOn = endOn
    }
    probe.loadMore()
    probe.arrive(10..<10 + count)
    #expect(probe.session.hasMore == hasMore)
  }

  @Test func duplicatesDoNotMakeAPageShort() {
    var probe = Probe.loaded(10) {
      $0.pageSize = 10
      $0.endOn = .shortPage
    }
    probe.loadMore()
    probe.arrive(0..<10)
    #expect(probe.session.hasMore)
    #expect(probe.session.count == 10)
  }

  @Test(arguments: [SessionSettings.EndOn.emptyPage, .shortPage, .never])
  func whatThePageSaysBeatsEndOn(endOn: SessionSettings.EndOn) {
    let cases: [(CursorField, Bool?, Int, Bool)] = [
      (.null, nil, 10, false), (.null, true, 10, false), (.absent, false, 10, false),
      (Probe.cursor("n"), false, 10, false), (Probe.cursor("n"), nil, 0, true), (Probe.cursor("n"), true, 0, true),
      (.absent, true, 0, true), (.absent, true, 3, true),
    ]
    for (next, more, count, expected) in cases {
      var probe = Probe.loaded(10) {
        $0.pageSize = 10
        $0.endOn = endOn
      }
      probe.loadMore()
      probe.arrive(10..<10 + count, next: next, hasMore: more)
      #expect(probe.session.hasMore == expected, "\(next) \(String(describing: more)) \(count)")
    }
  }

  @Test func aListOfExactlyFullPagesEndsWithOneEmptyPageAndNoError() {
    var probe = Probe.loaded(20)
    probe.appear(19)
    probe.arrive([])
    #expect(probe.lines == ["append g1 page 1 at 20 +0", "ended more g1 loaded"])
    #expect(probe.facts == "20 items")
    #expect(probe.appear(19).decision == .ended)
  }

  @Test func anythingMoreThanNothingIsMore() {
    var probe = Probe.loaded(24, hasMore: true, { $0.pageSize = 24 })
    probe.appear(23)
    #expect(probe.lines.last == "fetch more g1 page 1 offset 24")
    probe.arrive(24..<25, next: .null)
    #expect(probe.session.count == 25)
  }

  @Test func totalIsPassedOnAndDecidesNothing() {
    var probe = Probe.loaded(20)
    probe.loadMore()
    probe.arrive(20..<40, hasMore: true, total: 40)
    #expect(probe.lines.first == "append g1 page 1 at 20 +20 of 40")
    #expect(probe.session.hasMore)
    #expect(probe.session.total == 40)
    probe.loadMore()
    probe.arrive(40..<50, next: .null)
    #expect(probe.session.total == 40)
  }

  // MARK: Offsets and cursors

  /// The raw offset counts what the source gave: neither duplicates nor empty pages disturb it.
  @Test func theRawOffsetIsKeptApartFromTheListsLength() {
    var probe = Probe.loaded(20)
    probe.loadMore()
    probe.arrive(Array(0..<15) + Array(20..<25), hasMore: true)
    #expect(probe.session.count == 25)
    probe.loadMore()
    #expect(probe.lines.last == "fetch more g1 page 2 offset 40")
    probe.arrive([], hasMore: true)
    probe.loadMore()
    #expect(probe.lines.last == "fetch more g1 page 3 offset 40")
    probe.arrive(30..<90, hasMore: true)
    probe.loadMore()
    #expect(probe.lines.last == "fetch more g1 page 4 offset 100")
  }

  @Test func aCursorIsUsedAsItWasGiven() {
    var probe = Probe.loaded(20, next: Probe.cursor("{\"b\": [1.50, \"\\u0061\"]}"))
    probe.loadMore()
    #expect(probe.fetches.first?.place.cursor == Array("{\"b\": [1.50, \"\\u0061\"]}".utf8))
  }

  @Test func aSourceThatGivesNoCursorGoesByPageAndOffset() {
    var probe = Probe.loaded(20, hasMore: nil)
    probe.loadMore()
    #expect(probe.fetches.first?.place == PagePlace(page: 1, offset: 20))
  }

  @Test func theCursorOfTheNewestPageCounts() {
    var probe = Probe.loaded(20, next: Probe.cursor("b"))
    probe.loadMore()
    probe.arrive(20..<40, next: Probe.cursor("c"))
    probe.loadMore()
    #expect(probe.fetches.first?.place.cursor == Array("c".utf8))
  }

  // MARK: Cycles

  /// A cursor that comes back after 1, 2, 3 or more steps commits its page, then latches.
  @Test(arguments: [1, 2, 3, 10])
  func aCursorThatComesBackLatches(steps: Int) {
    var probe = Probe.loaded(10, next: Probe.cursor("c1"))
    for step in 1..<steps + 1 {
      probe.loadMore(step)
      let next = step == steps ? "c1" : "c\(step + 1)"
      probe.arrive(step * 10..<step * 10 + 10, next: Probe.cursor(next))
    }
    #expect(
      probe.linesWithFacts == [
        "append g1 page \(steps) at \(steps * 10) +10 | \(steps * 10 + 10) more items",
        "failed more g1 cycle c1 try 1", "ended more g1 failed | \(steps * 10 + 10) more items",
        "answer \(steps) loaded +10 | \(steps * 10 + 10) g1",
      ])
    #expect(probe.appear(steps * 10 + 9).decision == .latched)
    #expect(probe.fetches.isEmpty)
  }

  @Test(arguments: [1, 2, 3])
  func aCursorThatComesBackAtTheStartLatchesThatEdge(steps: Int) {
    var probe = Probe.loaded(10, next: Probe.cursor("n"), previous: Probe.cursor("c1"))
    for step in 1..<steps + 1 {
      probe.loadPrevious()
      let previous = step == steps ? "c1" : "c\(step + 1)"
      probe.arrive(-step * 10..<10 - step * 10, previous: Probe.cursor(previous))
    }
    #expect(probe.lines[1] == "failed previous g1 cycle c1 try 1")
    #expect(probe.session.failure(of: .previous) != nil)
    #expect(probe.session.failure(of: .more) == nil)
    #expect(probe.appear(9).decision == .started)
  }

  @Test func theFirstCursorItselfCountsAsSeen() {
    var probe = Probe { $0.start = StartPlace(firstCursor: Array("a".utf8)) }
    probe.open()
    probe.arrive(0..<20, next: Probe.cursor("a"))
    #expect(probe.lines[1] == "failed initial g1 cycle a try 1")
  }

  @Test func theSameCursorInTheOtherDirectionIsNoCycle() {
    var probe = Probe.loaded(20, next: Probe.cursor("x"), previous: Probe.cursor("x"))
    #expect(probe.session.failure(of: .initial) == nil)
    probe.loadMore()
    probe.arrive(20..<40, next: Probe.cursor("y"))
    probe.loadPrevious()
    probe.arrive(-20..<0, previous: Probe.cursor("y"))
    #expect(probe.session.failure(of: .previous) == nil)
  }

  @Test func aRefreshForgetsWhichCursorsWereSeen() {
    var probe = Probe.loaded(20, next: Probe.cursor("b"))
    probe.refresh()
    probe.arrive(0..<20, next: Probe.cursor("b"))
    #expect(probe.session.failure(of: .more) == nil)
    probe.loadMore()
    probe.arrive(20..<40, next: Probe.cursor("b"))
    #expect(probe.session.failure(of: .more) != nil)
  }

  @Test func sourcesThatPageByOffsetKnowNoCycle() {
    var probe = Probe.loaded(20)
    for page in 1...50 {
      probe.loadMore()
      probe.arrive(page * 20..<page * 20 + 20, hasMore: true)
    }
    #expect(probe.session.failure(of: .more) == nil)
  }

  /// What a cycle names is in the list already: in a list without ids it would be doubled.
  @Test func afterACycleOnlyARefreshAsksAgain() {
    var probe = Probe.loaded(10, next: Probe.cursor("b")) { $0.rearmOnAppear = true }
    probe.loadMore()
    probe.arrive(10..<20, next: Probe.cursor("b"))
    probe.loadMore(1)
    #expect(probe.lines == ["fail 1 cycle b"])
    probe.loadMore()
    #expect(probe.lines == [])
    probe.show(0, 2)
    probe.show(18, 19)
    #expect(probe.fetches.isEmpty)
    probe.refresh()
    #expect(probe.fetches.count == 1)
  }

  /// A source that waits for more names the same cursor with an empty page.
  @Test func anEmptyPageThatNamesItselfMayBeAskedForAgain() {
    var probe = Probe.loaded(10, next: Probe.cursor("b"))
    probe.loadMore()
    probe.arrive(0..<0, next: Probe.cursor("b"))
    probe.loadMore(1)
    #expect(probe.lines == ["loading more g1", "fetch more g1 page 2 offset 10 cursor b"])
    probe.arrive(10..<20, next: Probe.cursor("c"))
    #expect(probe.lines == ["append g1 page 2 at 10 +10", "ended more g1 loaded", "answer 1 loaded +10"])
  }

  // MARK: Contradictions

  @Test func nextNullBeatsHasMoreTrue() {
    let probe = Probe.loaded(20, next: .null, hasMore: true)
    #expect(!probe.session.hasMore)
  }

  @Test func hasMoreFalseBeatsACursor() {
    let probe = Probe.loaded(20, next: Probe.cursor("b"), hasMore: false)
    #expect(!probe.session.hasMore)
  }

  @Test func aSourceByCursorsThatNamesNoneHasEnded() {
    var probe = Probe.loaded(20, next: Probe.cursor("b"))
    probe.loadMore()
    probe.arrive(20..<40)
    #expect(!probe.session.hasMore)
  }

  /// More, but nobody says where: an error, and never the first page again.
  @Test func aSourceByCursorsThatPromisesMoreWithoutNamingItLatches() {
    var probe = Probe.loaded(20, next: Probe.cursor("b"))
    probe.loadMore()
    probe.arrive(20..<40, hasMore: true)
    #expect(probe.lines[1] == "failed more g1 missing cursor try 1")
    #expect(probe.session.count == 40)
    #expect(probe.appear(39).decision == .latched)
    probe.loadMore(1)
    #expect(probe.lines == ["fail 1 missing cursor"])
  }

  @Test func anAbsentOrNullPreviousIsTheStart() {
    #expect(!Probe.loaded(20).session.hasPrevious)
    #expect(!Probe.loaded(20, previous: .null).session.hasPrevious)
    var probe = Probe.loaded(20, previous: Probe.cursor("p"))
    #expect(probe.session.hasPrevious)
    probe.loadPrevious()
    probe.arrive(-20..<0, next: Probe.cursor("ignored"))
    #expect(!probe.session.hasPrevious)
    #expect(probe.session.hasMore)
  }

  @Test func onlyTheFirstPageSaysWhatLiesBeforeTheList() {
    var probe = Probe.loaded(20)
    probe.loadMore()
    probe.arrive(20..<40, previous: Probe.cursor("p"), hasMore: true)
    #expect(!probe.session.hasPrevious)
  }

  // MARK: Progress

  @Test(arguments: [1, 2, 5])
  func afterSoManyLoadsWithoutAnItemAutoloadingPauses(bound: Int) {
    var probe = Probe.loaded(20) { $0.maxEmptyPages = bound }
    probe.appear(19)
    for load in 1...bound {
      #expect(!probe.session.isPaused)
      probe.arrive(load % 2 == 0 ? Array(0..<5) : [], hasMore: true)
    }
    #expect(probe.linesWithFacts.last == "ended more g1 paused | 20 more paused items")
    #expect(!probe.session.isBusy)
    #expect(probe.appear(19).decision == .paused)
  }

  @Test func anItemBetweenStartsTheCountAnew() {
    var probe = Probe.loaded(20) {
      $0.maxEmptyPages = 2
      $0.prefetchThreshold = 10
    }
    probe.appear(19)
    probe.arrive([], hasMore: true)
    probe.arrive([20], hasMore: true)
    probe.arrive([], hasMore: true)
    #expect(!probe.session.isPaused)
    probe.arrive([], hasMore: true)
    #expect(probe.session.isPaused)
  }

  @Test func loadMoreLiftsThePauseAndTheCountBeginsAnew() {
    var probe = Probe.loaded(20) { $0.maxEmptyPages = 2 }
    probe.appear(19)
    probe.arrive([], hasMore: true)
    probe.arrive([], hasMore: true)
    probe.loadMore(1)
    #expect(!probe.session.isPaused)
    probe.arrive([], hasMore: true)
    #expect(probe.lines[2] == "answer 1 loaded +0")
    #expect(probe.session.isLoading(.more))
    probe.arrive([], hasMore: true)
    #expect(probe.session.isPaused)
  }

  @Test func aPauseAtTheStartIsItsOwn() {
    var probe = Probe.loaded(20, previous: Probe.cursor("a")) { $0.maxEmptyPages = 1 }
    probe.loadPrevious(1)
    probe.arrive([], previous: Probe.cursor("b"))
    #expect(probe.lines.last == "answer 1 paused +0")
    #expect(!probe.session.isPaused)
    #expect(probe.appear(0).previous == .paused)
    #expect(probe.appear(19).decision == .started)
    probe.loadPrevious()
    #expect(probe.session.isLoading(.previous))
  }

  @Test func anEmptyLastPageIsTheEndAndNoPause() {
    var probe = Probe.loaded(20) { $0.maxEmptyPages = 1 }
    probe.appear(19)
    probe.arrive([], next: .null)
    #expect(probe.facts == "20 items")
  }

  // MARK: Dedupe

  @Test func theFirstOccurrenceWins() {
    var probe = Probe()
    probe.open()
    probe.arrive([1, 2, 1, 3, 2], hasMore: true)
    #expect(probe.lines.first == "append g1 page 0 at 0 +3 -2")
    #expect(probe.loaded(among: 0..<10) == [1, 2, 3])
    probe.loadMore()
    probe.arrive([3, 4, 4, 1], hasMore: true)
    #expect(probe.lines.first == "append g1 page 1 at 3 +1 -3")
    let dropping = probe.commands.compactMap { command in
      if case .page(let event) = command { event.dropping } else { nil }
    }
    #expect(dropping == [[0, 2, 3]])
    #expect(probe.loaded(among: 0..<10) == [1, 2, 3, 4])
  }

  @Test func inAPrependTheFirstOccurrenceInTheOrderOfTheListWins() {
    var probe = Probe.loaded(3, previous: Probe.cursor("p"))
    probe.loadPrevious()
    probe.arrive([7, 8, 7, 1, 9])
    #expect(probe.lines.first == "prepend g1 page -1 at -3 +3 -2")
    #expect(probe.loaded(among: 0..<10) == [7, 8, 9, 0, 1, 2])
  }

  @Test func withoutDedupeEveryItemCounts() {
    var probe = Probe.loaded(3) { $0.dedupe = false }
    probe.loadMore()
    probe.arrive([2, 2, 3], hasMore: true)
    #expect(probe.lines.first == "append g1 page 1 at 3 +3")
    #expect(probe.session.position(of: Probe.id(2)) == 2)
  }

  @Test func itemsWithoutAnIdAndSourceKeysAreNeverDeduped() {
    var probe = Probe.loaded(1)
    let key = Fingerprint.of(sourceKey: 5, key: Probe.key)
    probe.loadMore()
    probe.arrive(PageArrival(ids: [.none, .none, key, key], hasMore: true))
    #expect(probe.lines.first == "append g1 page 1 at 1 +4")
    #expect(probe.session.position(of: key) == 3)
    #expect(probe.session.position(of: .none) == nil)
  }

  @Test func aPageThreeTimesAsLargeAsAskedForIsTaken() {
    var probe = Probe.loaded(20)
    probe.appear(19)
    probe.arrive(20..<80, hasMore: true)
    #expect(probe.lines.first == "append g1 page 1 at 20 +60")
    #expect(probe.session.count == 80)
  }
}
