import JSONText
import TestSupport
import Testing

@Suite struct JSONStringEncoderTests {
  /// Writes `bytes` as a JSON string and reads it back.
  private func roundTrip(_ bytes: [UInt8]) throws -> (text: [UInt8], isValid: Bool) {
    var json: [UInt8] = [0x22]
    let isValid = JSONStringEncoder.append(bytes.span, to: &json)
    json.append(0x22)
    let whole = JSONSlice(start: 0, end: json.count)
    let value = try JSONScanner().scanDocument(json.span, whole)
    let text = JSONReader.stringBytes(json.span, value)
    return (try #require(text), isValid)
  }

  @Test(arguments: 1...200) func randomBytesComeOutAsTheStandardLibraryRepairsThem(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let leads: [UInt8] = [
      0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0x22,
      0x5C,
      0x00, 0x1F, 0x20, 0x7F, 0x61,
    ]
    let plain = Int.random(in: 0...20, using: &random)
    var bytes = (0..<plain).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
    for _ in 0..<30 { bytes.append(leads.randomElement(using: &random) ?? 0) }
    let expected = Array(String(decoding: bytes, as: UTF8.self).utf8)
    let result = try roundTrip(bytes)
    #expect(result.text == expected, "seed \(seed)")
    #expect(result.isValid == (expected == bytes), "seed \(seed)")
  }

  @Test func eachByteAtEachPlaceOfAWordIsSeen() throws {
    for byte in UInt8.min...0x7F {
      for place in 0..<17 {
        var bytes = [UInt8](repeating: 0x7E, count: 17)
        bytes[place] = byte
        let result = try roundTrip(bytes)
        #expect(result.text == bytes)
        #expect(result.isValid)
      }
    }
  }
}
