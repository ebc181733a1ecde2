import JSONText
import TestSupport
import Testing

/// Random JSON, and random damage to it.
private struct TextMaker {
  var random: SeededRandom
  private static let characters = ["a", "b", " ", "é", "日", "😀", "\\n", "\\u00e9", "\\ud800", "\\\"", "/", "\u{7F}"]
  private static let numbers = ["0", "-0", "7", "-12", "1.5", "1e9", "-2.25E-3", "12345678901234567890", "0.0"]
  private static let pieces: [[UInt8]] = [
    [0x00], [0x1F], [0x22], [0x5C], [0x2C], [0x3A], [0x5B], [0x5D], [0x7B], [0x7D], [0x80], [0xBF], [0xC3],
    [0xE3, 0x81],
    [0xED, 0xA0, 0x80], [0xF0, 0x9F], [0xFF], [0x30], [0x2D], [0x2E], [0x65], Array("null".utf8), Array("\\u12".utf8),
  ]

  mutating func value(_ depth: Int) -> String {
    switch random.below(depth > 0 ? 9 : 6) {
    case 0: return "null"
    case 1: return random.chance(oneIn: 2) ? "true" : "false"
    case 2, 3: return TextMaker.numbers[random.below(TextMaker.numbers.count)]
    case 4, 5: return string()
    case 6:
      return "[" + space() + (0..<random.below(5)).map { _ in value(depth - 1) + space() }.joined(separator: ",") + "]"
    default:
      let members = (0..<random.below(5)).map { _ in
        (random.chance(oneIn: 3) ? "\"id\"" : string()) + space() + ":" + space() + value(depth - 1) + space()
      }
      return "{" + space() + members.joined(separator: "," + space()) + "}"
    }
  }

  private mutating func string() -> String {
    let length = random.chance(oneIn: 5) ? random.below(60) : random.below(12)
    let mixed = random.chance(oneIn: 2)
    let only = TextMaker.characters[random.below(TextMaker.characters.count)]
    return "\""
      + (0..<length).map { _ in mixed ? TextMaker.characters[random.below(TextMaker.characters.count)] : only }.joined()
      + "\""
  }

  private mutating func space() -> String {
    random.chance(oneIn: 4) ? ["  ", "\n", "\r\n\t", "            "][random.below(4)] : ""
  }

  mutating func damaged(_ text: [UInt8]) -> [UInt8] {
    var text = text
    for _ in 0...random.below(2) where !text.isEmpty {
      let place = random.below(text.count)
      switch random.below(4) {
      case 0: text.remove(at: place)
      case 1: text[place] = UInt8(truncatingIfNeeded: random.next())
      case 2: text.insert(contentsOf: TextMaker.pieces[random.below(TextMaker.pieces.count)], at: place)
      default: text.removeSubrange(place..<min(text.count, place + 1 + random.below(6)))
      }
    }
    return text
  }
}

@Test(arguments: 0..<6 as Range<UInt64>)
func randomTextsAreJudgedAsByTheReference(seed: UInt64) throws {
  var maker = TextMaker(random: SeededRandom(seed: seed))
  for round in 0..<1500 {
    let good = Array(maker.value(4).utf8)
    #expect(Sample(good).error() == nil, "seed \(seed), round \(round)")
    let bad = maker.damaged(good)
    let isGood = Sample(bad).error() == nil
    #expect(isGood == ReferenceScanner.accepts(bad), "seed \(seed), round \(round): \(bad)")
    // The scans that record must judge alike, at any place in a buffer.
    let pad = maker.random.below(20)
    let padded =
      [UInt8](repeating: UInt8(ascii: "\""), count: pad) + bad + [UInt8](repeating: UInt8(ascii: "\\"), count: 20)
    #expect(recordingAccepts(padded, pad..<pad + bad.count) == isGood, "seed \(seed), round \(round): \(bad)")
    let filler = 256 + maker.random.below(64)
    #expect(marksAgree(on: bad, fillers: filler..<filler + 1), "seed \(seed), round \(round): \(bad)")
  }
}

/// Whether the text in `range` is accepted by scanning its outermost level with the recording functions.
private func recordingAccepts(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
  let scanner = JSONScanner()
  let span = bytes.span
  var members: [JSONMember] = []
  var elements: [JSONElement] = []
  let start = JSONScanner.skipWhitespace(span, range.lowerBound, range.upperBound)
  guard start < range.upperBound else { return false }
  let end: Int?
  switch bytes[start] {
  case UInt8(ascii: "{"):
    end = try? scanner.scanObject(span, from: start, to: range.upperBound, members: &members)
  case UInt8(ascii: "["):
    end = try? scanner.scanArray(span, from: start, to: range.upperBound, elements: &elements)
  default:
    end = try? scanner.scanValue(span, from: start, to: range.upperBound)
  }
  guard let end else { return false }
  // Every part that was recorded must be a whole value of its own.
  for slice in members.map(\.value) + elements.map(\.value) {
    if (try? scanner.scanDocument(span, slice)) != slice { return false }
  }
  return JSONScanner.skipWhitespace(span, end, range.upperBound) == range.upperBound
}
