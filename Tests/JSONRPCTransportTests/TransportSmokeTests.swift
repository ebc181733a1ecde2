import JSONRPCTransport
import JSONText
import Testing

@Test func aFrameIsDecodedParsedAndAnswered() throws {
  var decoder = FrameDecoder()
  let body = #"{"jsonrpc":"2.0","id":1e0,"method":"state","params":{"session":"s","resume":true}}"#
  var writer = FrameWriter()
  writer.frame(Array(body.utf8).span)
  decoder.append(writer.take().span)
  guard case .frame(let frame) = decoder.next() else {
    Issue.record("no frame")
    return
  }
  var parser = MessageParser()
  let bytes = decoder.buffer
  guard case .message(let message) = parser.parse(bytes.span, frame) else {
    Issue.record("no message")
    return
  }
  #expect(message.kind == .request)
  let session = JSONReader.value(bytes.span, of: parser.paramMembers, named: "session").map {
    JSONReader.string(bytes.span, $0)
  }
  #expect(session == "s")
  writer.beginFrame()
  writer.json.beginResult(id: message.id, of: bytes.span)
  writer.json.null()
  writer.json.endObject()
  writer.endFrame()
  writer.beginFrame(expectedBytes: 20)
  writer.json.beginError(id: .null, code: .parseError, message: "no")
  writer.json.endError()
  writer.endFrame()
  #expect(
    String(decoding: writer.bytes, as: UTF8.self)
      == "Content-Length: 40\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1e0,\"result\":null}"
      + "Content-Length: 95\r\n\r\n"
      + #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no","data":{"name":"parseError"}}}"#)
}
