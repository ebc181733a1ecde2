import JSONRPCTransport
import JSONText
import Testing

private let texts = [
  "0", "1", "1.0", "1e0", "-0", "9007199254740993", "null", "\"\"", "\"1\"", "\"a\"", "\"\\u0061\"", "12345678",
  "123456789",
  "1234567890123456", "12345678901234567", "\"123e4567-e89b-12d3-a456-426614174000\"",
  String(repeating: "1", count: 39),
  String(repeating: "1", count: 40), String(repeating: "1", count: 41),
  "\"" + String(repeating: "é", count: 500) + "\"",
]

@Test func idsComeBackByteForByte() {
  for text in texts {
    let buffer = Array("xx\(text)yy".utf8)
    let id = RequestID(buffer.span, JSONSlice(start: 2, end: buffer.count - 2))
    #expect(id.text == Array(text.utf8))
    #expect(id == RequestID(Array(text.utf8)))
  }
}

@Test func idsAreEqualOnlyByTheirText() {
  let ids = texts.map { RequestID(Array($0.utf8)) }
  #expect(Set(ids).count == texts.count)
  #expect(RequestID(number: 12) == RequestID(Array("12".utf8)))
  #expect(RequestID(number: -12).text == Array("-12".utf8))
  #expect(RequestID.null.text == Array("null".utf8))
}

@Test func errorCodesHaveOneNameEach() {
  let names = RPCErrorCode.allCases.map { "\($0.name)" }
  #expect(Set(names).count == RPCErrorCode.allCases.count)
  #expect(RPCErrorCode.badPage.rawValue == 1010)
  #expect(RPCErrorCode(rawValue: -32800) == .requestCancelled)
}
