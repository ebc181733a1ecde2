@testable import PaginationCore
import Testing

/// From `open` to the first item.
@Suite struct FirstLoadTests {
  @Test func openingStartsTheFirstLoad() {
    var probe = Probe()
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
}
