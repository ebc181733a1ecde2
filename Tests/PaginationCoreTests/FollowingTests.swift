import PaginationCore
import Testing

/// What a followed source gains comes as pages without a load, while the list's end is the source's.
@Suite struct FollowingTests {
  /// A page of a followed source that holds the items up to `end`, from `start` on.
  private func page(_ start: Int, _ end: Int, hasMore: Bool = false) -> PageArrival {
    var arrival = PageArrival(ids: (start..<end).map { Probe.id($0) }, hasMore: hasMore)
    arrival.again = Array("\(start)-\(end)".utf8)
    if hasMore { arrival.next = Probe.cursor("\(end)") } else { arrival.tail = Array("\(end)".utf8) }
    return arrival
  }

  /// A session whose only page, the source's last, holds `count` items.
  private func followed(_ count: Int, _ configure: (inout SessionSettings) -> Void = { _ in }) -> Probe {
    var probe = Probe(configure)
    probe.open()
    probe.arrive(page(0, count))
    return probe
  }

  private func place(_ cursor: String, page: Int, offset: Int) -> PagePlace {
    PagePlace(cursor: Array(cursor.utf8), page: page, offset: offset)
  }

  @Test func whatIsAddedIsAPageWithoutALoad() {
    var probe = followed(5)
    #expect(probe.session.tail == place("5", page: 1, offset: 5))
    probe.grow(page(5, 7))
    #expect(probe.linesWithFacts == ["append g1 page 1 at 5 +2 | 7 items"])
    #expect(probe.session.tail == place("7", page: 2, offset: 7))
    probe.grow(page(7, 8))
    #expect(probe.lines == ["append g1 page 2 at 7 +1"])
  }

  @Test func aSourceThatIsNotFollowedHasNoTail() {
    var probe = Probe.loaded(5, hasMore: false)
    #expect(probe.session.tail == nil)
    probe.grow(page(5, 6), at: place("5", page: 1, offset: 5))
    #expect(probe.lines == [])
    #expect(probe.session.count == 5)
  }

  @Test func thereIsNoTailBeforeTheEndIsLoaded() {
    var probe = Probe()
    #expect(probe.session.tail == nil)
    probe.open()
    #expect(probe.session.tail == nil)
    probe.arrive(page(0, 20, hasMore: true))
    #expect(probe.session.tail == nil)
    probe.loadMore()
    #expect(probe.session.tail == nil)
    probe.arrive(page(20, 25))
    #expect(probe.session.tail == place("25", page: 2, offset: 25))
  }

  @Test func moreThanAPageComesInTurnsAndIsNoMoreToLoad() {
    var probe = followed(5)
    probe.grow(page(5, 25, hasMore: true))
    #expect(probe.linesWithFacts == ["append g1 page 1 at 5 +20 | 25 items"])
    #expect(probe.session.tail == place("25", page: 2, offset: 25))
    probe.grow(page(25, 30))
    #expect(probe.linesWithFacts == ["append g1 page 2 at 25 +5 | 30 items"])
  }

  @Test func aLookThatFoundNothingSaysNothing() {
    var probe = followed(5)
    probe.grow(page(5, 5))
    #expect(probe.lines == [])
    #expect(probe.session.tail == place("5", page: 1, offset: 5))
    // What was no item (blank lines) moves the tail and takes no number.
    var blank = page(5, 5)
    blank.tail = Array("9".utf8)
    probe.grow(blank)
    #expect(probe.lines == [])
    #expect(probe.session.tail == place("9", page: 1, offset: 5))
  }

  @Test func duplicatesAreDropped() {
    var probe = followed(5)
    probe.grow(page(3, 7))
    #expect(probe.lines == ["append g1 page 1 at 5 +2 -2"])
    probe.grow(page(3, 5))
    #expect(probe.lines == ["append g1 page 2 at 7 +0 -2"])
  }

  @Test func aLateLookIsIgnored() {
    var probe = followed(5)
    let old = place("5", page: 1, offset: 5)
    probe.grow(page(5, 7))
    probe.grow(page(5, 8), at: old)
    #expect(probe.lines == [])
    probe.failFollowing(at: old)
    #expect(probe.lines == [])
    let tail = probe.session.tail
    probe.refresh()
    probe.grow(page(7, 8), at: tail)
    #expect(probe.lines == [])
    probe.arrive(page(0, 9))
    #expect(probe.session.tail == place("9", page: 1, offset: 9))
    probe.grow(page(7, 8), at: place("9", page: 1, offset: 9), generation: 1)
    #expect(probe.lines == [])
    #expect(probe.session.count == 9)
  }

  @Test func aRefreshThatFailsLeavesTheTail() {
    var probe = followed(5)
    probe.refresh()
    #expect(probe.session.tail == nil)
    probe.failForGood()
    #expect(probe.session.tail == place("5", page: 1, offset: 5))
    probe.refresh(mode: .clear)
    probe.failForGood()
    #expect(probe.session.tail == nil)
  }

  @Test func anEmptySourceIsFollowed() {
    var probe = followed(0)
    #expect(probe.facts == "0 empty")
    #expect(probe.session.tail == place("0", page: 1, offset: 0))
    probe.grow(page(0, 1))
    #expect(probe.linesWithFacts == ["append g1 page 1 at 0 +1 | 1 items"])
  }

  @Test func aFailureLatchesTheEndUntilARefresh() {
    var probe = followed(5)
    probe.failFollowing()
    #expect(probe.lines == ["failed more g1 changed try 1"])
    #expect(probe.session.failure(of: .more) != nil)
    #expect(probe.session.tail == nil)
    #expect(probe.appear(4).decision == .ended)
    probe.loadMore(1)
    #expect(probe.lines == ["answer 1 ended +0"])
    probe.refresh()
    probe.arrive(page(0, 2))
    #expect(probe.session.failure(of: .more) == nil)
    #expect(probe.session.tail == place("2", page: 1, offset: 2))
  }

  @Test func theWindowFollowsAndDropsTheStart() {
    var probe = followed(20) { $0.maxItems = 40 }
    probe.grow(page(20, 40))
    probe.grow(page(40, 45))
    #expect(probe.lines == ["append g1 page 2 at 40 +5", "dropped start 0...19 g1"])
    #expect(probe.session.tail == place("45", page: 3, offset: 45))
  }

  @Test func whatIsDroppedAtTheEndStopsTheFollowingUntilItIsBack() {
    var probe = followed(20) { $0.maxItems = 40 }
    probe.grow(page(20, 40))
    probe.show(0, 5)
    probe.grow(page(40, 45))
    #expect(probe.lines == ["append g1 page 2 at 40 +5", "dropped end 40...44 g1"])
    #expect(probe.session.tail == nil)
    #expect(probe.session.hasMore)
    // The page comes back as it was, although the source holds more there by now.
    probe.show(30, 38)
    #expect(probe.lines.last == "fetch more g1 page 2 offset 40 cursor 40-45")
    probe.arrive(page(40, 45))
    #expect(probe.session.tail == place("45", page: 3, offset: 45))
    probe.grow(page(45, 46))
    #expect(probe.lines.first == "append g1 page 3 at 45 +1")
  }

  @Test func aSessionThatMayNotLoadMoreIsNotFollowed() {
    let probe = followed(5) { $0.canLoadMore = false }
    #expect(probe.session.tail == nil)
  }

  @Test func nothingIsFollowedAfterTheEndOfTheInput() {
    var probe = followed(5)
    probe.session.inputEnded()
    #expect(probe.session.tail == nil)
    #expect(!probe.session.isBusy)
  }

  @Test func closingForgetsTheTail() {
    var probe = followed(5)
    probe.close()
    #expect(probe.session.tail == nil)
  }
}
