import PaginationCore

/// Runs schedules made from seeds, and finds for one that fails the shortest that still does.
public struct Simulator: Sendable {
  /// What a run came to.
  public struct Result: Sendable {
    /// The promise that was broken, if one was.
    public let violation: Violation?
    /// Steps of the schedule.
    public let steps: Int
    /// Commands that the core gave.
    public let commands: Int
  }

  /// Makes a simulator.
  public init() {}

  /// Runs the schedule of a seed.
  public func run(seed: UInt64) -> Result {
    let scenario = Scenario(seed: seed)
    return run(scenario, scenario.steps)
  }

  private func run(_ scenario: Scenario, _ steps: [Step]) -> Result {
    var world = World(scenario)
    do {
      try world.run(steps)
      return Result(violation: nil, steps: steps.count, commands: world.commandCount)
    } catch {
      let violation = error as? Violation ?? Violation(rule: "error", detail: "\(error)")
      return Result(violation: violation, steps: steps.count, commands: world.commandCount)
    }
  }

  // MARK: Reports

  /// The shortest schedule of a seed that breaks the same promise, told step by step; nil where none is broken.
  public func report(seed: UInt64) -> String? {
    let scenario = Scenario(seed: seed)
    guard let violation = run(scenario, scenario.steps).violation else { return nil }
    let steps = minimise(scenario, rule: violation.rule)
    var world = World(scenario, isTraced: true)
    var seen = violation
    do { try world.run(steps) } catch { seen = error as? Violation ?? violation }
    var lines = [scenario.description, "  \(steps.count) of \(scenario.steps.count) steps:"]
    lines += (world.trace?.lines ?? []).map { "  " + $0 }
    lines.append("  broken: \(seen.rule): \(seen.detail)")
    return lines.joined(separator: "\n")
  }

  /// The story of a seed, broken or not.
  public func story(seed: UInt64) -> String {
    let scenario = Scenario(seed: seed)
    var world = World(scenario, isTraced: true)
    var end = "all promises kept"
    do { try world.run(scenario.steps) } catch { end = "broken: \(error)" }
    return ([scenario.description] + (world.trace?.lines ?? []) + [end]).joined(separator: "\n")
  }

  /// Cuts a schedule down, in ever smaller pieces, while it still breaks the same promise.
  private func minimise(_ scenario: Scenario, rule: String) -> [Step] {
    var steps = scenario.steps
    var piece = steps.count
    while piece > 0 {
      var start = 0
      while start < steps.count {
        var shorter = steps
        shorter.removeSubrange(start..<min(start + piece, steps.count))
        if run(scenario, shorter).violation?.rule == rule {
          steps = shorter
        } else {
          start += piece
        }
      }
      piece /= 2
    }
    return steps
  }
}
