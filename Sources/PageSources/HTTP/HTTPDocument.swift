import JSONText

/// The JSON text of a response.
enum HTTPDocument {
  /// More elements in one array than this are no page.
  static let scanner = JSONScanner(maxRecorded: 1_000_000)

  /// Where in `body` its value is; nil where it is no JSON.
  static func value(_ body: [UInt8]) -> JSONSlice? { try? parse(body) }

  /// Where in `body` its value is.
  ///
  /// A byte order mark, which some servers send, is passed over.
  static func parse(_ body: [UInt8]) throws(JSONSyntaxError) -> JSONSlice {
    let start = body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return try scanner.scanDocument(body.span, JSONSlice(start: start, end: body.count))
  }
}
