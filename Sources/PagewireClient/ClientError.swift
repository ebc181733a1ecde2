/// Why a client can no longer talk to its server.
public struct ClientError: Error, Sendable, Equatable {
  /// The kinds of failure, for programs.
  public enum Kind: Sendable, Equatable {
    /// The program could not be started at all.
    case cannotStart
    /// The server's process or its output ended.
    case ended
    /// What came back is not the protocol.
    case notAServer
    /// Nothing came back in time.
    case silent
  }

  /// What kind of failure it is.
  public let kind: Kind

  /// One line for people, without a final full stop or line end.
  public let message: String

  /// An error of a kind with its line.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
