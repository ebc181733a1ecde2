/// What a server answered.
struct HTTPResponse: Sendable {
  /// Who answered: the URL asked last.
  var url: HTTPURL
  var status: Int
  var headers: HTTPHeaders
  /// Decoded.
  var body: [UInt8]
}
