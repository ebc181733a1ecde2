/// What is wrong with a response.
///
/// A response is never answered, so its faults are not errors for the peer but for whoever waits for it, if its id says
/// who that is.
public enum ResponseDefect: Sendable, Equatable {
  /// `jsonrpc` is not exactly `"2.0"`.
  case wrongVersion
  /// It has no id.
  case missingID
  /// Its id is neither a string nor a number nor null.
  case invalidID
  /// Both `result` and `error` are there and neither is null.
  case bothResultAndError
  /// `error` is not an object with an integer `code` and a string `message`.
  case malformedError

  /// A sentence for people.
  public var message: String {
    switch self {
    case .wrongVersion: "The response is not JSON-RPC: its \"jsonrpc\" is not \"2.0\"."
    case .missingID: "The response has no id."
    case .invalidID: "The response's id is neither a string nor a number nor null."
    case .bothResultAndError: "The response has both a result and an error."
    case .malformedError: "The response's error is not an object with an integer code and a string message."
    }
  }
}
