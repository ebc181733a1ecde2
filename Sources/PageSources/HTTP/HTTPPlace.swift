import JSONText

/// Where in a response a value is.
enum HTTPPlace: Sendable, Equatable {
  case body(JSONPointer)
  /// The name in lower case.
  case header(String)

  /// The exact JSON text of what is there; nil where nothing is.
  func text(in response: HTTPResponse, _ document: JSONSlice?) -> [UInt8]? {
    switch self {
    case .body(let pointer):
      guard let document, let value = pointer.resolve(in: response.body.span, document),
        JSONReader.kind(response.body.span, value) != .null
      else { return nil }
      return JSONReader.raw(response.body.span, value)
    case .header(let name):
      guard let value = response.headers.first(name) else { return nil }
      var writer = JSONWriter()
      writer.string(utf8: value.span)
      return writer.bytes
    }
  }

  /// How it is shown to people.
  var shown: String {
    switch self {
    case .body(let pointer): pointer.text
    case .header(let name): "the header \(name)"
    }
  }
}
