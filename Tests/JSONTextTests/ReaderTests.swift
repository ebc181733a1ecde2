import JSONText
import Testing

@Test func kindsAreTold() {
  let kinds: [(String, JSONKind?)] = [
    ("null", .null), ("true", .bool), ("false", .bool), ("1", .number), ("-1", .number), ("\"\"", .string),
    ("[]", .array),
    ("{}", .object), ("", nil), ("x", nil), ("+1", nil),
  ]
  for (text, kind) in kinds { #expect(Sample(text).kind == kind) }
}

@Test func integersAreExactOrNil() {
  let integers: [(String, Int?)] = [
    ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9007199254740993", 9_007_199_254_740_993),
    ("9223372036854775807", .max),
    ("-9223372036854775808", .min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
    ("99999999999999999999999", nil), ("1.0", nil), ("1e2", nil), ("1E2", nil), ("\"1\"", nil), ("null", nil),
    ("", nil),
    ("-", nil), ("[]", nil),
  ]
  for (text, integer) in integers { #expect(Sample(text).integer == integer, "\(text)") }
}

@Test func numbersAreTheNearestDouble() {
  let numbers: [(String, Double?)] = [
    ("0", 0), ("1.5", 1.5), ("-2.25e-3", -0.00225), ("1e400", .infinity), ("-1e400", -.infinity), ("1e-400", 0),
    ("1E2", 100),
    ("0.1", 0.1), ("\"1\"", nil), ("null", nil), ("true", nil),
  ]
  for (text, number) in numbers { #expect(Sample(text).number == number, "\(text)") }
}

@Test func truthValuesAreTold() {
  #expect(Sample("true").bool == true)
  #expect(Sample("false").bool == false)
  for text in ["null", "1", "\"true\"", ""] { #expect(Sample(text).bool == nil) }
}

@Test func stringsAreDecoded() {
  let strings: [(String, String?)] = [
    (#""""#, ""), (#""abc""#, "abc"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u65E5""#, "Aé日"),
    (#""\ud83d\ude00x""#, "😀x"), (#""a\u0000b""#, "a\0b"), ("\"é日😀\"", "é日😀"), ("1", nil), ("null", nil), ("", nil),
    ("\"", nil), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
    // Lone surrogates in every position.
    (#""\ud800""#, "\u{FFFD}"), (#""\udc00\ud800""#, "\u{FFFD}\u{FFFD}"), (#""\ud800x""#, "\u{FFFD}x"),
    (#""\ud800\n""#, "\u{FFFD}\n"), (#""\ud800\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud800\u0041""#, "\u{FFFD}A"),
  ]
  for (text, string) in strings { #expect(Sample(text).string == string, "\(text)") }
}

@Test func anEscapeIsFoundWhereverItStands() {
  for count in 0...40 {
    let plain = String(repeating: "[", count: count)
    for offset in 0...count {
      var text = plain
      text.insert(contentsOf: #"\n"#, at: text.index(text.startIndex, offsetBy: offset))
      var expected = plain
      expected.insert("\n", at: expected.index(expected.startIndex, offsetBy: offset))
      // One before and one behind the string are none of its own.
      let bytes = Array(#"\"\#(text)"\"#.utf8)
      let value = JSONSlice(start: 1, end: bytes.count - 1)
      #expect(JSONReader.string(bytes.span, value) == expected)
    }
    let bytes = Array(#"\"\#(plain)"\"#.utf8)
    #expect(JSONReader.string(bytes.span, JSONSlice(start: 1, end: bytes.count - 1)) == plain)
  }
}

@Test func differentLoneSurrogatesStayDifferentBytes() {
  #expect(Sample(#""\ud800""#).stringBytes == [0xED, 0xA0, 0x80])
  #expect(Sample(#""\udfff""#).stringBytes == [0xED, 0xBF, 0xBF])
  #expect(Sample(#""\ud83d\ude00""#).stringBytes == Array("😀".utf8))
  #expect(Sample("5").stringBytes == nil)
}

@Test func stringsAreComparedDecoded() {
  #expect(Sample(#""state""#).stringEquals("state"))
  #expect(Sample(#""st\u0061te""#).stringEquals("state"))
  #expect(Sample(#""\u0073\u0074\u0061\u0074\u0065""#).stringEquals("state"))
  #expect(Sample(#""""#).stringEquals(""))
  for text in [#""State""#, #""stat""#, #""states""#, "state", #""st\\u0061te""#, "1", ""] {
    #expect(!Sample(text).stringEquals("state"), "\(text)")
  }
  // The text of an escape is not its meaning.
  #expect(!Sample(#""\n""#).stringEquals("\\n"))
  #expect(Sample(#""\\n""#).stringEquals("\\n"))
}

@Test func canonicalIdsAreEqualWhenTheirValuesAre() {
  let groups = [
    [#""a""#, #""\u0061""#], ["0", "-0"], ["1"], [#""1""#], ["-1"], [#""""#], [#""é""#, #""\u00e9""#, #""\u00E9""#],
    [#""/""#, #""\/""#], [#""\ud800""#], [#""\udc00""#], ["9007199254740993"], ["9007199254740992"],
    ["123456789012345678901234567890"], [#""-0""#], [#""😀""#, #""\ud83d\ude00""#], [#""\u0000""#], ["10"],
  ]
  for (index, group) in groups.enumerated() {
    for text in group {
      let id = Sample(text).canonicalID
      #expect(id != nil, "\(text)")
      for (other, members) in groups.enumerated() {
        for member in members { #expect((Sample(member).canonicalID == id) == (other == index), "\(text), \(member)") }
      }
    }
  }
  #expect(Sample("-0").canonicalID?.bytes == [UInt8(ascii: "0")])
  #expect(Sample("-0").canonicalID?.kind == .integer)
}

@Test func nothingElseIsAnId() {
  for text in ["1.0", "1e0", "1E2", "-0.0", "null", "true", "[]", "{}", "", "-", #"["a"]"#] {
    #expect(Sample(text).canonicalID == nil, "\(text)")
  }
}
