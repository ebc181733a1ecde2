import JSONText
import TestSupport
import Testing

/// Texts that RFC 8259 allows, every production at least once.
private let accepted: [String] = [
  "null", "true", "false", "\"\"", "[]", "{}", "0", "42", "-0", "-1", "-0.1", " [1] ", "\t\n\r [ ] \r\n\t", "\" \"",
  "[null]", "[null, 1, \"1\", {}]", "[1,null,null,null,2]", "[[]   ]", "[[[[]]],[]]", "{\"\":0}", "{\"a\":{}}", "{ }",
  "{\"a\":[]}", "{ \"a\" : \"b\" , \"c\" : [ { } , [ ] ] }", "{\"a\":\"b\",\"a\":\"c\"}", "{\"a\":\"b\",\"a\":\"b\"}",
  "{\n\"a\"\n:\n1\n}\n", "{\"min\": -1.0e+28, \"max\": 1.0e+28}", "{\"foo\\u0000bar\": 42}", "[false,true]",
  // Numbers.
  "123", "-123", "0e1", "0e+1", "0E-1", "1E22", "1E+2", "1E-2", "1e+2", "1e-2", "20e1", "123e65", "123.456",
  "123.456e78",
  "123.456789", "-0.0", "0.0e00", "9007199254740993", "1e400", "-1e-400", "123456789012345678901234567890",
  "-0.000000000000000000000000000000000000000000000000000000000000000000000000000001", "[ 4]", "[-123]", "0.0",
  // Strings.
  #""\"\\\/\b\f\n\r\t""#, #""\u0000\u002c\u0123\u0821\uA66D\uFFFF""#, #""\u0060\u012a\u12AB""#, #""\\u0000""#,
  #""\uD834\uDd1e""#, #""\ud83d\ude39\ud83d\udc8d""#, #""\uDBFF\uDFFF""#, #""a/*b*/c/*d//e""#, #""\\a\\n""#,
  "\"\u{7F}\"", "\"\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"", "\"\u{2028}\u{2029}\u{FEFF}\u{FFFE}\"",
  "\"π€𝄞\"",
  "\"日本語のテキスト例示用文字列検索結果一覧表示項目\"", "\"быстрая коричневая лиса\"", "\"naïve café, déjà vu\"", "[\"𛿿\"]",
  // Lone surrogate escapes are legal text: the grammar speaks of code units.
  #""\uD800""#, #""\uDFFF""#, #""\uDd1e\uD834""#, #""\uD800\uD800\n""#, #""\uD800\n""#, #"{"\uDEAD":0}"#,
  #""\uDADA\u0020""#,
]

/// Texts that RFC 8259 forbids: what is wrong with each, and at which byte.
private let rejected: [(String, JSONSyntaxError.Reason, Int)] = [
  // No value, or something that starts none.
  ("", .unexpectedEnd, 0), (" ", .unexpectedEnd, 1), ("*", .expectedValue, 0), ("<null>", .expectedValue, 0),
  ("[<null>]", .expectedValue, 1), ("[*]", .expectedValue, 1), ("]", .expectedValue, 0), ("}", .expectedValue, 0),
  (",", .expectedValue, 0), (":", .expectedValue, 0), ("abc", .expectedValue, 0), ("é", .expectedValue, 0),
  ("[é]", .expectedValue, 1), ("['a']", .expectedValue, 1), ("/**/1", .expectedValue, 0),
  ("[\u{2060}]", .expectedValue, 1),
  ("[\u{C}]", .expectedValue, 1), ("[\u{B}1]", .expectedValue, 1), ("[\u{A0}1]", .expectedValue, 1),
  ("[\\u000A\"\"]", .expectedValue, 1), ("[\\n]", .expectedValue, 1), ("[\u{0}]", .expectedValue, 1),
  ("\u{FEFF}", .byteOrderMark, 0), ("\u{FEFF}{}", .byteOrderMark, 0), (" \u{FEFF}{}", .byteOrderMark, 1),
  // Text after the value.
  ("1 2", .trailingText, 2), ("1]", .trailingText, 1), ("[1]x", .trailingText, 3), ("[1]]", .trailingText, 3),
  ("[][]", .trailingText, 2), ("{}}", .trailingText, 2), ("[\"\"],", .trailingText, 4), ("2@", .trailingText, 1),
  ("{\"a\":\"b\"}#{}", .trailingText, 9), ("{\"a\":\"b\"}//", .trailingText, 9), ("\"\"x", .trailingText, 2),
  ("123\u{0}", .trailingText, 3), ("true1", .trailingText, 4), ("nulll", .trailingText, 4),
  ("{} \u{FEFF}", .trailingText, 3),
  // Arrays.
  ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3), ("[\"\"", .unexpectedEnd, 3),
  ("[{}", .unexpectedEnd, 3), ("[[1]", .unexpectedEnd, 4), ("[1,\n1\n,1", .unexpectedEnd, 8),
  ("[,1]", .expectedValue, 1),
  ("[,]", .expectedValue, 1), ("[1,]", .expectedValue, 3), ("[1,,2]", .expectedValue, 3),
  ("[\"x\",,]", .expectedValue, 5),
  ("[1 true]", .expectedCommaOrEnd, 3), ("[1:2]", .expectedCommaOrEnd, 2), ("[\"\": 1]", .expectedCommaOrEnd, 3),
  ("[3[4]]", .expectedCommaOrEnd, 2), ("[1}", .expectedCommaOrEnd, 2), ("[\"a\u{B}\"]", .controlCharacter, 3),
  ("[\"a\"\\f]", .expectedCommaOrEnd, 4), ("[[]}", .expectedCommaOrEnd, 3), ("[   , \"\"]", .expectedValue, 4),
  // Objects.
  ("{", .unexpectedEnd, 1), ("{\"a\"", .unexpectedEnd, 4), ("{\"a\":", .unexpectedEnd, 5),
  ("{\"a\": ", .unexpectedEnd, 6),
  ("{\"a\":1", .unexpectedEnd, 6), ("{\"a\":1,", .unexpectedEnd, 7), ("{\"a", .unexpectedEnd, 3),
  ("{]", .expectedKey, 1),
  ("{,", .expectedKey, 1), ("{[", .expectedKey, 1), ("{'a':0}", .expectedKey, 1), ("{a:0}", .expectedKey, 1),
  ("{1:1}", .expectedKey, 1), ("{null:null}", .expectedKey, 1), ("{:\"b\"}", .expectedKey, 1),
  ("{[: \"x\"}", .expectedKey, 1),
  ("{\"id\":0,}", .expectedKey, 8), ("{\"a\":1,,\"b\":2}", .expectedKey, 7), ("{\"a\":1,b:2}", .expectedKey, 7),
  ("{\"a\" \"b\"}", .expectedColon, 5), ("{\"a\" b}", .expectedColon, 5), ("{\"x\", null}", .expectedColon, 4),
  ("{\"a\"}", .expectedColon, 4), ("{\"x\"::\"b\"}", .expectedValue, 5), ("{\"a\":}", .expectedValue, 5),
  ("{\"a\":1 2}", .expectedCommaOrEnd, 7), ("{\"a\":1]", .expectedCommaOrEnd, 6), ("{\"a\":\"a", .unexpectedEnd, 7),
  ("{\"a\":/**/1}", .expectedValue, 5), ("{🇨🇭}", .expectedKey, 1), ("[{\"a\":1},{\"b\" 1}]", .expectedColon, 14),
  ("{\"a\":{\"b\":[}}}", .expectedValue, 11), ("{\"a\":1;\"b\":2}", .expectedCommaOrEnd, 6),
  // Words.
  ("[tru]", .invalidLiteral, 1), ("[fals]", .invalidLiteral, 1), ("[nul]", .invalidLiteral, 1),
  ("tru", .invalidLiteral, 0),
  ("n", .invalidLiteral, 0), ("[truth]", .invalidLiteral, 1), ("[True]", .expectedValue, 1),
  ("[TRUE]", .expectedValue, 1),
  ("[nuLL]", .invalidLiteral, 1), ("[NaN]", .expectedValue, 1), ("[Inf]", .expectedValue, 1),
  ("fals", .invalidLiteral, 0),
  ("[Infinity]", .expectedValue, 1), ("[undefined]", .expectedValue, 1), ("[nullx]", .expectedCommaOrEnd, 5),
  // Numbers.
  ("[+1]", .expectedValue, 1), ("[++1]", .expectedValue, 1), ("[.1]", .expectedValue, 1), ("[-]", .invalidNumber, 1),
  ("-", .unexpectedEnd, 1), ("[-foo]", .invalidNumber, 1), ("[- 1]", .invalidNumber, 1), ("[-.1]", .invalidNumber, 1),
  ("[-Infinity]", .invalidNumber, 1), ("[01]", .invalidNumber, 1), ("[-01]", .invalidNumber, 1),
  ("[00]", .invalidNumber, 1),
  ("[-012]", .invalidNumber, 1), ("012", .invalidNumber, 0), ("[1.]", .invalidNumber, 1), ("1.", .unexpectedEnd, 2),
  ("[-2.]", .invalidNumber, 1), ("[0.e1]", .invalidNumber, 1), ("[2.e3]", .invalidNumber, 1),
  ("[1.0.]", .expectedCommaOrEnd, 4),
  ("[0.1.2]", .expectedCommaOrEnd, 4), ("[0e]", .invalidNumber, 1), ("0e", .unexpectedEnd, 2),
  ("[0e+]", .invalidNumber, 1),
  ("0e+", .unexpectedEnd, 3), ("[0E-]", .invalidNumber, 1), ("[0e+-1]", .invalidNumber, 1),
  ("[1eE2]", .invalidNumber, 1),
  ("[1ea]", .invalidNumber, 1), ("[1 000.0]", .expectedCommaOrEnd, 3), ("[0x1]", .expectedCommaOrEnd, 2),
  ("[1+2]", .expectedCommaOrEnd, 2), ("[1.2a-3]", .expectedCommaOrEnd, 4), ("[-1x]", .expectedCommaOrEnd, 3),
  ("[1_000]", .expectedCommaOrEnd, 2), ("[１]", .expectedValue, 1), ("[1e1.5]", .expectedCommaOrEnd, 4),
  ("-e1", .invalidNumber, 0),
  // Strings.
  ("\"", .unexpectedEnd, 1), ("\"abc", .unexpectedEnd, 4), ("\"abcdefghijklmnopqrstuvwxyz", .unexpectedEnd, 27),
  ("[\"\\", .unexpectedEnd, 3), ("\"\\\"", .unexpectedEnd, 3), ("\"\\\\\\\"", .unexpectedEnd, 5),
  ("\"\\u12", .unexpectedEnd, 5),
  ("\"\\a\"", .invalidEscape, 1), ("\"\\x00\"", .invalidEscape, 1), ("\"\\U0041\"", .invalidEscape, 1),
  ("\"\\'\"", .invalidEscape, 1), ("\"\\0\"", .invalidEscape, 1), ("\"\\\t\"", .invalidEscape, 1),
  ("\"\\🌀\"", .invalidEscape, 1),
  ("\"\\\u{0}\"", .invalidEscape, 1), ("\"\\u\"", .invalidEscape, 1), ("\"\\u00A\"", .invalidEscape, 1),
  ("\"\\uqqqq\"", .invalidEscape, 1), ("\"\\u 123\"", .invalidEscape, 1), ("\"\\u+123\"", .invalidEscape, 1),
  ("\"\\uD834\\uDd\"", .invalidEscape, 7), ("\"\\uD800\\\"", .unexpectedEnd, 9), ("\"\\uD800\\x\"", .invalidEscape, 7),
  ("\"\\u12é\"", .invalidEscape, 1), ("\"a\u{0}a\"", .controlCharacter, 2), ("\"a\nb\"", .controlCharacter, 2),
  ("\"\t\"", .controlCharacter, 1), ("\"\u{1F}\"", .controlCharacter, 1), ("\"é\u{1}\"", .controlCharacter, 3),
  ("\"abcdefghijklmnopqrstu\rvwxyz\"", .controlCharacter, 22), ("{\"a\u{1}\":1}", .controlCharacter, 3),
  ("\"日本語日本語日本語\u{2}日本語\"", .controlCharacter, 28), ("{\"\\x\":1}", .invalidEscape, 2),
]

@Test func everythingTheGrammarAllowsIsAccepted() {
  for text in accepted {
    let sample = Sample(text)
    #expect(sample.error() == nil, "\(text)")
    #expect(ReferenceScanner.accepts(sample.bytes), "\(text)")
    // Inside an object and an array, where other code paths lead.
    #expect(Sample("{\"key of a member\" : \(text) , \"k\":[\(text)]}").error() == nil, "\(text)")
  }
}

@Test func everythingElseIsRejectedWithItsReasonAndPlace() {
  for (text, reason, offset) in rejected {
    let sample = Sample(text)
    #expect(sample.error() == JSONSyntaxError(reason, at: offset), "\(text)")
    #expect(!ReferenceScanner.accepts(sample.bytes), "\(text)")
  }
}

@Test func everyPrefixOfAValueIsRejected() {
  for text in accepted {
    let bytes = Array(text.utf8)
    for length in bytes.indices {
      let prefix = Array(bytes[..<length])
      #expect((Sample(prefix).error() == nil) == ReferenceScanner.accepts(prefix), "\(text) cut at \(length)")
    }
  }
}

@Test func everyByteInEveryPlaceIsJudgedAsByTheReference() {
  let text = Array(#" {"ab" : [-1.5e+3, "x\n\u00e9é", true, {}, null], "c":"" } "#.utf8)
  for place in text.indices {
    for byte in UInt8.min...UInt8.max {
      var changed = text
      changed[place] = byte
      #expect((Sample(changed).error() == nil) == ReferenceScanner.accepts(changed), "byte \(byte) at \(place)")
    }
  }
}

@Test func theDocumentIsTheValueWithoutWhiteSpace() throws {
  let sample = Sample(" \r\n\t         {\"a\": 1 }   \n")
  let document = try sample.document()
  #expect(sample.text(document) == "{\"a\": 1 }")
}

@Test func onlyTheSliceIsLookedAt() throws {
  // What stands before and behind would change the meaning of each.
  for (text, slice, error) in [
    ("[1,2]", JSONSlice(start: 1, end: 2), nil), ("12345", JSONSlice(start: 1, end: 3), nil),
    ("\"\"\"\"", JSONSlice(start: 1, end: 3), nil),
    ("true", JSONSlice(start: 0, end: 3), JSONSyntaxError.Reason.invalidLiteral),
    ("\"abc\"", JSONSlice(start: 0, end: 4), .unexpectedEnd), ("1e5", JSONSlice(start: 0, end: 2), .unexpectedEnd),
    ("\"\\u12345\"", JSONSlice(start: 0, end: 6), .unexpectedEnd), ("\"é\"", JSONSlice(start: 0, end: 2), .invalidUTF8),
    ("{\"abcdefgh\":1}", JSONSlice(start: 0, end: 10), .unexpectedEnd),
    ("{\"a\":1}", JSONSlice(start: 0, end: 5), .unexpectedEnd),
  ] {
    let bytes = Array(text.utf8)
    let reason: JSONSyntaxError.Reason?
    do throws(JSONSyntaxError) {
      _ = try JSONScanner().scanDocument(bytes.span, slice)
      reason = nil
    } catch {
      reason = error.reason
    }
    #expect(reason == error, "\(text)")
  }
}
