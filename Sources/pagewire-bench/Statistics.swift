#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is printed of repeated measurements.
enum Statistics {
  /// The value below which the given part of the values lies (0.5: the median), NaN for none.
  static func quantile(_ values: [Double], _ part: Double) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    return sorted[Int((part * Double(sorted.count - 1)).rounded())]
  }

  static func median(_ values: [Double]) -> Double { quantile(values, 0.5) }
}

/// `base` to a power that need not be whole.
func raised(_ base: Double, _ power: Double) -> Double { pow(base, power) }
