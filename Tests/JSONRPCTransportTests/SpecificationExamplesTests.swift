import JSONRPCTransport
import JSONText
import Testing

/// The methods that the examples of the JSON-RPC 2.0 specification (section 7) call, on top of the transport.
private struct ExampleServer {
  private var parser = MessageParser()

  /// What is answered to `body`; nil where nothing is.
  mutating func answer(_ body: String) -> String? {
    let bytes = Array(body.utf8)
    var json = JSONWriter()
    switch parser.parse(bytes.span, JSONSlice(start: 0, end: bytes.count)) {
    case .message, .invalid:
      let frame = parser.parse(bytes.span, JSONSlice(start: 0, end: bytes.count))
      answer(frame, bytes.span, &json)
    case .batch(let count):
      var answers = JSONWriter()
      for index in 0..<count { answer(parser.parseBatchElement(bytes.span, at: index), bytes.span, &answers) }
      if !answers.bytes.isEmpty {
        json.beginArray()
        json.raw(answers.bytes)
        json.endArray()
      }
    }
    return json.bytes.isEmpty ? nil : String(decoding: json.bytes, as: UTF8.self)
  }

  private func answer(_ frame: ParsedFrame, _ bytes: Span<UInt8>, _ json: inout JSONWriter) {
    switch frame {
    case .invalid(let invalid):
      error(invalid.id.isEmpty ? .null : RequestID(bytes, invalid.id), invalid.code, &json)
    case .message(let message) where message.kind == .request:
      guard let result = call(message, bytes) else {
        return error(RequestID(bytes, message.id), .methodNotFound, &json)
      }
      json.beginResult(id: message.id, of: bytes)
      json.raw(Array(result.utf8))
      json.endObject()
    case .message, .batch: break
    }
  }

  private func error(_ id: RequestID, _ code: RPCErrorCode, _ json: inout JSONWriter) {
    json.beginError(id: id, code: code.rawValue, message: "")
    json.endError()
  }

  private func call(_ message: Message, _ bytes: Span<UInt8>) -> String? {
    let content = message.method
    if JSONReader.contentEquals(bytes, content, "get_data") { return #"["hello",5]"# }
    let isSum = JSONReader.contentEquals(bytes, content, "sum")
    guard isSum || JSONReader.contentEquals(bytes, content, "subtract") else { return nil }
    var numbers: [Int] = []
    switch message.paramsKind {
    case .array:
      var elements: [JSONElement] = []
      let end = try? JSONScanner().scanArray(
        bytes, from: message.params.start, to: message.params.end, elements: &elements)
      guard end != nil else { return nil }
      numbers = elements.compactMap { JSONReader.integer(bytes, $0.value) }
    case .object:
      for name in ["minuend", "subtrahend"] as [StaticString] {
        let value = JSONReader.value(bytes, of: parser.paramMembers, named: name)
        numbers.append(value.flatMap { JSONReader.integer(bytes, $0) } ?? 0)
      }
    case .absent: return nil
    }
    if isSum { return String(numbers.reduce(0, +)) }
    return String(numbers[0] - numbers[1])
  }
}

private func result(_ id: String, _ value: String) -> String {
  "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":\(value)}"
}
private func error(_ id: String, _ code: Int) -> String {
  "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"error\":{\"code\":\(code),\"message\":\"\",\"data\":{}}}"
}

@Test func theExamplesOfTheSpecification() {
  let parseError = error("null", -32700)
  let invalid = error("null", -32600)
  let examples: [(String, String?)] = [
    // Positional and named parameters.
    (#"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#, result("1", "19")),
    (#"{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}"#, result("2", "-19")),
    (
      #"{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#,
      result("3", "19")
    ),
    (
      #"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}"#,
      result("4", "19")
    ),
    // Notifications.
    (#"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#, nil),
    (#"{"jsonrpc": "2.0", "method": "foobar"}"#, nil),
    // Errors.
    (#"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#, error("\"1\"", -32601)),
    (#"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#, parseError),
    (#"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#, invalid),
    // Batches.
    (
      #"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, {"jsonrpc": "2.0", "method"#, parseError
    ), ("[]", invalid), ("[1]", "[\(invalid)]"), ("[1,2,3]", "[\(invalid),\(invalid),\(invalid)]"),
    (
      #"""
      [ {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
        {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
        {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
        {"foo": "boo"},
        {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
        {"jsonrpc": "2.0", "method": "get_data", "id": "9"} ]
      """#,
      "["
        + [
          result("\"1\"", "7"), result("\"2\"", "19"), invalid, error("\"5\"", -32601),
          result("\"9\"", #"["hello",5]"#),
        ].joined(separator: ",") + "]"
    ),
    (
      #"[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]}, {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]"#,
      nil
    ),
  ]
  var server = ExampleServer()
  for (body, expected) in examples {
    let answer = server.answer(body)
    #expect(answer == expected, "\(body)")
  }
}
