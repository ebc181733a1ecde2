import JSONText

// The envelopes of JSON-RPC. Each `begin` leaves the writer where the value of `result` or `params` comes next and must be
// written; `endObject()` closes the envelope.

extension JSONWriter {
  /// Begins a successful answer; the result comes next.
  public mutating func beginResult(id: RequestID) {
    beginResponse(id: id)
    key("result")
  }

  /// Begins a successful answer to the id with this text; the result comes next.
  public mutating func beginResult(id: JSONSlice, of buffer: Span<UInt8>) {
    let id = buffer.extracting(id.range)
    beginObject()
    bytes.append(addingCapacity: id.count &+ 40) { output in
      output.append(#""jsonrpc":"2.0","id":"#)
      output.append(id)
      output.append(#","result":"#)
    }
    startOver()
  }

  /// Begins a request; the params come next.
  public mutating func beginRequest(id: RequestID, method: StaticString) {
    beginResponse(id: id)
    key("method")
    string(ascii: method)
    key("params")
  }

  /// Begins a notification; the params come next.
  public mutating func beginNotification(method: StaticString) {
    beginObject()
    append(#""jsonrpc":"2.0","method":"#)
    startOver()
    string(ascii: method)
    key("params")
  }

  /// Begins an answer that is an error: code and message are written, members of `data` come next, as in an object.
  ///
  /// Ended by ``endError()``.
  public mutating func beginError(id: RequestID, code: Int, message: String) {
    beginResponse(id: id)
    key("error")
    beginObject()
    member("code", code)
    member("message", message)
    key("data")
    beginObject()
  }

  /// Begins an answer that is one of the protocol's errors; its name is written into `data` already.
  ///
  /// Ended by ``endError()``.
  public mutating func beginError(id: RequestID, code: RPCErrorCode, message: String) {
    beginError(id: id, code: code.rawValue, message: message)
    key("name")
    string(ascii: code.name)
  }

  /// Ends an answer that is an error.
  public mutating func endError() {
    endObject()
    endObject()
    endObject()
  }

  /// Begins an answer with the members that every one starts with; `result` or `error` comes next.
  public mutating func beginResponse(id: RequestID) {
    beginObject()
    append(#""jsonrpc":"2.0","id":"#)
    id.append(to: &bytes)
    valueAppended()
  }
}
