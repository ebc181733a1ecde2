/// What came of one workload against one peer: a line of a table.
struct Row {
  /// What a figure is held against; a ratio is ours to theirs.
  enum Target {
    case ratioAtMost(Double)
    case ratioAtLeast(Double)
    /// Ours is so many times better, whichever direction better is.
    case aheadAtLeast(Double)
    case oursAtLeast(Double)
    case oursAtMost(Double)
    /// Ours is so much more than the baseline at most.
    case excessAtMost(Double)
    case none
  }

  var workload: String
  var unit = ""
  var baseline = ""
  /// One figure a round; each is paired with the peer's of the same round.
  var ours: [Double] = []
  var theirs: [Double] = []
  var target = Target.none
  var notes: [String] = []
  /// Why there is no figure.
  var failure: String?
  /// How to install the peer that is not there.
  var install: String?

  init(
    workload: String, unit: String, baseline: String, ours: [Double], theirs: [Double], target: Target = .none,
    notes: [String] = []
  ) {
    self.workload = workload
    self.unit = unit
    self.baseline = baseline
    self.ours = ours
    self.theirs = theirs
    self.target = target
    self.notes = notes
  }

  init(workload: String, baseline: String = "", failure: String) {
    self.workload = workload
    self.baseline = baseline
    self.failure = failure
  }

  init(workload: String, baseline: String, install: String) {
    self.workload = workload
    self.baseline = baseline
    self.install = install
  }

  /// Whether a larger figure is the better one: rates are, times and sizes are not.
  var moreIsBetter: Bool { unit.hasSuffix("/s") }

  /// Ours to theirs, round by round.
  var ratios: [Double] { zip(ours, theirs).map { $0 / $1 } }

  /// The median of the ratios, NaN where there is nothing to compare with.
  var ratio: Double { Statistics.median(ratios) }

  /// How many times ours is the better one.
  var ahead: Double { moreIsBetter ? ratio : 1 / ratio }

  /// Whether the target is met; nil where there is none.
  var isMet: Bool? {
    guard failure == nil, install == nil else { return nil }
    return switch target {
    case .ratioAtMost(let limit): ratio <= limit
    case .ratioAtLeast(let limit): ratio >= limit
    case .aheadAtLeast(let limit): ahead >= limit
    case .excessAtMost(let limit): Statistics.median(zip(ours, theirs).map { $0 - $1 }) <= limit
    case .oursAtLeast(let limit): Statistics.median(ours) >= limit
    case .oursAtMost(let limit): Statistics.median(ours) <= limit
    case .none: nil
    }
  }

  /// The target in words; empty where there is none.
  var targetText: String {
    switch target {
    case .ratioAtMost(let limit): "ratio <= \(fixed(limit, 2))"
    case .ratioAtLeast(let limit): "ratio >= \(fixed(limit, 2))"
    case .aheadAtLeast(let limit): "\(fixed(limit, 0)) x ahead"
    case .excessAtMost(let limit): "+ \(fixed(limit, 1)) \(unit) at most"
    case .oursAtLeast(let limit): ">= \(fixed(limit, 1)) \(unit)"
    case .oursAtMost(let limit): "<= \(fixed(limit, 0)) \(unit)"
    case .none: ""
    }
  }
}
