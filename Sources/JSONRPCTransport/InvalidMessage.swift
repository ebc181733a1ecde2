import JSONText

/// A body, or an element of a batch, that must be answered with an error because it is no message.
public struct InvalidMessage: Sendable, Equatable {
  /// Why it is none.
  public enum Reason: Sendable, Equatable {
    /// The body is not JSON; the offset is counted from the start of the body.
    case notJSON(JSONSyntaxError)
    /// The value is neither an object nor a batch.
    case notAnObject
    /// A batch without elements.
    case emptyBatch
    /// A batch with more than `limit` elements.
    case batchTooLarge(limit: Int)
    /// `jsonrpc` is not exactly `"2.0"`.
    case wrongVersion
    /// `id` is neither a string nor a number nor null.
    case invalidID
    /// There is neither a method nor a result nor an error.
    case missingMethod
    /// `method` is not a string.
    case invalidMethod
    /// `params` is neither an object nor an array nor null.
    case invalidParams
  }

  /// Why it is no message.
  public var reason: Reason
  /// The id to answer under, where one could be read; else empty, to be answered with `null`.
  public var id: JSONSlice

  /// Makes one from its parts.
  public init(reason: Reason, id: JSONSlice) {
    self.reason = reason
    self.id = id
  }

  /// The code to answer with.
  public var code: RPCErrorCode {
    if case .notJSON = reason { return .parseError }
    return .invalidRequest
  }

  /// A sentence for the peer that says what is wrong.
  public var message: String {
    switch reason {
    case .notJSON(let error): "The body is not JSON: at byte \(error.offset), \(error.reason)."
    case .notAnObject: "A message must be a JSON object."
    case .emptyBatch: "A batch must not be empty."
    case .batchTooLarge(let limit): "A batch must not hold more than \(limit) messages."
    case .wrongVersion: "The message is not JSON-RPC 2.0: \"jsonrpc\" must be exactly \"2.0\"."
    case .invalidID: "The id must be a string, a number or null."
    case .missingMethod: "The message has no method, and no result or error either."
    case .invalidMethod: "The method must be a string."
    case .invalidParams: "The params must be an object or an array."
    }
  }
}
