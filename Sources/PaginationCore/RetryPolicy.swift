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
    var delay = Double(initialDelayMs)
    var step = 1
    // The loop ends as soon as the bound is reached, so a large number costs nothing and nothing overflows.
    while step < number && delay < Double(maxDelayMs) && multiplier != 1 {
      delay *= multiplier
      if delay == 0 { break }
      step += 1
      if multiplier < 1 && step > 1_000 { break }
    }
    return Int(min(max(delay, 0), Double(maxDelayMs)).rounded())
  }

  /// Milliseconds before retry `number`, spread evenly by `random` from 0 up to 1.
  public func delay(beforeRetry number: Int, random: Double) -> Int {
    let factor = 1 - jitter + 2 * jitter * random
    return Int((Double(backoff(beforeRetry: number)) * factor).rounded())
  }
}
