import JSONRPCTransport
import JSONText
import Testing

private func text(_ writer: FrameWriter) -> String { String(decoding: writer.bytes, as: UTF8.self) }

@Test func theHeaderHasExactlyOneForm() {
  var writer = FrameWriter()
  writer.frame(Array("{}".utf8).span)
  writer.header(bodyBytes: 1_234_567)
  #expect(text(writer) == "Content-Length: 2\r\n\r\n{}Content-Length: 1234567\r\n\r\n")
}

@Test func theLengthIsRightWhateverTheFrameBeforeHad() {
  let sizes = [0, 1, 8, 9, 10, 11, 98, 99, 100, 101, 998, 999, 1000, 1001, 99_999, 100_000]
  for before in sizes {
    for size in sizes {
      var writer = FrameWriter(appendingTo: Array("before".utf8))
      var wanted = Array("before".utf8)
      for count in [before, size] {
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: count)
        writer.beginFrame()
        writer.json.append(body.span)
        #expect(writer.endFrame() == count)
        wanted += Array("Content-Length: \(count)\r\n\r\n".utf8) + body
      }
      writer.frame(Array("{}".utf8).span)
      #expect(writer.bytes == wanted + Array("Content-Length: 2\r\n\r\n{}".utf8), "\(size) after \(before)")
    }
  }
}

@Test func takingAndRemovingStartAfresh() {
  var writer = FrameWriter()
  writer.frame(Array("1".utf8).span)
  let taken = writer.take()
  #expect(taken.count == 22)
  #expect(writer.count == 0)
  writer.frame(Array("2".utf8).span)
  writer.removeAll()
  #expect(writer.bytes.isEmpty)
}

@Test func envelopesAreWhatJSONRPCSays() {
  let buffer = Array(#"{"id":1.0}"#.utf8)
  let id = JSONSlice(start: 6, end: 9)
  var json = JSONWriter()
  json.beginArray()
  json.beginResult(id: id, of: buffer.span)
  json.null()
  json.endObject()
  json.beginResult(id: RequestID(buffer.span, id))
  json.beginArray()
  json.endArray()
  json.endObject()
  json.beginRequest(id: RequestID(number: 7), method: "fetchPage")
  json.beginObject()
  json.endObject()
  json.endObject()
  json.beginNotification(method: "loading")
  json.beginObject()
  json.member("session", "s")
  json.endObject()
  json.endObject()
  json.beginError(id: .null, code: .badPage, message: "a \"page\"")
  json.member("session", "s")
  json.endError()
  json.beginError(id: RequestID(number: 1), code: 42, message: "m")
  json.endError()
  json.endArray()
  let expected = [
    #"{"jsonrpc":"2.0","id":1.0,"result":null}"#, #"{"jsonrpc":"2.0","id":1.0,"result":[]}"#,
    #"{"jsonrpc":"2.0","id":7,"method":"fetchPage","params":{}}"#,
    #"{"jsonrpc":"2.0","method":"loading","params":{"session":"s"}}"#,
    #"{"jsonrpc":"2.0","id":null,"error":{"code":1010,"message":"a \"page\"","data":{"name":"badPage","session":"s"}}}"#,
    #"{"jsonrpc":"2.0","id":1,"error":{"code":42,"message":"m","data":{}}}"#,
  ]
  #expect(String(decoding: json.bytes, as: UTF8.self) == "[" + expected.joined(separator: ",") + "]")
}
