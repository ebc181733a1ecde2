/// The error codes of the protocol: JSON-RPC's and LSP's own, and Pagewire's from 1001 on.
public enum RPCErrorCode: Int, Error, Sendable, CaseIterable {
  /// The frame or its body cannot be read; answered with id null.
  case parseError = -32700
  /// The body is JSON but no message, or a message that may not come now.
  case invalidRequest = -32600
  /// There is no such method.
  case methodNotFound = -32601
  /// The parameters are not what the method takes.
  case invalidParams = -32602
  /// A fault of the program itself.
  case internalError = -32603
  /// The request was cancelled by who sent it.
  case requestCancelled = -32800
  /// No session of that name is open.
  case sessionNotFound = 1001
  /// A session of that name is open already.
  case sessionExists = 1002
  /// The source cannot be opened or reached.
  case sourceUnavailable = 1003
  /// The source failed to deliver a page.
  case loadFailed = 1004
  /// The source is no longer the one that earlier pages came from.
  case sourceChanged = 1005
  /// The source named a page that it had named before.
  case cursorCycle = 1006
  /// The source took too long.
  case timeout = 1007
  /// Something is larger than a limit allows.
  case limitExceeded = 1008
  /// The command line's policy does not allow it.
  case refused = 1009
  /// The source answered something that is no page.
  case badPage = 1010

  /// The name that stands in an error's `data.name`.
  public var name: StaticString {
    switch self {
    case .parseError: "parseError"
    case .invalidRequest: "invalidRequest"
    case .methodNotFound: "methodNotFound"
    case .invalidParams: "invalidParams"
    case .internalError: "internalError"
    case .requestCancelled: "requestCancelled"
    case .sessionNotFound: "sessionNotFound"
    case .sessionExists: "sessionExists"
    case .sourceUnavailable: "sourceUnavailable"
    case .loadFailed: "loadFailed"
    case .sourceChanged: "sourceChanged"
    case .cursorCycle: "cursorCycle"
    case .timeout: "timeout"
    case .limitExceeded: "limitExceeded"
    case .refused: "refused"
    case .badPage: "badPage"
    }
  }
}
