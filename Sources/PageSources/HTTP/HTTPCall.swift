/// What is asked of a server.
struct HTTPCall: Sendable {
  var url: HTTPURL
  var method: String
  var headers: [[UInt8]]
  var body: [UInt8]?
  /// What must not be shown of it.
  var secrets = HTTPSecrets()

  /// How it is named in messages.
  var shown: String { "\(method) \(shownURL)" }

  /// How its URL is named in messages.
  var shownURL: String { secrets.hidden(url.shown) }
}
