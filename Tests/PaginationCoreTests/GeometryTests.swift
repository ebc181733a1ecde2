import Testing

@testable import PaginationCore

/// Geometry as demand: distance, the height gate, and geometry that has grown old.
@Suite struct GeometryTests {
  private func loaded(
    _ limit: SessionSettings.Distance.Limit = .absolute(50),
    gate: SessionSettings.Distance.HeightGate = .until(milliseconds: 2_000), previous: CursorField = .absent
  ) -> Probe {
    Probe.loaded(20, previous: previous) { $0.trigger = .distance(.init(limit: limit, heightGate: gate)) }
  }

  // MARK: The distance

  /// Demand is strictly less: at exactly the limit nothing is loaded.
  @Test(arguments: [(849.0, Decision.idle), (850.0, .idle), (850.5, .started), (900.0, .started), (950.0, .started)])
  func theDistanceIsStrictlyLess(offset: Double, expected: Decision) {
    var probe = loaded(.absolute(50))
    #expect(probe.scroll(to: offset, content: 1000).decision == expected)
  }

  @Test func aRelativeLimitIsAShareOfTheViewport() {
    var probe = loaded(.relative(0.5))
    #expect(probe.scroll(to: 750, content: 1000, viewport: 200).decision == .started)
    probe = loaded(.relative(0.5))
    #expect(probe.scroll(to: 700, content: 1000, viewport: 200).decision == .idle)
    #expect(probe.scroll(to: 701, content: 1000, viewport: 200).decision == .started)
  }

  @Test func atTheStartTheDistanceIsTheOffset() {
    var probe = loaded(.absolute(50), previous: Probe.cursor("p"))
    #expect(probe.scroll(to: 50, content: 1000) == Appearance(.idle, .idle))
    #expect(probe.scroll(to: 49, content: 1000) == Appearance(.idle, .started))
  }

  @Test func contentShorterThanTheViewportIsNear() {
    var probe = loaded(.absolute(1))
    #expect(probe.scroll(to: 0, content: 30).decision == .started)
  }

  @Test func lengthsThatCancelOutToNothingAreNoDemand() {
    var probe = loaded(.relative(0.5))
    #expect(probe.scroll(to: 0, content: 0, viewport: 0).decision == .idle)
    #expect(probe.scroll(to: -.greatestFiniteMagnitude, content: .greatestFiniteMagnitude).decision == .idle)
  }

  // MARK: Old geometry

  @Test func geometryFromBeforeAnAppendIsOldAfterIt() {
    var probe = loaded(gate: .never)
    probe.scroll(to: 900, content: 1000)
    probe.arrive(20..<21, hasMore: true)
    #expect(!probe.session.isBusy)
    #expect(probe.scroll(to: 900, content: 1010).decision == .started)
  }

  @Test func whereNothingWasAddedGeometryStillCounts() {
    var probe = loaded(gate: .always)
    probe.scroll(to: 900, content: 1000)
    probe.arrive([], hasMore: true)
    #expect(probe.session.isLoading(.more))
    probe.arrive(0..<20, hasMore: true)
    #expect(probe.session.isLoading(.more))
  }

  /// A change of height that comes while the load runs is no longer lost.
  @Test func aChangeOfHeightDuringTheLoadCounts() {
    var probe = loaded(gate: .always)
    probe.scroll(to: 900, content: 1000)
    #expect(probe.scroll(to: 900, content: 1040).decision == .loading)
    probe.arrive(20..<40, hasMore: true)
    #expect(probe.session.isLoading(.more))
  }

  @Test func geometryDuringTheLoadThatLeftTheZoneAsksForNothing() {
    var probe = loaded(gate: .always)
    probe.scroll(to: 900, content: 1000)
    probe.scroll(to: 100, content: 1040)
    probe.arrive(20..<40, hasMore: true)
    #expect(!probe.session.isBusy)
  }

  // MARK: The gate

  @Test func theGateIsShutWhileTheHeightIsTheSame() {
    var probe = loaded(gate: .always)
    probe.scroll(to: 900, content: 1000)
    probe.arrive(20..<40, hasMore: true)
    probe.now = 100_000
    #expect(probe.scroll(to: 905, content: 1000).decision == .idle)
    #expect(probe.timers.isEmpty)
    #expect(probe.scroll(to: 910, content: 1001).decision == .started)
  }

  @Test func aSmallerHeightOpensTheGateToo() {
    var probe = loaded(gate: .always)
    probe.scroll(to: 900, content: 1000)
    probe.arrive(20..<40, hasMore: true)
    #expect(probe.scroll(to: 880, content: 980).decision == .started)
  }

  @Test func withoutAGateTheHeightDoesNotMatter() {
    var probe = loaded(gate: .never)
    probe.scroll(to: 900, content: 1000)
    probe.arrive(20..<40, hasMore: true)
    #expect(probe.scroll(to: 900, content: 1000).decision == .started)
    #expect(probe.timers.keys.allSatisfy { $0 == .timeout(ticket: 3) })
  }

  @Test func theGateLooksOnlyAtFiresWhoseLoadAddedItems() {
    var probe = loaded(gate: .always)
    probe.scroll(to: 900, content: 1000)
    probe.failForGood()
    probe.loadMore()
    probe.arrive(20..<40, hasMore: true)
    // The load that added items was not fired by geometry.
    #expect(probe.scroll(to: 900, content: 1000).decision == .started)
  }

  @Test func aCancelledFireDoesNotShutTheGate() {
    var probe = loaded(gate: .always)
    probe.scroll(to: 900, content: 1000)
    probe.refresh(1)
    probe.cancel(1)
    probe.loadMore()
    probe.arrive(20..<40, hasMore: true)
    #expect(probe.scroll(to: 900, content: 1000).decision == .started)
  }

  @Test func theGateOpensWhenItsTimeHasPassedSinceTheFire() {
    var probe = loaded(gate: .until(milliseconds: 2_000))
    probe.now = 10_000
    probe.scroll(to: 900, content: 1000)
    probe.now = 10_500
    probe.arrive(20..<40, hasMore: true)
    probe.now = 11_999
    #expect(probe.scroll(to: 900, content: 1000).decision == .idle)
    probe.now = 12_000
    #expect(probe.scroll(to: 900, content: 1000).decision == .started)
  }

  @Test(arguments: [(0, 2_000), (1_500, 500), (2_000, 2_000), (9_000, 2_000)])
  func theTimeRunsFromTheFireAndNeverOutDuringTheLoad(load: Int, rest: Int) {
    var probe = loaded(gate: .until(milliseconds: 2_000))
    probe.scroll(to: 900, content: 1000)
    probe.now = load
    probe.arrive(20..<40, hasMore: true)
    #expect(probe.timers == [.heightGate(.end): load + rest])
  }

  @Test func whenTheTimeRunsOutTheLastGeometryIsWeighedByItself() {
    var probe = loaded(gate: .until(milliseconds: 2_000))
    probe.scroll(to: 900, content: 1000)
    probe.arrive(20..<40, hasMore: true)
    #expect(probe.timers == [.heightGate(.end): 2_000])
    probe.fireNextTimer()
    #expect(probe.lines == ["loading more g1", "fetch more g1 page 2 offset 40"])
  }

  /// A front end that says nothing more is not loaded for without end.
  @Test(arguments: [1, 3])
  func oneGeometryIsWeighedAgainSoManyTimes(bound: Int) {
    var probe = Probe.loaded(20) {
      $0.trigger = .distance(.init(limit: .absolute(50), heightGate: .until(milliseconds: 2_000)))
      $0.maxUnseenPages = bound
    }
    probe.scroll(to: 900, content: 1000)
    var loads = 0
    while let fetch = probe.fetches.first, loads < 50 {
      loads += 1
      probe.arrive(fetch.place.offset..<fetch.place.offset + 20, hasMore: true)
      probe.fireNextTimer()
    }
    #expect(loads == 1 + bound)
    #expect(probe.timers.isEmpty)
    #expect(probe.scroll(to: 900, content: 1000).decision == .started)
  }

  @Test func whenTheTimeRunsOutFarFromTheEndNothingIsLoaded() {
    var probe = loaded(gate: .until(milliseconds: 2_000))
    probe.scroll(to: 900, content: 1000)
    probe.arrive(20..<40, hasMore: true)
    probe.scroll(to: 900, content: 5000)
    probe.fireNextTimer()
    #expect(probe.commands == [])
    probe.fire(.heightGate(.end))
    #expect(probe.commands == [])
  }

  @Test func aGateAtOneEdgeLeavesTheOtherOpen() {
    var probe = loaded(gate: .always, previous: Probe.cursor("p"))
    probe.scroll(to: 900, content: 1000)
    probe.arrive(20..<40, hasMore: true)
    #expect(probe.scroll(to: 0, content: 1000).previous == .started)
  }

  @Test func aGateThatOpensAtOneEdgeWeighsThatEdgeOnly() {
    var probe = loaded(.absolute(500), gate: .until(milliseconds: 2_000), previous: Probe.cursor("p"))
    probe.scroll(to: 100, content: 600)
    let tickets = probe.fetches.map(\.ticket)
    probe.arrive([], hasMore: true, ticket: tickets[0])
    probe.arrive([-1], previous: .null, ticket: tickets[1])
    let end = probe.fetches.first?.ticket
    probe.arrive(20..<40, hasMore: true, ticket: end)
    #expect(!probe.session.isBusy)
    probe.fire(.heightGate(.start))
    #expect(!probe.session.isBusy)
  }

  @Test func aPrependNeverChainsToTheNext() {
    var probe = loaded(gate: .never, previous: Probe.cursor("p"))
    probe.scroll(to: 0, content: 1000)
    probe.arrive([-2, -1], previous: Probe.cursor("q"))
    #expect(!probe.session.isBusy)
  }

  // MARK: Refresh

  @Test func geometryAndGatesStartAfreshAfterARefresh() {
    var probe = loaded(gate: .until(milliseconds: 2_000))
    probe.scroll(to: 900, content: 1000)
    probe.arrive(20..<40, hasMore: true)
    probe.refresh()
    probe.arrive(0..<20, hasMore: true)
    #expect(probe.timers.isEmpty)
    #expect(!probe.session.isBusy)
    #expect(probe.scroll(to: 900, content: 1000).decision == .started)
  }

  @Test func geometryDuringARefreshThatFailsIsWeighedAfterwards() {
    var probe = loaded()
    probe.refresh()
    #expect(probe.scroll(to: 900, content: 1000).decision == .refreshing)
    probe.failForGood()
    #expect(probe.session.isLoading(.more))
  }

  @Test func closingLeavesNoGateTimer() {
    var probe = loaded(gate: .until(milliseconds: 2_000))
    probe.scroll(to: 900, content: 1000)
    probe.arrive(20..<40, hasMore: true)
    probe.close()
    #expect(probe.timers.isEmpty)
  }
}
