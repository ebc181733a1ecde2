import JSONText
import TestSupport
import Testing

private func written(_ body: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  body(&writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}

@Test func commasStandBetweenValuesOnly() {
  let text = written { writer in
    writer.beginObject()
    writer.member("a", 1)
    writer.key("b")
    writer.beginArray()
    writer.beginArray()
    writer.endArray()
    writer.beginObject()
    writer.endObject()
    writer.int(2)
    writer.bool(true)
    writer.null()
    writer.raw(Array("{ \"x\" : 1.0 }".utf8))
    writer.endArray()
    writer.member("c", "d")
    writer.member("e", false)
    writer.key(anyName: Array("f\"é".utf8).span)
    writer.double(1.5)
    writer.key("g")
    writer.raw(JSONSlice(start: 1, end: 3), of: Array("[42]".utf8).span)
    writer.endObject()
  }
  #expect(text == #"{"a":1,"b":[[],{},2,true,null,{ "x" : 1.0 }],"c":"d","e":false,"f\"é":1.5,"g":42}"#)
}

@Test func onlyWhatMustBeIsEscaped() {
  #expect(written { $0.string("plain / é 日 😀 \u{7F}\u{2028}") } == "\"plain / é 日 😀 \u{7F}\u{2028}\"")
  #expect(written { $0.string("\"\\\u{8}\u{C}\n\r\t\u{0}\u{1F}") } == #""\"\\\b\f\n\r\t\u0000\u001f""#)
}

@Test func bytesThatAreNotUTF8BecomeReplacementCharacters() {
  let cases: [([UInt8], String)] = [
    ([0xFF], "\u{FFFD}"), ([0x61, 0x80, 0x62], "a\u{FFFD}b"), ([0xE2, 0x82], "\u{FFFD}"),
    ([0xE2, 0x82, 0x41], "\u{FFFD}A"),
    ([0xF0, 0x9F, 0x98], "\u{FFFD}"), ([0xF0, 0x9F, 0x98, 0x22], "\u{FFFD}\\\""), ([0xC3], "\u{FFFD}"),
    ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"), ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0xF4, 0x90], "\u{FFFD}\u{FFFD}"),
    ([0xC3, 0xA9, 0xC3], "é\u{FFFD}"),
  ]
  for (bytes, text) in cases { #expect(written { $0.string(utf8: bytes.span) } == "\"\(text)\"") }
}

@Test func whateverIsWrittenIsJSONAndReadsBackAsTheStandardLibraryWould() {
  var random = SeededRandom(seed: 3)
  for round in 0..<2000 {
    let bytes = (0..<random.below(30)).map { _ in
      random.chance(oneIn: 3) ? UInt8(truncatingIfNeeded: random.next()) : UInt8(0x60 + random.below(30))
    }
    var writer = JSONWriter()
    writer.string(utf8: bytes.span)
    let sample = Sample(writer.bytes)
    #expect(sample.error() == nil, "round \(round): \(bytes)")
    #expect(sample.string == String(decoding: bytes, as: UTF8.self), "round \(round): \(bytes)")
  }
}

@Test func integersAreWrittenInFull() {
  for value: Int in [0, 1, 9, 10, 99, 100, 12345, -1, -10, .max, .min, 1_000_000_000_000_000_000] {
    #expect(written { $0.int(value) } == String(value))
    if value >= 0 { #expect(DecimalDigits.count(value) == String(value).count) }
  }
}

@Test func integersOfEveryLengthAreWrittenInFull() {
  var random = SeededRandom(seed: 4)
  var power = 1
  for length in 1...18 {
    power *= 10
    for value in [power - 1, power, power + 1] + (0..<300).map({ _ in power + random.below(power) }) {
      for signed in [value, -value] {
        var bytes: [UInt8] = []
        DecimalDigits.append(signed, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == String(signed), "length \(length)")
      }
    }
  }
}

@Test func numbersThatJSONLacksBecomeNull() {
  #expect(written { $0.double(.nan) } == "null")
  #expect(written { $0.double(-.infinity) } == "null")
  for value: Double in [0.1, 1e300, -1e-300, .leastNonzeroMagnitude, 1e16, 12.0] {
    let text = written { $0.double(value) }
    #expect(Sample(text).error() == nil, "\(text)")
    #expect(Sample(text).number == value)
  }
}

@Test func slicesAreRanges() {
  let slice = JSONSlice(start: 3, end: 7)
  #expect(slice.count == 4)
  #expect(!slice.isEmpty)
  #expect(slice.range == 3..<7)
  #expect(slice.moved(by: -3) == JSONSlice(start: 0, end: 4))
  #expect(slice.fits(in: 7))
  #expect(!slice.fits(in: 6))
  #expect(!JSONSlice(start: -1, end: 2).fits(in: 5))
  #expect(JSONSlice.none.isEmpty)
}
