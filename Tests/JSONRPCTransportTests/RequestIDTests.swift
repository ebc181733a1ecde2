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

@Test func aSecondRequestUnderAnIdInFlightIsADuplicate() {
  var requests = InFlightRequests()
  let one = RequestID(number: 1)
  let text = RequestID(Array("\"1\"".utf8))
  #expect(requests.isEmpty)
  #expect(!requests.contains(one))
  let step1 = requests.insert(one)
  #expect(step1 == .inserted)
  let step2 = requests.insert(one)
  #expect(step2 == .duplicate)
  let step3 = requests.insert(text)
  #expect(step3 == .inserted)
  #expect(requests.contains(one))
  #expect(requests.count == 2)
  let step4 = requests.remove(one)
  #expect(step4)
  let step5 = requests.remove(one)
  #expect(!step5)
  let step6 = requests.insert(one)
  #expect(step6 == .inserted)
  requests.removeAll()
  #expect(requests.isEmpty)
}

@Test func noMoreThanTheLimitAreInFlight() {
  var requests = InFlightRequests(maxCount: 2)
  let step7 = requests.insert(RequestID(number: 1))
  #expect(step7 == .inserted)
  let step8 = requests.insert(RequestID(number: 2))
  #expect(step8 == .inserted)
  let step9 = requests.insert(RequestID(number: 3))
  #expect(step9 == .full)
  let step10 = requests.insert(RequestID(number: 2))
  #expect(step10 == .duplicate)
  let step11 = requests.remove(RequestID(number: 1))
  #expect(step11)
  let step12 = requests.insert(RequestID(number: 3))
  #expect(step12 == .inserted)
}

@Test func errorCodesHaveOneNameEach() {
  let names = RPCErrorCode.allCases.map { "\($0.name)" }
  #expect(Set(names).count == RPCErrorCode.allCases.count)
  #expect(RPCErrorCode.badPage.rawValue == 1010)
  #expect(RPCErrorCode(rawValue: -32800) == .requestCancelled)
}
