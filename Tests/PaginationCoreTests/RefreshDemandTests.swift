import Testing

@testable import PaginationCore

/// Where demand goes when a refresh puts another list in the old one's place.
@Suite struct RefreshDemandTests {
  /// The last item was in view, and a new one at the head has pushed it off the first page: the new last item takes its
  /// place, or the list would be stranded at its end.
  @Test func demandOnALastItemThatIsGoneStaysAtTheEnd() {
    var probe = Probe.loaded(10) {
      $0.pageSize = 10
      $0.prefetchThreshold = 3
    }
    probe.refresh()
    #expect(probe.appear(9).decision == .refreshing)
    probe.arrive([100] + Array(0..<9), hasMore: true)
    #expect(probe.fetches.map(\.kind) == [.more])
  }
}
