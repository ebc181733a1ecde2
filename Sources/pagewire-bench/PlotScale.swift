#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What an axis counts, and how its ticks are labelled.
enum PlotUnit {
  case count
  case microseconds
  case bytes

  /// A label for a round value: `10,000`, `10 ms`, `100 KB`.
  func label(_ value: Double) -> String {
    switch self {
    case .count: PlotUnit.grouped(value)
    case .microseconds: PlotUnit.scaled(value, ["µs", "ms", "s"])
    case .bytes: PlotUnit.scaled(value, ["B", "KB", "MB", "GB", "TB"])
    }
  }

  private static func scaled(_ value: Double, _ units: [String]) -> String {
    var value = value
    var unit = 0
    while value >= 999.5, unit + 1 < units.count {
      value /= 1000
      unit += 1
    }
    return "\(grouped(value)) \(units[unit])"
  }

  /// A number with commas between thousands; one below 1 with what digits it has.
  private static func grouped(_ value: Double) -> String {
    if value < 0.995 { return value < 0.0995 ? fixed(value, 2) : fixed(value, 1) }
    var digits = fixed(value, 0)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }
}

/// A logarithmic axis: values to places between two ends, and where its ticks are.
struct PlotScale {
  /// The values at the two ends of the axis.
  let range: ClosedRange<Double>
  /// The places of these, in pixels; the first may be the larger, as for a vertical axis.
  let start: Double
  let end: Double

  /// An axis from the round value (1, 2 or 5 times a power of ten) below the least of the values to the one above the
  /// greatest, of at least so many decades: a small difference shall not look like a large one.
  init(values: [Double], decades least: Double, from start: Double, to end: Double) {
    let low = PlotScale.roundBelow(values.min() ?? 1)
    var high = PlotScale.roundAbove(values.max() ?? 1)
    while log10(high / low) < least - 1e-9 { high = PlotScale.roundAbove(high * 1.01) }
    self.init(range: low...high, from: start, to: end)
  }

  /// An axis of exactly this range.
  init(range: ClosedRange<Double>, from start: Double, to end: Double) {
    self.range = range
    self.start = start
    self.end = end
  }

  /// Where a value lies.
  func place(_ value: Double) -> Double {
    let part = log10(value / range.lowerBound) / log10(range.upperBound / range.lowerBound)
    return start + part * (end - start)
  }

  /// The powers of ten on the axis, which have labels and lines.
  var decades: [Double] { marks(multiples: [1]) }

  /// The marks between them.
  var between: [Double] { marks(multiples: [2, 3, 4, 5, 6, 7, 8, 9]) }

  private func marks(multiples: [Double]) -> [Double] {
    let first = Int(floor(log10(range.lowerBound) + 1e-9))
    let last = Int(ceil(log10(range.upperBound) - 1e-9))
    return (first...max(first, last)).flatMap { power in multiples.map { $0 * pow(10, Double(power)) } }
      .filter { $0 >= range.lowerBound * 0.999 && $0 <= range.upperBound * 1.001 }
  }

  private static func roundBelow(_ value: Double) -> Double {
    let power = pow(10, floor(log10(value) + 1e-9))
    for multiple in [5.0, 2.0] where multiple * power <= value * 1.000001 { return multiple * power }
    return power
  }

  private static func roundAbove(_ value: Double) -> Double {
    let power = pow(10, floor(log10(value) + 1e-9))
    for multiple in [1.0, 2.0, 5.0] where multiple * power >= value * 0.999999 { return multiple * power }
    return 10 * power
  }
}
