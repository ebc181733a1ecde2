/// What form a message's parameters have.
public enum ParamsKind: Sendable, Equatable {
  /// None were given, or `null`, which means the same.
  case absent
  /// By name.
  case object
  /// By position.
  case array
}
