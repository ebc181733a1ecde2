import PaginationSimulator
import Testing

/// A few thousand of the schedules that `pagewire-simulate` runs by the hundred thousand; see `Tests/README.md`.
@Suite struct SimulationTests {
  @Test(arguments: 0..<8)
  func everyPromiseIsKept(part: UInt64) {
    let simulator = Simulator()
    for seed in part * 250..<part * 250 + 250 {
      if simulator.run(seed: seed).violation == nil { continue }
      Issue.record("\(simulator.report(seed: seed) ?? "seed \(seed)")")
      return
    }
  }

  /// The same seed gives the same run: without that no failure could be replayed.
  @Test func aSeedAlwaysTellsTheSameStory() {
    let simulator = Simulator()
    for seed: UInt64 in [3, 17, 4_711] { #expect(simulator.story(seed: seed) == simulator.story(seed: seed)) }
  }
}
