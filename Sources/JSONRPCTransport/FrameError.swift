/// What is wrong with a header block.
public enum FrameError: Error, Sendable, Equatable {
  /// The block ended without a `Content-Length`.
  case missingLength
  /// The value of a `Content-Length` is not a plain number.
  case invalidLength
  /// The declared length is more than `limit` bytes.
  case frameTooLong(limit: Int)
  /// Two `Content-Length` headers of one block differ.
  case conflictingLengths
  /// The block is longer than `limit` bytes.
  case headerTooLong(limit: Int)
  /// A line is not a name, a colon and a value.
  case notAHeader
  /// The body is said to be in an encoding other than UTF-8; it has been skipped.
  case unsupportedCharset

  /// A sentence for the peer that says what is wrong and what would be right.
  public var message: String {
    switch self {
    case .missingLength: "The header block has no Content-Length; send \"Content-Length: N\" with the body's bytes."
    case .invalidLength: "The value of Content-Length is not a number of bytes in decimal digits."
    case .frameTooLong(let limit): "Content-Length is more than the limit of \(limit) bytes; send less in one message."
    case .conflictingLengths: "The header block has two different Content-Length values; send one."
    case .headerTooLong(let limit): "The header block is longer than the limit of \(limit) bytes."
    case .notAHeader: "A line of the header block is not \"Name: value\"; only frames may be written to this stream."
    case .unsupportedCharset: "The body is not declared as UTF-8, so it was skipped; send UTF-8."
    }
  }
}
