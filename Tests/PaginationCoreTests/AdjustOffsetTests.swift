import Testing

@testable import PaginationCore

/// `adjustOffset`: items have come into the source, or gone from it, before the loaded end.
@Suite struct AdjustOffsetTests {
  @Test func theNextPageBeginsWhereTheItemsAreNow() {
    var probe = Probe.loaded(20)
    #expect(probe.session.offsetAdjusted(by: 3) == 23)
    #expect(probe.session.offsetAdjusted(by: -5) == 18)
    probe.loadMore()
    #expect(probe.fetches.first?.place == PagePlace(page: 1, offset: 18))
  }

  @Test func anOffsetIsNeverNegative() {
    var probe = Probe.loaded(20)
    #expect(probe.session.offsetAdjusted(by: -100) == 0)
  }

  @Test func whatIsSaidWhileALoadRunsCountsFromItsEnd() {
    var probe = Probe.loaded(20)
    probe.loadMore()
    #expect(probe.session.offsetAdjusted(by: 2) == 22)
    probe.arrive(20..<40, hasMore: true)
    probe.loadMore()
    #expect(probe.fetches.first?.place.offset == 42)
  }

  @Test func aRetryAsksWhereTheItemsAreNow() {
    var probe = Probe.loaded(20)
    probe.loadMore()
    probe.fail()
    _ = probe.session.offsetAdjusted(by: 4)
    probe.fireNextTimer()
    #expect(probe.fetches.first?.place.offset == 24)
    probe.arrive(20..<40, hasMore: true)
    probe.loadMore()
    #expect(probe.fetches.first?.place.offset == 44)
  }

  @Test func aCancelledLoadKeepsTheAdjustment() {
    var probe = Probe.loaded(20)
    probe.loadMore(1)
    _ = probe.session.offsetAdjusted(by: 7)
    probe.cancel(1)
    probe.loadMore()
    #expect(probe.fetches.first?.place.offset == 27)
  }

  /// Pages move together, so that a page that the window dropped leaves no gap before the next one when it comes back.
  @Test func pagesThatWereLoadedMoveAlong() {
    var probe = Probe.loaded(20) { $0.maxItems = 40 }
    for page in 1...2 {
      probe.loadMore(page)
      probe.arrive(page * 20..<page * 20 + 20, hasMore: true)
    }
    #expect(probe.session.first == 20)
    _ = probe.session.offsetAdjusted(by: 5)
    probe.show(20, 21)
    #expect(probe.fetches.first?.place == PagePlace(page: 0, offset: 5))
    probe.arrive(0..<20, hasMore: true)
    #expect(probe.lines.contains("dropped end 40...59 g1"))
    probe.loadMore()
    #expect(probe.fetches.first?.place == PagePlace(page: 2, offset: 45))
  }

  @Test func noSumOfAdjustmentsOverflows() {
    var probe = Probe.loaded(20)
    probe.loadMore()
    for _ in 0..<2_000 { _ = probe.session.offsetAdjusted(by: 1 << 53) }
    #expect(probe.session.offsetAdjusted(by: .max) == 1 << 53)
    probe.arrive(20..<40, hasMore: true)
    #expect(probe.session.offsetAdjusted(by: 1 << 53) <= 1 << 53)
    for _ in 0..<2_000 { _ = probe.session.offsetAdjusted(by: -(1 << 53)) }
    #expect(probe.session.offsetAdjusted(by: .min) == 0)
  }
}
