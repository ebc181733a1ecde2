import JSONText

/// What an `http` source was told: what to ask for, and how its answers are read.
struct HTTPSettings: Sendable {
  /// What is done where a page names itself as the next.
  enum RepeatedCursor: String, Sendable, CaseIterable {
    /// The list fails with `cursorCycle`.
    case error
    /// The list ends.
    case stop
    /// The page is asked for again; it may have more by then.
    case poll
  }

  /// What counts as the end.
  struct End: Sendable {
    var nullItems = true
    var notFound = true
    var noContent = true
    var repeatedCursor = RepeatedCursor.error
  }

  /// The first page's URL, with the parameters of `query`.
  var url: HTTPURL
  var method: String
  /// Lines as they are sent.
  var headers: [[UInt8]] = []
  /// What must not be shown again.
  var secrets = HTTPSecrets()
  var body: [UInt8]?
  var paging: HTTPPaging
  /// Where the items are; nil: they are found.
  var items: JSONPointer?
  var total: HTTPPlace?
  var hasMore: JSONPointer?
  var end = End()
  /// Who may be asked, and so gets the headers: the first page's origin and those that were named.
  var origins: Set<String> = []
  /// How many bytes of a body are taken, after decoding.
  var maxResponseBytes = 64 << 20
  var connectTimeoutMs = 10_000
}
