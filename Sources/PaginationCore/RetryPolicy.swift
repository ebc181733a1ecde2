/// When a failed load is tried again by itself.
///
/// Pure: the random part is passed in.
public struct RetryPolicy: Equatable, Sendable {
  /// Tries after the first.
  public var retries = 3
  /// Milliseconds before the first retry.
  public var initialDelayMs = 500
  /// The longest delay in milliseconds, before jitter.
  public var maxDelayMs = 30_000
  /// What each delay is multiplied by to give the next.
  public var multiplier = 2.0
  /// The share by which a delay may vary either way, from 0 to 1.
  public var jitter = 0.5

  /// Makes the default policy.
  public init() {}

  /// Milliseconds before retry `number`, counted from 1, without jitter.
  public func backoff(beforeRetry number: Int) -> Int {
    RetryPolicy.wholeMilliseconds(exactBackoff(beforeRetry: number))
  }

  /// Milliseconds before retry `number`, spread evenly by `random` from 0 up to 1.
  public func delay(beforeRetry number: Int, random: Double) -> Int {
    RetryPolicy.wholeMilliseconds(exactBackoff(beforeRetry: number) * (1 - jitter + 2 * jitter * random))
  }

  private func exactBackoff(beforeRetry number: Int) -> Double {
    let longest = Double(maxDelayMs)
    var delay = Double(initialDelayMs)
    var step = 1
    // The loop ends where a step changes nothing any more, so a large number costs nothing.
    while step < number && delay < longest {
      let next = delay * multiplier
      if next == delay || next < 0 { break }
      if !next.isFinite { return longest }
      delay = next
      step += 1
    }
    return min(delay, longest)
  }

  /// The nearest whole number that the protocol can say; whatever the settings are, the conversion cannot trap.
  private static func wholeMilliseconds(_ exact: Double) -> Int {
    exact > 0 ? Int(min(exact, 0x1p53).rounded()) : 0
  }
}
