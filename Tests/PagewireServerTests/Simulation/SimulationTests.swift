import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct SimulationTests {
  /// How many seeds are tried: PAGEWIRE_SEEDS, and from which on: PAGEWIRE_FIRST_SEED.
  private static func setting(_ name: String, _ standard: UInt64) -> UInt64 {
    getenv(name).flatMap { UInt64(String(cString: $0)) } ?? standard
  }

  @Test func noLifeOfAServerBreaksItsPromises() throws {
    let first = Self.setting("PAGEWIRE_FIRST_SEED", 0)
    for seed in first..<(first + Self.setting("PAGEWIRE_SEEDS", 250)) {
      var simulation = try Simulation(seed: seed)
      do {
        try simulation.run(steps: 120)
      } catch {
        let trace = simulation.trace.suffix(60).joined(separator: "\n")
        Issue.record("PAGEWIRE_FIRST_SEED=\(seed) PAGEWIRE_SEEDS=1: \(error)\n\(trace)")
        return
      }
    }
  }
}
