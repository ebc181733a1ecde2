import PagewireClient

/// What ends a browser with an error: one line for people.
struct BrowseError: Error, Equatable {
  let message: String

  init(_ message: String) {
    self.message = message
  }

  /// The line for any error that can come up while browsing.
  init(_ error: any Error) {
    switch error {
    case let error as BrowseError: self = error
    case let error as ClientError: message = error.message
    case let error as ServerFailure: message = error.message
    case let error as MalformedMessage:
      message = "the server broke the protocol: in \"\(error.method)\" \(error.complaint)"
    default: message = "\(error)"
    }
  }
}
