/// One answer of the HTTP server that a transcript has.
struct HTTPAnswer: Sendable {
  /// All of it, as it goes over the wire.
  let bytes: [UInt8]

  /// The answer that a transcript spells out.
  init(_ node: JSONNode) {
    let headers = node["headers"]?.members.map { "\($0.name): \($0.value.string ?? "")\r\n" }.joined() ?? ""
    self.init(
      status: node["status"]?.integer ?? 200, headers: headers, body: node["text"].map(Transcript.latin1) ?? [])
  }

  /// What a target that is not there is answered with.
  static let notFound = HTTPAnswer(status: 404, headers: "", body: [])

  private init(status: Int, headers: String, body: [UInt8]) {
    let head = "HTTP/1.1 \(status) -\r\n\(headers)Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    bytes = Array(head.utf8) + body
  }
}
