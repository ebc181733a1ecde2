import JSONRPCTransport
import JSONText
import PageSources

/// Why a request cannot be carried out: what its error answer says.
struct RequestFailure: Error {
  let code: RPCErrorCode
  /// A sentence for people that says what to do.
  let message: String
  /// Further members of `data`, each with its JSON text.
  var data: [(String, [UInt8])] = []

  init(_ code: RPCErrorCode, _ message: String, data: [(String, [UInt8])] = []) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// A member of the params is not what it must be.
  init(_ error: ParamsError) {
    self.init(
      .invalidParams, "\(error.pointer.isEmpty ? "params" : error.pointer): \(error.problem).",
      data: [("pointer", quoted(error.pointer)), ("expected", quoted(error.problem))])
  }

  /// No session of that name is open.
  static func sessionNotFound(_ bytes: Span<UInt8>, _ name: JSONSlice) -> RequestFailure {
    RequestFailure(
      .sessionNotFound, "There is no session \(shown(bytes, name)). Open it first.",
      data: [("session", JSONReader.raw(bytes, name))])
  }

  /// A source cannot be opened.
  static func source(_ error: SourceOpenError, session: [UInt8]) -> RequestFailure {
    switch error {
    case .params(let error): return RequestFailure(ParamsError(error.pointer, error.problem))
    case .source(let error):
      let code = RPCErrorCode(rawValue: error.code.rawValue) ?? .sourceUnavailable
      return RequestFailure(
        code, error.message, data: [("session", session)] + error.details.map { ($0.key, $0.json) })
    }
  }

  /// The same failure, where it is about the member at `pointer`, told of the member at `other`.
  func moved(from pointer: String, to other: String) -> RequestFailure {
    guard code == .invalidParams, let expected = data.first(where: { $0.0 == "expected" })?.1,
      data.contains(where: { $0.0 == "pointer" && $0.1 == quoted(pointer) }),
      let problem = JSONReader.string(expected.span, JSONSlice(start: 0, end: expected.count))
    else { return self }
    return RequestFailure(ParamsError(other, problem))
  }

  /// A name as a message shows it, cut to a length that people read.
  static func shown(_ bytes: Span<UInt8>, _ name: JSONSlice) -> String {
    name.count <= 200 ? JSONReader.text(bytes, name) : "with a name of \(name.count) bytes"
  }

  func writeData(to json: inout JSONWriter) {
    for (key, value) in data {
      json.key(anyName: Array(key.utf8).span)
      json.raw(value)
    }
  }
}

/// The JSON text of a string.
func quoted(_ text: String) -> [UInt8] {
  var json = JSONWriter()
  json.string(text)
  return json.bytes
}
