/// Why a source could not be opened or could not give a page.
public struct SourceError: Error, Sendable, Equatable {
  /// The kinds of failure that a source may report.
  public enum Code: Int, Sendable, Equatable, CaseIterable {
    /// There is no such source, or it cannot be used.
    case sourceUnavailable = 1003
    /// The source is there, but the page could not be had.
    case loadFailed = 1004
    /// What the cursors point into is no longer what it was; a refresh starts anew.
    case sourceChanged = 1005
    /// Something is larger than this program takes on.
    case limitExceeded = 1008
    /// A policy of the command line forbids it.
    case refused = 1009
    /// What the source holds or answered is no page.
    case badPage = 1010

    /// The name that goes into the error's `data.name`.
    public var name: String {
      switch self {
      case .sourceUnavailable: "sourceUnavailable"
      case .loadFailed: "loadFailed"
      case .sourceChanged: "sourceChanged"
      case .limitExceeded: "limitExceeded"
      case .refused: "refused"
      case .badPage: "badPage"
      }
    }
  }

  /// One member that the error adds to `data`.
  public struct Detail: Sendable, Equatable {
    /// The member's name, plain.
    public var key: String
    /// The member's value as JSON text.
    public var json: [UInt8]

    /// Makes a member from its name and the JSON text of its value.
    public init(key: String, json: [UInt8]) {
      self.key = key
      self.json = json
    }
  }

  /// The kind of failure.
  public var code: Code
  /// A sentence for people that says what happened and what to do.
  public var message: String
  /// Whether trying again may help; nil where the kind of failure decides.
  public var retryable: Bool?
  /// How long to wait before the next try, in milliseconds; nil where the session's schedule decides.
  public var retryAfterMs: Int?
  /// What else goes into the error's `data`, in this order.
  public var details: [Detail]

  /// Makes an error from its parts.
  public init(
    _ code: Code, _ message: String, retryable: Bool? = nil, retryAfterMs: Int? = nil, details: [Detail] = []
  ) {
    self.code = code
    self.message = message
    self.retryable = retryable
    self.retryAfterMs = retryAfterMs
    self.details = details
  }
}
