import JSONText
import TestSupport
import Testing

/// Bytes of every class that UTF-8 tells apart, and their neighbours.
private let classes: [UInt8] = [
  0x20, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
  0xF0,
  0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
]

/// Puts `sequence` behind so many bytes of text inside a string; `filler` decides which code path reads it.
private func judge(_ sequence: [UInt8], after count: Int, of filler: String, then rest: Int) -> (Bool, Bool) {
  var text: [UInt8] = [UInt8(ascii: "\"")]
  let unit = Array(filler.utf8)
  for _ in 0..<count { text.append(contentsOf: unit) }
  text.append(contentsOf: sequence)
  for _ in 0..<rest { text.append(contentsOf: unit) }
  text.append(UInt8(ascii: "\""))
  return (Sample(text).error() == nil, ReferenceScanner.accepts(text))
}

@Test(arguments: ["a", "é", "語"])
func everySequenceOfUpToFourBytesIsJudgedAsByTheReference(filler: String) {
  var sequences: [[UInt8]] = []
  for first in classes {
    sequences.append([first])
    for second in classes {
      sequences.append([first, second])
      for third in classes {
        sequences.append([first, second, third])
        for fourth in [0x41, 0x80, 0xBF, 0xC3] as [UInt8] { sequences.append([first, second, third, fourth]) }
      }
    }
  }
  var wrong: [[UInt8]] = []
  for (index, sequence) in sequences.enumerated() {
    // Before and across the ends of vectors, and close to the end of the text.
    let result = judge(sequence, after: index % 19, of: filler, then: index % 7 == 0 ? 0 : 20)
    if result.0 != result.1 { wrong.append(sequence) }
  }
  #expect(wrong.isEmpty)
}

@Test func oneFaultIsFoundAtEveryPlaceOfALongText() {
  let faults: [[UInt8]] = [
    [0x80], [0xC3], [0xE3, 0x81], [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xE0, 0x80, 0x80],
    [0xF0, 0x80, 0x80, 0x80],
    [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x80, 0x80, 0x80, 0x80, 0x80], [0xFF], [0xFE],
  ]
  for filler in ["a", "я", "日", "😀", "aя日😀"] {
    for count in 0..<40 {
      for rest in [0, 1, 5, 17, 33] {
        for fault in faults { #expect(judge(fault, after: count, of: filler, then: rest) == (false, false)) }
        #expect(judge([], after: count, of: filler, then: rest) == (true, true))
      }
    }
  }
}

@Test func theOffsetIsThatOfTheBrokenSequence() {
  for filler in ["a", "日", "é😀"] {
    for count in 0..<40 {
      let before = Array(repeating: filler, count: count).joined()
      let text = Array("\"\(before)".utf8) + [0xE3, 0x81] + Array("\(before)\"".utf8)
      #expect(Sample(text).error() == JSONSyntaxError(.invalidUTF8, at: 1 + before.utf8.count))
    }
  }
}

@Test func everyScalarIsAcceptedAndSurrogatesAreNot() {
  var text: [UInt8] = [UInt8(ascii: "\"")]
  for value in 0x20...0x10FFFF as ClosedRange<UInt32> where value != 0x22 && value != 0x5C {
    if let scalar = Unicode.Scalar(value) { text.append(contentsOf: UTF8.encode(scalar)?.map { $0 } ?? []) }
  }
  text.append(UInt8(ascii: "\""))
  #expect(Sample(text).error() == nil)
  for value in 0xD800...0xDFFF as ClosedRange<UInt32> {
    let bytes = [0xED, 0x80 | UInt8(value >> 6 & 0x3F), 0x80 | UInt8(value & 0x3F)]
    #expect(judge(bytes, after: Int(value % 23), of: "é", then: 20) == (false, false))
  }
}

@Test func brokenTextOutsideOfStringsIsNoValue() {
  #expect(Sample([0xE5]).error()?.reason == .expectedValue)
  #expect(Sample([0xEF, 0xBB, 0x7B, 0x7D]).error()?.reason == .expectedValue)
  // UTF-16, with and without a byte order mark.
  #expect(Sample([0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00]).error()?.reason == .expectedValue)
  #expect(Sample([0x5B, 0x00, 0x5D, 0x00]).error() == JSONSyntaxError(.expectedValue, at: 1))
}
