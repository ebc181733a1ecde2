import PageSources

/// How a server runs: its limits and the policy of whoever started it.
public struct ServerOptions: Sendable {
  /// The longest body of a frame, in bytes.
  public var maxFrameBytes = 64 << 20
  /// The longest header block of a frame, in bytes.
  public var maxHeaderBytes = 8 << 10
  /// The deepest nesting of JSON.
  public var maxDepth = 1_000
  /// Bytes that may wait for a client that does not read; beyond it nothing more is read from that client.
  public var maxQueuedOutputBytes = 64 << 20
  /// Milliseconds that what runs at the end of the input may take.
  public var drainTimeoutMs = 10_000
  /// The types of sources that may be opened; nil for all.
  public var allowedSources: [String]?
  /// What sources may reach.
  public var policy = SourcePolicy.unrestricted
  /// Where diagnostics go; nil for stderr.
  public var logPath: String?
  /// Which diagnostics are written.
  public var logLevel = Log.Level.warning
  /// Where the traffic is recorded as a transcript; nil for nowhere.
  public var recordPath: String?
  /// The longest recording, in bytes; what comes after it is not recorded.
  public var maxRecordBytes = 64 << 20
  /// The arguments that a recording has to be played with.
  public var recordedArguments: [String] = []
  /// What the server calls itself.
  public var version = PagewireVersion.server

  /// The most items that one page may ask for.
  public static let maxPageSize = 10_000_000
  /// The longest cursor that a source may name a page by, in bytes of JSON text.
  public static let maxCursorBytes = 64 << 10
  /// Bytes of pages that sources have given and that the loop has not taken in yet; more of them are given up.
  public static let maxPendingPageBytes = 256 << 20
  /// The greatest magnitude of an integer in params: what every JSON library can hold exactly.
  public static let maxInteger = 1 << 53
  /// Milliseconds between looks at a followed file whose changes the system does not report.
  static let followPollMs = 250
  /// Milliseconds between looks at a followed file that changes all the time, so that what comes fast comes together.
  static let followPauseMs = 20
  /// Milliseconds that a followed file may be missing, as it is for an instant while it is rotated.
  static let followMissingMs = 1_000
  /// Milliseconds between two words about how far work has come.
  static let progressMs = 100
  /// Jobs behind the pages (the counting of files) that run at once, so that they leave threads and disks to the pages.
  static let maxWorkBehind = 2
  /// Bytes waiting for the client beyond which no page is fetched for it.
  var fetchPauseBytes = 1 << 20

  /// Makes the default options.
  public init() {}
}

/// The versions that the server states.
public enum PagewireVersion {
  /// The version of this program.
  public static let server = "0.1.0"
  /// The version of the protocol that it speaks.
  public static let protocolVersion = "1.0"
}
