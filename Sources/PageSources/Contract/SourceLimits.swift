/// Bounds that hold for sources of every type.
public enum SourceLimits {
  /// The longest text that a source keeps only to pass it on: `params`, or the `body` of an `http` source.
  public static let maxParamsBytes = 1 << 20
}
