import JSONText
import Testing

/// What a scan of an array says: where it ends and what it holds, or its error.
private enum Answer: Equatable {
  case array(end: Int, [JSONElement])
  case error(JSONSyntaxError)

  init(_ text: [UInt8], from start: Int, to end: Int, scanner: JSONScanner, byMarks: Bool) {
    var elements: [JSONElement] = []
    var marks = JSONMarks()
    do throws(JSONSyntaxError) {
      let end =
        byMarks
        ? try scanner.scanArray(text.span, from: start, to: end, elements: &elements, marks: &marks)
        : try scanner.scanArray(text.span, from: start, to: end, elements: &elements)
      self = .array(end: end, elements)
    } catch {
      self = .error(error)
    }
  }
}

/// Whether both ways of scanning an array say the same of `[FILLER, value]`, which is long enough for marks, wherever in a block the
/// value stands.
func marksAgree(on value: [UInt8], scanner: JSONScanner = JSONScanner(), fillers: Range<Int> = 256..<322) -> Bool {
  fillers.allSatisfy { count in
    let text = Array("[\"".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: count) + Array("\",".utf8) + value
    let document = Array("  ".utf8) + text + Array("] , \"".utf8)
    // Where the text ends is not always where the buffer does.
    return [document.count, document.count - 4, document.count - 6].allSatisfy {
      Answer(document, from: 2, to: $0, scanner: scanner, byMarks: true)
        == Answer(document, from: 2, to: $0, scanner: scanner, byMarks: false)
    }
  }
}

@Test(arguments: [
  "{}", "[]", " { } ", "[[ ]]", "{\"id\":1}", "{\"id\":\"a\",\"id\":{\"b\":[1,2]}}", "{\"i\\u0064\":true}",
  "{\"x\":{\"id\":1}}",
  "{\"idx\":1,\"i\":2,\"\":3}", "{\"id\" : 12 , \"b\"\n:\t[ 1 , 2 ] }", "1,2 , 3 ", "\"a\"",
  "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
  "\"\\\\\\\\\\\\\\\\\\\"\"", "0", "-0", "-1", "10", "1.5", "-0.25", "1e5", "1E+5", "1.5e-7", "12345678", "123456789",
  "0.12345678",
  "0.123456789", "12345678.12345678", "123456789012345678901234567890", "true", "false", "null", "[true,false,null]",
  "\"é日😀\"",
])
func marksAgreeOnValidText(text: String) {
  #expect(marksAgree(on: Array(text.utf8)))
}

@Test(arguments: [
  "", ",", "{", "}", "[", "]", "{]", "[}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{1:2}", "{\"a\",1}",
  "{\"a\":1 \"b\":2}",
  "[1 2]", "[1,,2]", "[1,]", "1 2", "1\"a\"", "\"a\"1", "\"a\"\"b\"", "\"a\"b", "tru", "truex", "true1", "falsetto",
  "nul", "nulls",
  "01", "-", "-a", "1.", ".5", "1.a", "1e", "1e+", "+1", "00", "-01", "1_0", "0x1", "\"a", "\"\\", "\"\\x\"",
  "\"\\u12\"", "\"\\u12g4\"",
  "\"\\u123\"", "\\", "\\n", "a", "{\"a\":1}}", "]]", "[1]]", "1\u{1}", "1\u{C}", "\u{C}1", "\u{1A}", "{\u{1A}}",
  "{\"a\"\u{1A}1}", "é", "1é",
])
func marksAgreeOnBrokenText(text: String) {
  #expect(marksAgree(on: Array(text.utf8)))
}

@Test func marksAgreeOnEveryByteInAndBetweenStrings() {
  for byte in UInt8.min...UInt8.max {
    #expect(marksAgree(on: [UInt8(ascii: "\""), byte, UInt8(ascii: "\"")], fillers: 300..<302), "\(byte) in a string")
    #expect(marksAgree(on: [UInt8(ascii: "1"), byte], fillers: 300..<302), "\(byte) behind a number")
    #expect(marksAgree(on: Array("{\"a\":1".utf8) + [byte] + Array("\"b\":2}".utf8), fillers: 300..<302), "\(byte)")
    #expect(marksAgree(on: Array("\"\\".utf8) + [byte] + Array("0000\"".utf8), fillers: 300..<302), "escaped \(byte)")
  }
}

@Test func marksAgreeOnUTF8WhereverABlockEnds() {
  // Every first byte with the second bytes at which what is allowed changes, alone and with more behind.
  for first in UInt8(0x7F)...UInt8.max {
    for second: UInt8 in [0x20, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xF0] {
      for rest: [UInt8] in [[], [0x80], [0x80, 0xBF], [0x80, 0x41], [0x80, 0x80, 0x80]] {
        let text = [UInt8(ascii: "\""), first, second] + rest + [UInt8(ascii: "\"")]
        #expect(marksAgree(on: text, fillers: 303..<315), "\(text)")
      }
    }
  }
}

@Test func marksAgreeOnDepthAndNumberOfElements() {
  for depth in [1, 61, 62, 63, 64, 65, 66, 200] {
    let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    for maxDepth in [0, 1, 2, depth, depth + 1, depth + 2, 1000] {
      let scanner = JSONScanner(maxDepth: maxDepth)
      #expect(marksAgree(on: Array(nested.utf8), scanner: scanner, fillers: 256..<258), "\(depth) of \(maxDepth)")
    }
  }
  let many = Array([String](repeating: "{\"id\":7}", count: 1000).joined(separator: ", ").utf8)
  for maxRecorded in [0, 1, 2, 999, 1000, 1001, 1002] {
    #expect(marksAgree(on: many, scanner: JSONScanner(maxRecorded: maxRecorded), fillers: 256..<258))
  }
}

@Test func marksAgreeOnTextOfManyBatches() {
  let items = (0..<5000).map { "{\"id\":\"\($0)\",\"a\":[\($0),{\"id\":0}],\"t\":\"é\\n日\",\"f\":\($0).5,\"z\":{}}" }
  let text = Array(items.joined(separator: ",\n  ").utf8)
  #expect(marksAgree(on: text, fillers: 256..<260))
  for cut in stride(from: 3, to: text.count, by: 9973) {
    #expect(marksAgree(on: Array(text[..<cut]), fillers: 256..<258), "cut at \(cut)")
  }
}

@Test(arguments: [
  ("id", "\"id\":1"), ("id", "\"i\\u0064\":1"), ("id", "\"\\u0069d\":1"), ("a", "\"a\":1"), ("", "\"\":1"),
  ("sixsix", "\"sixsix\":1"),
  ("seven77", "\"seven77\":1"), ("eight888", "\"eight888\":1"), ("nine99999", "\"nine99999\":1"),
  ("nine99999", "\"nine9999\\u0039\":1"),
  ("a\\b", "\"a\\\\b\":1"), ("a\"b", "\"a\\\"b\":1"), ("naïve", "\"naïve\":1"), ("naïve", "\"na\\u00efve\":1"),
])
func aLargeObjectsIDIsFoundByItsName(name: String, member: String) throws {
  try #require(JSONMarks.areAvailable)
  let filler = String(repeating: "x", count: 300)
  for (front, behind) in [
    ("\"f\":\"\(filler)\",", ""), ("", ",\"f\":\"\(filler)\""), ("\"\(name.prefix(1))\":2,", ",\"f\":\"\(filler)\""),
  ] {
    let isSameName = front.hasSuffix("2,") && name.count < 2
    let text = Array("{\(front)\(member)\(behind)}".utf8)
    var marks = JSONMarks()
    let item = JSONScanner().scanLargeObject(
      text.span, from: 0, to: text.count, id: JSONMemberName(Array(name.utf8)), marks: &marks)
    let found = try #require(item, "\(name): \(member)")
    #expect(found.value == JSONSlice(start: 0, end: text.count))
    #expect(JSONReader.text(text.span, found.id) == "1" || isSameName)
    let other = JSONScanner().scanLargeObject(
      text.span, from: 0, to: text.count, id: JSONMemberName(Array("\(name)x".utf8)), marks: &marks)
    #expect(other?.id == JSONSlice.none)
  }
}
