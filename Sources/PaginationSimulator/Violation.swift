/// A promise that the core has broken.
public struct Violation: Error, Sendable {
  /// The promise, in a few words; the same for every way of breaking it.
  public let rule: String
  /// What was seen.
  public let detail: String
}
