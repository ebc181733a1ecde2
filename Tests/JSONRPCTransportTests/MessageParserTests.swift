import JSONRPCTransport
import JSONText
import TestSupport
import Testing

@Test func requestsNotificationsAndResponsesAreTold() {
  let request = Parsed(#"{"jsonrpc":"2.0","id":1,"method":"state","params":{"session":"a","resume":true}}"#)
  #expect(request.kind == .request)
  #expect(request.id == "1")
  #expect(request.method == "state")
  #expect(request.message?.paramsKind == .object)
  #expect(request.params == #"{"session":"a","resume":true}"#)
  #expect(request.paramMembers == [["session", "\"a\""], ["resume", "true"]])
  let notification = Parsed(#" { "method" : "x" , "jsonrpc" : "2.0" } "#)
  #expect(notification.kind == .notification)
  #expect(notification.id == "")
  #expect(notification.message?.paramsKind == .absent)
  let response = Parsed(#"{"jsonrpc":"2.0","id":"q","result":{"a":1}}"#)
  #expect(response.kind == .response)
  #expect(response.id == "\"q\"")
  #expect(response.resultMembers == [["a", "1"]])
  #expect(response.message?.defect == nil)
}

@Test func idsKeepTheirExactText() {
  for id in [
    "0", "1", "-1", "1.0", "1e0", "1E+2", "9007199254740993", "123456789012345678901234567890", "null", "\"\"", "\"a\"",
    "\"1\"",
    "\"\\u0061\\n\"", "\"naïve 日 😀\"", "-0", "\"123e4567-e89b-12d3-a456-426614174000\"", "\"\\ud800\"",
  ] {
    let request = Parsed("{\"jsonrpc\":\"2.0\",\"id\": \(id) ,\"method\":\"x\"}")
    #expect(request.kind == .request, "\(id)")
    #expect(request.id == id)
    #expect(Parsed("{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":\(id)}").id == id)
  }
}

@Test func anyOtherIdIsInvalidAndAnsweredUnderNull() {
  for id in ["true", "false", "[]", "[1]", "{}", "{\"id\":1}"] {
    let parsed = Parsed("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"x\"}")
    #expect(parsed.reason == .invalidID)
    #expect(parsed.invalidID == "")
    let response = Parsed("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":1}")
    #expect(response.kind == .response)
    #expect(response.message?.defect == .invalidID)
    #expect(response.id == "")
  }
}

@Test func paramsAreAnObjectAnArrayOrNothing() {
  func parse(_ params: String) -> Parsed {
    Parsed("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"params\":\(params)}")
  }
  #expect(parse("{}").message?.paramsKind == .object)
  #expect(parse("[]").message?.paramsKind == .array)
  #expect(parse("[1,2]").params == "[1,2]")
  #expect(parse("null").message?.paramsKind == .absent)
  #expect(parse("null").params == "")
  for params in ["\"bar\"", "1", "0", "true", "false", "-1.5"] {
    #expect(parse(params).reason == .invalidParams)
    #expect(parse(params).invalidID == "7")
    #expect(parse(params).paramMembers == [])
  }
}

@Test func theVersionIsExactly2() {
  for version in ["\"2.0\"", "\"\\u0032.0\"", "\"2\\u002e0\""] {
    #expect(Parsed("{\"jsonrpc\":\(version),\"method\":\"x\"}").kind == .notification)
  }
  for version in [
    "\"1.0\"", "\"2\"", "2.0", "2", "\"2.00\"", "\"2.0 \"", "null", "\"\"", "[\"2.0\"]", "\"2,0\"", "\"2.1\"", "12345",
  ] {
    let parsed = Parsed("{\"id\":\"k\",\"jsonrpc\":\(version),\"method\":\"x\"}")
    #expect(parsed.reason == .wrongVersion, "\(version)")
    #expect(parsed.invalidID == "\"k\"")
    let response = Parsed("{\"id\":\"k\",\"jsonrpc\":\(version),\"result\":1}")
    #expect(response.message?.defect == .wrongVersion, "\(version)")
    #expect(response.id == "\"k\"")
  }
  #expect(Parsed(#"{"id":3,"method":"x"}"#).reason == .wrongVersion)
}

@Test func theMethodIsAString() {
  for method in ["1", "null", "true", "[]", "{}", "[\"x\"]"] {
    let parsed = Parsed("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\(method)}")
    #expect(parsed.reason == .invalidMethod)
    #expect(parsed.invalidID == "5")
  }
  #expect(Parsed(#"{"jsonrpc":"2.0","id":5}"#).reason == .missingMethod)
  #expect(Parsed(#"{"jsonrpc":"2.0","id":5}"#).invalidID == "5")
  #expect(Parsed(#"{"jsonrpc":"2.0","foo":"boo"}"#).invalidID == "")
  let escaped = Parsed(#"{"jsonrpc":"2.0","method":"st\u0061te"}"#)
  #expect(escaped.method == "state")
  #expect(escaped.message?.methodHasEscape == true)
  #expect(Parsed(#"{"jsonrpc":"2.0","method":""}"#).method == "")
}

@Test func membersAreFoundHoweverTheirNamesAreWritten() {
  let parsed = Parsed(
    #"{"\u006asonrpc":"2.0","i\u0064":1,"\u006d\u0065\u0074\u0068\u006f\u0064":"x","par\u0061ms":{"\u0061":1}}"#)
  #expect(parsed.kind == .request)
  #expect(parsed.id == "1")
  #expect(parsed.method == "x")
  #expect(parsed.paramMembers == [["a", "1"]])
  #expect(
    Parsed(#"{"jsonrpc":"2.0","id":1,"r\u0065sult":{"it\u0065ms":[{"i\u0064":2}]}}"#).items == [
      [#"{"i\u0064":2}"#, "2"]
    ])
  #expect(Parsed(#"{"jsonrpc":"2.0","id":1,"err\u006fr":{"c\u006fde":1,"message":"m"}}"#).message?.defect == nil)
  // Names are case-sensitive, and only these names mean anything.
  for name in ["Method", "METHOD", "method ", "methods", "metho", "m", ""] {
    #expect(Parsed("{\"jsonrpc\":\"2.0\",\"id\":1,\"\(name)\":\"x\"}").reason == .missingMethod, "\(name)")
  }
}

@Test func theLastOfDuplicateMembersCounts() {
  let parsed = Parsed(
    #"{"jsonrpc":"1.0","jsonrpc":"2.0","id":[],"id":2,"method":5,"m\u0065thod":"b","params":{"x":1},"params":{"y":2,"y":3}}"#
  )
  #expect(parsed.id == "2")
  #expect(parsed.method == "b")
  #expect(parsed.paramMembers == [["y", "2"], ["y", "3"]])
  #expect(Parsed(#"{"jsonrpc":"2.0","method":"a","params":{"x":1},"params":null}"#).paramMembers == [])
  #expect(Parsed(#"{"jsonrpc":"2.0","method":"a","params":{"x":1},"params":[1]}"#).paramMembers == [])
  #expect(Parsed(#"{"jsonrpc":"2.0","method":"a\n","method":"b"}"#).message?.methodHasEscape == false)
  #expect(Parsed(#"{"jsonrpc":"2.0","method":"a","id":1,"id":true}"#).reason == .invalidID)
  let result = Parsed(
    #"{"jsonrpc":"2.0","id":1,"result":{"items":[{"id":1}]},"result":{"items":[2],"items":[{"id":3},4]}}"#)
  #expect(result.items == [[#"{"id":3}"#, "3"], ["4", ""]])
  #expect(result.resultMembers.count == 2)
  let noArray = Parsed(#"{"jsonrpc":"2.0","id":1,"result":{"items":[1],"items":5}}"#)
  #expect(noArray.items == [])
  #expect(noArray.parser.itemsArray == .none)
  #expect(Parsed(#"{"jsonrpc":"2.0","id":1,"result":{"items":[1]},"result":5}"#).items == [])
}

@Test func theItemsOfAResultAreRecorded() {
  let parsed = Parsed(
    #"{"jsonrpc":"2.0","id":1,"result":{"items":[{"id":"a","x":{"id":9}}, 5,{"n":1}],"next":"c","total":3}}"#)
  #expect(parsed.items == [[#"{"id":"a","x":{"id":9}}"#, #""a""#], ["5", ""], [#"{"n":1}"#, ""]])
  #expect(parsed.text(parsed.parser.itemsArray) == #"[{"id":"a","x":{"id":9}}, 5,{"n":1}]"#)
  #expect(parsed.resultMembers.map { $0[0] } == ["items", "next", "total"])
  let empty = Parsed(#"{"jsonrpc":"2.0","id":1,"result":{"items":[]}}"#)
  #expect(empty.items == [])
  #expect(empty.text(empty.parser.itemsArray) == "[]")
  #expect(Parsed(#"{"jsonrpc":"2.0","id":1,"result":[{"id":1}]}"#).items == [])
  #expect(Parsed(#"{"jsonrpc":"2.0","id":1,"params":{"items":[1]},"method":"x"}"#).items == [])
}

@Test func responsesAreNeverInvalidButMayHaveADefect() {
  let cases: [(String, ResponseDefect?, String, String)] = [
    (#""id":1,"result":null"#, nil, "null", ""), (#""id":1,"result":0"#, nil, "0", ""),
    (#""id":1,"result":false,"error":null"#, nil, "false", ""),
    (#""id":1,"error":{"code":-1,"message":"m"}"#, nil, "", "e"),
    (#""id":1,"result":null,"error":{"code":-1,"message":"m"}"#, nil, "", "e"),
    (#""id":null,"error":{"code":-32700,"message":"m","data":{"x":1}}"#, nil, "", "e"),
    (#""id":1,"result":5,"error":{"code":-1,"message":"m"}"#, .bothResultAndError, "", "e"),
    (#""result":1"#, .missingID, "1", ""),
    (#""id":1,"error":null"#, .malformedError, "", "e"), (#""id":1,"error":5"#, .malformedError, "", "e"),
    (#""id":1,"error":"no""#, .malformedError, "", "e"), (#""id":1,"error":[]"#, .malformedError, "", "e"),
    (#""id":1,"error":{}"#, .malformedError, "", "e"), (#""id":1,"error":{"code":1}"#, .malformedError, "", "e"),
    (#""id":1,"error":{"code":"1","message":"m"}"#, .malformedError, "", "e"),
    (#""id":1,"error":{"code":1.5,"message":"m"}"#, .malformedError, "", "e"),
    (#""id":1,"error":{"code":1,"message":null}"#, .malformedError, "", "e"),
  ]
  for (members, defect, result, error) in cases {
    let parsed = Parsed("{\"jsonrpc\":\"2.0\",\(members)}")
    #expect(parsed.kind == .response, "\(members)")
    #expect(parsed.message?.defect == defect, "\(members)")
    #expect(parsed.message.map { parsed.text($0.result) } == result, "\(members)")
    #expect(parsed.message.map { !$0.error.isEmpty } == (error == "e"), "\(members)")
  }
  #expect(
    Parsed(#"{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"m","data":{"retryable":false}}}"#).errorMembers
      == [["code", "3"], ["message", #""m""#], ["data", #"{"retryable":false}"#]])
}

@Test func aMethodMakesItARequestWhateverElseItHas() {
  let both = Parsed(#"{"jsonrpc":"2.0","id":1,"result":5,"method":"x","error":{}}"#)
  #expect(both.kind == .request)
  #expect(both.method == "x")
  #expect(Parsed(#"{"jsonrpc":"2.0","id":1,"result":5,"method":7}"#).reason == .invalidMethod)
}

@Test func whatIsNotJSONIsAParseErrorWithItsPlace() {
  let cases: [(String, JSONSyntaxError.Reason, Int)] = [
    ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("{", .unexpectedEnd, 1), ("nope", .invalidLiteral, 0),
    (#"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#, .expectedCommaOrEnd, 39),
    (#"{"jsonrpc":"2.0","method":"x"}}"#, .trailingText, 30), (#"{"jsonrpc":"2.0","method":"x"},"#, .trailingText, 30),
    (#"{"jsonrpc":"2.0","method":"x",}"#, .expectedKey, 30), ("[1,2", .unexpectedEnd, 4), ("[1] x", .trailingText, 4),
    (#"{"params":{"a":01}}"#, .invalidNumber, 15), (#"{"result":{"items":[{"id":tru}]}}"#, .invalidLiteral, 26),
    (#"{"method":"a\x"}"#, .invalidEscape, 12), (#"{"id":}"#, .expectedValue, 6), ("{\"id\"", .unexpectedEnd, 5),
    ("\u{FEFF}{}", .byteOrderMark, 0), ("1 2", .trailingText, 2), ("{\"a\":\"\u{1}\"}", .controlCharacter, 6),
    (#"{"error":{"code":1,]}"#, .expectedKey, 19), (#"{"params":[1,]}"#, .expectedValue, 13),
  ]
  for (text, reason, offset) in cases {
    let parsed = Parsed(text)
    #expect(parsed.reason == .notJSON(JSONSyntaxError(reason, at: offset)), "\(text)")
    #expect(Parsed.invalid(parsed.frame)?.code == .parseError)
    #expect(parsed.invalidID == "")
    #expect(parsed.paramMembers == [] && parsed.items == [] && parsed.resultMembers == [])
  }
  let broken = Parsed(Array("{\"method\":\"".utf8) + [0xFF] + Array("\"}".utf8))
  #expect(broken.reason == .notJSON(JSONSyntaxError(.invalidUTF8, at: 11)))
}

@Test func valuesThatAreNoMessageAreInvalid() {
  for text in ["1", "\"x\"", "null", "true", " -1.5e3 "] {
    #expect(Parsed(text).reason == .notAnObject)
    #expect(Parsed.invalid(Parsed(text).frame)?.code == .invalidRequest)
  }
  #expect(Parsed("{}").reason == .wrongVersion)
  #expect(Parsed("[]").reason == .emptyBatch)
  #expect(Parsed(" [ ] ").reason == .emptyBatch)
}

@Test func theDepthLimitCountsFromTheBody() {
  // The message, its params, and one level more.
  let request = #"{"jsonrpc":"2.0","method":"x","params":{"a":[]}}"#
  #expect(Parsed(request, maxDepth: 3).kind == .notification)
  #expect(Parsed(request, maxDepth: 2).reason == .notJSON(JSONSyntaxError(.tooDeep, at: 44)))
  let response = #"{"jsonrpc":"2.0","id":1,"result":{"items":[{"a":[]}]}}"#
  #expect(Parsed(response, maxDepth: 5).kind == .response)
  #expect(Parsed(response, maxDepth: 4).reason == .notJSON(JSONSyntaxError(.tooDeep, at: 48)))
  let batch = "[\(request)]"
  #expect(Parsed(batch, maxDepth: 4).frame == .batch(count: 1))
  #expect(Parsed(batch, maxDepth: 3).reason == .notJSON(JSONSyntaxError(.tooDeep, at: 45)))
  let deep = String(repeating: "[", count: 100_000)
  #expect(Parsed(deep).reason == .notJSON(JSONSyntaxError(.tooDeep, at: 1000)))
  #expect(Parsed("{\"jsonrpc\":\"2.0\",\"params\":\(deep)").reason == .notJSON(JSONSyntaxError(.tooDeep, at: 26 + 999)))
}

@Test func theElementsOfABatchAreReadOneByOne() {
  var parsed = Parsed(
    #" [ {"jsonrpc":"2.0","id":1,"method":"a","params":{"p":1}} ,5,[],{"jsonrpc":"2.0","method":"b"},{"id":"z"}, {"jsonrpc":"2.0","id":9,"result":{"items":[{"id":1}]}}]"#
  )
  #expect(parsed.frame == .batch(count: 6))
  func element(_ index: Int) -> ParsedFrame {
    let bytes = parsed.bytes
    return parsed.parser.parseBatchElement(bytes.span, at: index)
  }
  guard case .message(let first) = element(0) else {
    Issue.record("no message")
    return
  }
  #expect(first.kind == .request)
  #expect(parsed.text(first.id) == "1")
  #expect(parsed.paramMembers == [["p", "1"]])
  #expect(Parsed.invalid(element(1))?.reason == .notAnObject)
  #expect(parsed.paramMembers == [])
  #expect(Parsed.invalid(element(2))?.reason == .notAnObject)
  guard case .message(let fourth) = element(3) else {
    Issue.record("no message")
    return
  }
  #expect(fourth.kind == .notification)
  let fifth = Parsed.invalid(element(4))
  #expect(fifth?.reason == .wrongVersion)
  #expect(fifth.map { parsed.text($0.id) } == "\"z\"")
  guard case .message(let sixth) = element(5) else {
    Issue.record("no message")
    return
  }
  #expect(sixth.kind == .response)
  #expect(parsed.items == [[#"{"id":1}"#, "1"]])
}

@Test func nothingOfAnEarlierMessageIsLeft() {
  var parser = MessageParser()
  let first = Array(#"{"jsonrpc":"2.0","id":1,"result":{"items":[1]},"params":{"a":1}}"#.utf8)
  let second = Array(#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}"#.utf8)
  let third = Array(#"{"jsonrpc":"2.0","method":"x"}"#.utf8)
  _ = parser.parse(first.span, JSONSlice(start: 0, end: first.count))
  #expect(parser.items.count == 1 && parser.resultMembers.count == 1 && parser.paramMembers.count == 1)
  _ = parser.parse(second.span, JSONSlice(start: 0, end: second.count))
  #expect(parser.items.isEmpty && parser.resultMembers.isEmpty && parser.paramMembers.isEmpty)
  #expect(parser.errorMembers.count == 2)
  _ = parser.parse(third.span, JSONSlice(start: 0, end: third.count))
  #expect(parser.errorMembers.isEmpty)
}

@Test func everyReasonHasASentence() {
  let reasons: [InvalidMessage.Reason] = [
    .notJSON(JSONSyntaxError(.tooDeep, at: 3)), .notAnObject, .emptyBatch, .batchTooLarge(limit: 3), .wrongVersion,
    .invalidID,
    .missingMethod,
    .invalidMethod, .invalidParams,
  ]
  #expect(Set(reasons.map { InvalidMessage(reason: $0, id: .none).message }).count == reasons.count)
  let errors: [FrameError] = [
    .missingLength, .invalidLength, .frameTooLong(limit: 1), .conflictingLengths, .headerTooLong(limit: 2), .notAHeader,
    .unsupportedCharset,
  ]
  #expect(Set(errors.map(\.message)).count == errors.count)
  let defects: [ResponseDefect] = [.wrongVersion, .missingID, .invalidID, .bothResultAndError, .malformedError]
  #expect(Set(defects.map(\.message)).count == defects.count)
}

@Test(arguments: 0..<4 as Range<UInt64>)
func damagedMessagesAreJudgedAsTheScannerJudgesThem(seed: UInt64) {
  var random = SeededRandom(seed: seed)
  let messages = [
    #"{"jsonrpc":"2.0","id":1,"method":"hot","params":{"session":"5e55-4a7b","position":17}}"#,
    #"{"jsonrpc":"2.0","id":"x","result":{"items":[{"id":"a","t":"é日😀"},{"id":2}],"next":null}}"#,
    #"[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"\u00e9"}}]"#,
    #" { "params" : [ 1 , -2.5e3 , true ] , "method" : "m\u0065" , "jsonrpc" : "2.0" } "#,
  ].map { Array($0.utf8) }
  for round in 0..<3000 {
    var body = messages[random.below(messages.count)]
    for _ in 0...random.below(3) where !body.isEmpty {
      let place = random.below(body.count)
      switch random.below(4) {
      case 0: body.remove(at: place)
      case 1: body[place] = UInt8(truncatingIfNeeded: random.next())
      case 2: body.insert(Array("{}[]\",:\\0n".utf8)[random.below(10)], at: place)
      default: body.swapAt(place, random.below(body.count))
      }
    }
    let whole = JSONSlice(start: 0, end: body.count)
    let scanned: JSONSyntaxError?
    do throws(JSONSyntaxError) {
      _ = try JSONScanner().scanDocument(body.span, whole)
      scanned = nil
    } catch {
      scanned = error
    }
    let parsed = Parsed(body)
    if let scanned {
      #expect(parsed.reason == .notJSON(scanned), "seed \(seed), round \(round): \(body)")
    } else if case .notJSON(let error) = parsed.reason {
      Issue.record("seed \(seed), round \(round): \(error) in \(body)")
    }
  }
}

@Test func whatIsRecordedIsBounded() {
  func parse(_ text: String) -> ParsedFrame {
    var parser = MessageParser(maxBatchCount: 2, maxRecorded: 3)
    let body = Array(text.utf8)
    return parser.parse(body.span, JSONSlice(start: 0, end: body.count))
  }
  func notJSON(_ offset: Int) -> ParsedFrame {
    .invalid(InvalidMessage(reason: .notJSON(JSONSyntaxError(.tooMany, at: offset)), id: .none))
  }
  #expect(parse("[1,2]") == .batch(count: 2))
  #expect(parse("[1,2,3]") == .invalid(InvalidMessage(reason: .batchTooLarge(limit: 2), id: .none)))
  #expect(parse("[1,2,3,4]") == notJSON(7))
  let start = "{\"jsonrpc\":\"2.0\",\"id\":1,"
  #expect(Parsed.kind(parse(start + "\"result\":{\"items\":[1,2,3],\"a\":1,\"b\":2}}")) == .response)
  #expect(parse(start + "\"result\":{\"items\":[1,2,3,4]}}") == notJSON(start.utf8.count + 25))
  #expect(parse(start + "\"result\":{\"a\":1,\"b\":2,\"c\":3,\"d\":4}}") == notJSON(start.utf8.count + 28))
  #expect(parse(start + "\"params\":{\"a\":1,\"b\":2,\"c\":3,\"d\":4}}") == notJSON(start.utf8.count + 28))
  // What is only validated may be as long as the frame.
  #expect(Parsed.kind(parse(start + "\"method\":\"x\",\"params\":[1,2,3,4,5]}")) == .request)
}
