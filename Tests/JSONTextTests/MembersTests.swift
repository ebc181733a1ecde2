import JSONText
import Testing

@Test func membersAreRecordedInOrderWithDuplicates() throws {
  let sample = Sample(#" {"a":1, "b" : {"a":2} ,"a":[3], "":null , "a\u0062" : "x\n"} "#)
  #expect(
    try sample.members() == [["a", "1"], ["b", #"{"a":2}"#], ["a", "[3]"], ["", "null"], ["ab", #""x\n""#]])
  #expect(try sample.memberSlices().map(\.keyHasEscape) == [false, false, false, false, true])
  #expect(try Sample("{}").members() == [])
  #expect(try Sample(" {  } ").members() == [])
}

@Test func theLastMemberOfANameCounts() throws {
  let sample = Sample(#"{"a":1,"b":2,"\u0061":3,"ab":4}"#)
  #expect(try sample.value("a") == "3")
  #expect(try sample.value("b") == "2")
  #expect(try sample.value("ab") == "4")
  #expect(try sample.value("c") == nil)
  #expect(try sample.value("") == nil)
  #expect(try Sample(#"{"é\n":1,"":2}"#).value("é\n") == "1")
  #expect(try Sample(#"{"":2}"#).value("") == "2")
}

@Test func namesOfEveryLengthAreFound() throws {
  for length in 0...40 {
    let name = String(repeating: "k", count: length)
    let sample = Sample("{\"\(name)\":{\"\(name)\":1}, \"\(name)x\" :2}")
    #expect(try sample.members() == [[name, "{\"\(name)\":1}"], [name + "x", "2"]])
    #expect(try sample.resolve(JSONPointer(tokens: [Array(name.utf8), Array(name.utf8)])) == "1")
    // The shortest text behind the name, so that no read goes past the end.
    #expect(Sample("{\"\(name)\":1}").error() == nil)
    #expect(Sample("{\"\(name)\"").error() == JSONSyntaxError(.unexpectedEnd, at: length + 3))
    #expect(Sample("{\"\(name)").error() == JSONSyntaxError(.unexpectedEnd, at: length + 2))
  }
}

@Test func elementsAreRecordedWithTheirIds() throws {
  #expect(
    try Sample(#"[ {"id":1},{"x":{"id":2},"id" : "a" }, 3 ,[{"id":4}],{} , {"id":5,"id":null},{"\u0069d":6}, "id"]"#)
      .elements() == [
        [#"{"id":1}"#, "1"], [#"{"x":{"id":2},"id" : "a" }"#, #""a""#], ["3", ""], [#"[{"id":4}]"#, ""], ["{}", ""],
        [#"{"id":5,"id":null}"#, "null"], [#"{"\u0069d":6}"#, "6"], [#""id""#, ""],
      ])
  #expect(
    try Sample(#"[{"ID":1},{"id ":1},{"i":1},{"idd":1},{"\u0069\u0064\u0000":1}]"#).elements().map { $0[1] } == [
      "", "", "", "", "",
    ])
  #expect(try Sample(#"[{"id":{"a":[1,2]}}]"#).elements() == [[#"{"id":{"a":[1,2]}}"#, #"{"a":[1,2]}"#]])
  #expect(try Sample("[]").elements() == [])
  #expect(try Sample("[ \n ]").elements() == [])
}

@Test func recordingNeedsTheRightKindOfValue() {
  let bytes = Array(#"[{"a":1}]"#.utf8)
  var members: [JSONMember] = []
  var elements: [JSONElement] = []
  let scanner = JSONScanner()
  #expect(throws: JSONSyntaxError(.expectedValue, at: 0)) {
    try scanner.scanObject(bytes.span, from: 0, to: bytes.count, members: &members)
  }
  #expect(throws: JSONSyntaxError(.expectedValue, at: 1)) {
    try scanner.scanArray(bytes.span, from: 1, to: bytes.count, elements: &elements)
  }
  #expect(throws: JSONSyntaxError(.unexpectedEnd, at: 1)) {
    try scanner.scanObject(bytes.span, from: 1, to: 1, members: &members)
  }
  #expect(throws: JSONSyntaxError(.unexpectedEnd, at: 0)) {
    try scanner.scanArray(bytes.span, from: 0, to: 0, elements: &elements)
  }
}

@Test func aNewScanForgetsTheOldOne() throws {
  var members = [JSONMember(key: .none, keyHasEscape: true, value: .none, word: 1)]
  var elements = [JSONElement(value: .none, id: .none)]
  let bytes = Array("{}[]".utf8)
  let afterObject = try JSONScanner().scanObject(bytes.span, from: 0, to: 4, members: &members)
  let afterArray = try JSONScanner().scanArray(bytes.span, from: 2, to: 4, elements: &elements)
  #expect(afterObject == 2)
  #expect(afterArray == 4)
  #expect(members.isEmpty)
  #expect(elements.isEmpty)
}

@Test func keyWordsAreTheBytesOfTheName() {
  #expect(JSONKeyWord.make("id") == 0x6469)
  #expect(JSONKeyWord.make("") == 0)
  #expect(JSONKeyWord.make("12345678") == 0x3837_3635_3433_3231)
  #expect(JSONKeyWord.make("123456789") == 0)
  let escaped = Array(#"{"\u0069\u0064":1}"#.utf8)
  let word = try? JSONScanner.scanKey(escaped.span, at: 1, to: escaped.count).word(in: escaped.span)
  #expect(word == JSONKeyWord.make("id"))
}

@Test func lookingUpByWordFindsWhatLookingUpByNameFinds() throws {
  let sample = Sample(
    #"{"session":1,"position":2,"pos\u0069tion":3,"generation":4,"":5,"nul\u0000":6,"é":7,"ab":8,"ab\u0000":9}"#)
  let names: [(StaticString, String?)] = [
    ("session", "1"), ("position", "3"), ("generation", "4"), ("", "5"), ("nul\u{0}", "6"), ("nul", nil), ("é", "7"),
    ("ab", "8"),
    ("ab\u{0}", "9"), ("sessio", nil), ("sessions", nil),
  ]
  for (name, value) in names { #expect(try sample.value(name) == value, "\(name)") }
}

@Test func noMoreIsRecordedThanAllowed() throws {
  let scanner = JSONScanner(maxRecorded: 2)
  var members: [JSONMember] = []
  var elements: [JSONElement] = []
  let two = Array(#"{"a":1,"b":[1,2,3]}"#.utf8)
  let three = Array(#"{"a":1,"b":2, "c":3}"#.utf8)
  let array = Array("[1,{},[]]".utf8)
  let end = try scanner.scanObject(two.span, from: 0, to: two.count, members: &members)
  #expect(end == two.count)
  #expect(throws: JSONSyntaxError(.tooMany, at: 14)) {
    try scanner.scanObject(three.span, from: 0, to: three.count, members: &members)
  }
  #expect(throws: JSONSyntaxError(.tooMany, at: 6)) {
    try scanner.scanArray(array.span, from: 0, to: array.count, elements: &elements)
  }
}
