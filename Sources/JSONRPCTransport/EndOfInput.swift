/// How the input ended.
public enum EndOfInput: Sendable, Equatable {
  /// Between two messages, or after something malformed that was reported already.
  case clean
  /// Inside a header block or a body.
  case truncated
}
