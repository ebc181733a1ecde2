/// A line of the table.
struct Row {
  /// What a figure is held against.
  enum Target {
    case ratioAtMost(Double)
    case ratioAtLeast(Double)
    case oursAtLeast(Double)
    /// Ours is so much more than the baseline at most.
    case excessAtMost(Double)
    case none
  }

  var workload: String
  var unit = ""
  var baseline = ""
  var ours: [Double] = []
  var theirs: [Double] = []
  var target = Target.none
  var notes: [String] = []
  var failure: String?

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

  init(workload: String, failure: String) {
    self.workload = workload
    self.failure = failure
  }

  /// Ours to theirs, round by round.
  private var ratios: [Double] { zip(ours, theirs).map { $0 / $1 } }

  /// Ours less theirs, round by round.
  private var excesses: [Double] { zip(ours, theirs).map { $0 - $1 } }

  private var cells: [String] {
    if failure != nil { return [workload, "no figure", "", "", "", "", "FAILED"] }
    let ratio = Statistics.median(ratios)
    let spread =
      ratios.isEmpty
      ? "-"
      : "\(fixed(ratio, 3)) (\(fixed(Statistics.quantile(ratios, 0.1), 3))..\(fixed(Statistics.quantile(ratios, 0.9), 3)))"
    let mine = Statistics.median(ours)
    let wanted: (text: String, met: Bool?) =
      switch target {
      case .ratioAtMost(let limit): ("ratio <= \(fixed(limit, 2))", ratio <= limit)
      case .ratioAtLeast(let limit): ("ratio >= \(fixed(limit, 2))", ratio >= limit)
      case .excessAtMost(let limit): ("+ \(fixed(limit, 1)) \(unit) at most", Statistics.median(excesses) <= limit)
      case .oursAtLeast(let limit): (">= \(fixed(limit, 1)) \(unit)", mine >= limit)
      case .none: ("-", nil)
      }
    let met = wanted.met.map { $0 ? "met" : "NOT MET" } ?? "-"
    return [
      workload, "\(fixed(mine, 3)) \(unit)", theirs.isEmpty ? "-" : "\(fixed(Statistics.median(theirs), 3)) \(unit)",
      baseline,
      spread, wanted.text, met,
    ]
  }

  /// Prints the table, columns as wide as they need to be, and the notes below it.
  static func printTable(_ rows: [Row]) {
    let table =
      [["workload", "ours", "baseline", "which is", "ratio (p10..p90)", "target", "met"]] + rows.map { $0.cells }
    let widths = (0..<7).map { column in table.map { $0[column].count }.max() ?? 0 }
    print("")
    for line in table {
      let padded = zip(line, widths).map { pad($0, $1) }.joined(separator: "  ")
      print(String(padded.reversed().drop { $0 == " " }.reversed()))
    }
    let notes = rows.flatMap { row in row.notes.map { "\(row.workload): \($0)" } }
    if !notes.isEmpty { print("") }
    for note in notes { print(note) }
  }
}

/// `text` filled up with blanks to a width.
func pad(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// A number with so many digits after the point.
func fixed(_ value: Double, _ digits: Int) -> String {
  guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
  var scale = 1
  for _ in 0..<digits { scale *= 10 }
  let scaled = Int((abs(value) * Double(scale)).rounded())
  let fraction = String(scaled % scale)
  let sign = value < 0 && scaled != 0 ? "-" : ""
  if digits == 0 { return "\(sign)\(scaled)" }
  return "\(sign)\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
}
