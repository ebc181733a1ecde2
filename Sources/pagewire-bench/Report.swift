/// The tables that people read, as Markdown, so that they can be kept as they are.
enum Report {
  private static let head = ["workload", "ours", "peer", "its figure", "ratio (p10..p90)", "ahead", "target", "met"]

  /// Prints one table, columns as wide as they need to be, and the notes below it.
  static func printTable(_ title: String, _ rows: [Row]) {
    let table = [head, head.map { _ in "---" }] + rows.map(cells)
    let widths = head.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    print("\n## \(title)\n")
    for line in table {
      print("| " + zip(line, widths).map { pad($0, $1) }.joined(separator: " | ") + " |")
    }
    var notes: [String] = []
    for note in rows.flatMap({ row in row.notes.map { "\(row.workload): \($0)" } }) where !notes.contains(note) {
      notes.append(note)
    }
    if !notes.isEmpty { print("") }
    for note in notes { print("- \(note)") }
  }

  /// Prints which targets are missed, from all tables.
  static func printTargets(_ rows: [Row]) {
    let judged = rows.filter { $0.isMet != nil }
    let missed = judged.filter { $0.isMet == false }
    guard !judged.isEmpty else { return }
    print("\n\(judged.count - missed.count) of \(judged.count) targets met")
    for row in missed {
      let figure =
        switch row.target {
        case .oursAtLeast, .oursAtMost, .excessAtMost, .none: "\(significant(Statistics.median(row.ours))) \(row.unit)"
        case .ratioAtMost, .ratioAtLeast: "ratio \(significant(row.ratio))"
        case .aheadAtLeast: "\(significant(row.ahead)) x ahead"
        }
      print("  missed: \(row.workload) against \(row.baseline): \(figure), target \(row.targetText)")
    }
  }

  /// Prints what there is no figure for, and why.
  static func printAbsent(_ rows: [Row]) {
    var lines: [String] = []
    var commands: [String] = []
    for row in rows {
      if let failure = row.failure { lines.append("FAILED: \(row.workload) \(row.baseline): \(failure)") }
      // A peer has a row in several tables.
      if let install = row.install, !commands.contains(install) {
        commands.append(install)
        lines.append("not installed: \(row.baseline): \(install)")
      }
    }
    if !lines.isEmpty { print("") }
    for line in lines { print(line) }
  }

  private static func cells(_ row: Row) -> [String] {
    // Why, and how to install it, is said below all tables.
    let absence = row.failure != nil ? "FAILED" : row.install != nil ? "not installed" : nil
    if let absence { return [row.workload, "", row.baseline, absence, "", "", "", ""] }
    let ours = "\(significant(Statistics.median(row.ours))) \(row.unit)"
    let met = row.isMet.map { $0 ? "met" : "NOT MET" } ?? "-"
    let target = row.targetText.isEmpty ? "-" : row.targetText
    guard !row.theirs.isEmpty else { return [row.workload, ours, "-", "-", "-", "-", target, met] }
    let low = significant(Statistics.quantile(row.ratios, 0.1))
    let high = significant(Statistics.quantile(row.ratios, 0.9))
    return [
      row.workload, ours, row.baseline, "\(significant(Statistics.median(row.theirs))) \(row.unit)",
      "\(significant(row.ratio)) (\(low)..\(high))", row.ahead >= 1 ? "\(significant(row.ahead)) x" : "-", target, met,
    ]
  }
}

/// `text` filled up with blanks to a width.
func pad(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// A number with at least three significant digits and no more than three after the point, below a hundredth four.
func significant(_ value: Double) -> String {
  switch abs(value) {
  case 100...: fixed(value, 0)
  case 10..<100: fixed(value, 1)
  case 0.01..<10: fixed(value, 3)
  case 0.001..<0.01: fixed(value, 5)
  default: fixed(value, 6)
  }
}

/// A number with so many digits after the point.
func fixed(_ value: Double, _ digits: Int) -> String {
  guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
  var scale = 1
  for _ in 0..<digits { scale *= 10 }
  let scaled = Int((abs(value) * Double(scale)).rounded())
  let fraction = String(scaled % scale)
  let sign = value < 0 && scaled != 0 ? "-" : ""
  if digits == 0 { return "\(sign)\(scaled)" }
  return "\(sign)\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
}
