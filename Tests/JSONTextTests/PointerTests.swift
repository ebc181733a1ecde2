import JSONText
import Testing

/// The document of RFC 6901, section 5.
private let example = Sample(
  #"{"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8}"#)

@Test func theExamplesOfTheSpecificationResolve() throws {
  let expected: [(String, String?)] = [
    ("", example.text(example.whole)), ("/foo", #"["bar", "baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"),
    ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
  ]
  for (text, value) in expected {
    let pointer = try JSONPointer(text)
    #expect(try example.resolve(pointer) == value, "\(text)")
    #expect(pointer.text == text)
  }
}

@Test func whatIsNotThereResolvesToNothing() throws {
  for text in [
    "/bar", "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/-1", "/foo/+1", "/foo/1.0", "/foo/a", "/foo/", "/foo/0/x",
    "//x",
    "/foo/99999999999999999999", "/foo/0/0", "/a~1b/c", "/FOO",
  ] { #expect(try example.resolve(JSONPointer(text)) == nil, "\(text)") }
  #expect(try Sample("[]").resolve(JSONPointer("/0")) == nil)
  #expect(try Sample("{}").resolve(JSONPointer("/0")) == nil)
  #expect(try Sample("5").resolve(JSONPointer("/0")) == nil)
}

@Test func badSyntaxIsRefused() {
  for text in ["a", "a/b", " /a", "#/a"] {
    #expect(throws: JSONPointer.SyntaxError.missingSlash) { try JSONPointer(text) }
  }
  for text in ["/~", "/a~", "/~2", "/~~0", "/a/b~/c"] {
    #expect(throws: JSONPointer.SyntaxError.invalidTilde) { try JSONPointer(text) }
  }
}

@Test func escapesAreUndoneOnce() throws {
  let pointer = try JSONPointer("/~01/~10/~0~1")
  #expect(pointer.tokens == ["~1", "/0", "~/"].map { Array($0.utf8) })
  #expect(pointer.text == "/~01/~10/~0~1")
}

@Test func theLastOfSeveralMembersIsMeant() throws {
  let sample = Sample(#"{"a":{"b":1},"x":[0,{"b":9,"\u0062":{"c":3}}],"a":{"b":2}}"#)
  #expect(try sample.resolve(JSONPointer("/a/b")) == "2")
  #expect(try sample.resolve(JSONPointer("/x/1/b/c")) == "3")
  #expect(try sample.resolve(JSONPointer("/x/0")) == "0")
}

@Test func namesAreComparedDecoded() throws {
  #expect(try Sample(#"{"caf\u00e9":1}"#).resolve(JSONPointer("/café")) == "1")
  #expect(try Sample(#"{"\ud83d\ude00":1}"#).resolve(JSONPointer("/😀")) == "1")
}

@Test func aSingleNameIsRecognised() throws {
  #expect(try JSONPointer("/id").isSingleName("id"))
  #expect(try !JSONPointer("/id/x").isSingleName("id"))
  #expect(try !JSONPointer("").isSingleName("id"))
  #expect(try !JSONPointer("/key").isSingleName("id"))
}

@Test func textThatWasNeverValidatedDoesNotTrap() throws {
  for text in ["{", "{\"a\"", "{\"a\":", "{\"a\":1", "[", "[1", "[1,", "\"", "", "nul", "[}"] {
    let bytes = Array(text.utf8)
    for pointer in ["", "/a", "/0", "/1", "/a/b"] {
      _ = try JSONPointer(pointer).resolve(in: bytes.span, JSONSlice(start: 0, end: bytes.count))
    }
  }
  let outside = try JSONPointer("").resolve(in: [UInt8]().span, JSONSlice(start: 3, end: 9))
  #expect(outside == nil)
}
