/// What is asked of a server.
struct HTTPCall: Sendable {
  var url: HTTPURL
  var method: String
  var headers: [[UInt8]]
  var body: [UInt8]?

  /// How it is named in messages.
  var shown: String { "\(method) \(url.shown)" }
}
