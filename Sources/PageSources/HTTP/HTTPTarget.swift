import JSONText

/// Where in a request a value goes.
enum HTTPTarget: Sendable, Equatable {
  case query([UInt8])
  case header(String)
  case body(JSONPointer)
}
