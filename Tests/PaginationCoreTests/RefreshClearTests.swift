import Testing

@testable import PaginationCore

/// Refreshes that empty the list at once, and how they mix with those that keep it.
@Suite struct RefreshClearTests {
  @Test func aClearRefreshEmptiesTheListAtOnce() {
    var probe = Probe.loaded(20)
    probe.refresh(1, mode: .clear)
    #expect(
      probe.linesWithFacts == [
        "loading refresh g2", "source g2 commits", "cleared g2 | 0 more loadingFirst",
        "fetch refresh g2 page 0 offset 0",
      ])
    #expect(probe.session.generation == 2)
    #expect(probe.session.total == nil)
    #expect(probe.session.first == nil)
    probe.arrive(0..<20)
    #expect(probe.news == ["replace g2 page 0 at 0 +20", "ended refresh g2 loaded", "answer 1 loaded +20"])
  }

  @Test func theSessionsOwnModeIsUsedWhereNoneIsNamed() {
    var probe = Probe.loaded(20) { $0.refreshMode = .clear }
    probe.refresh()
    #expect(probe.news.contains("cleared g2"))
    probe = Probe.loaded(20) { $0.refreshMode = .clear }
    probe.refresh(mode: .keep)
    #expect(!probe.news.contains("cleared g2"))
  }

  @Test func aClearDuringAKeepClearsAtOnce() {
    var probe = Probe.loaded(20)
    probe.refresh(1)
    probe.refresh(2, mode: .clear)
    #expect(
      probe.lines == [
        "cancel fetch #2", "source g2 becomes g3", "ended refresh g2 superseded", "loading refresh g3",
        "source g3 commits", "cleared g3", "fetch refresh g3 page 0 offset 0",
      ])
    probe.arrive(0..<5)
    #expect(probe.news.suffix(2) == ["answer 1 coalesced +5", "answer 2 loaded +5"])
  }

  @Test func aKeepDuringAClearKeepsWhatIsLeft() {
    var probe = Probe.loaded(20)
    probe.refresh(mode: .clear)
    probe.refresh(mode: .keep)
    #expect(probe.session.generation == 2)
    probe.failForGood()
    #expect(probe.session.generation == 2)
    #expect(probe.facts == "0 more failedFirst")
  }
}
