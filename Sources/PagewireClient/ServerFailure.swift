/// An error that the server answered.
public struct ServerFailure: Error, Sendable, Equatable {
  /// The protocol's or the server's own number.
  public let code: Int
  /// A sentence for people.
  public let message: String

  /// An error with its number and sentence.
  public init(code: Int, message: String) {
    self.code = code
    self.message = message
  }
}
