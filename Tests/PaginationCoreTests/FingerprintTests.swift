import Testing

@testable import PaginationCore

@Suite struct FingerprintTests {
  private static let keyBytes = (0..<16).map { UInt8($0) }

  private func digest(_ text: String, tag: UInt8 = 0, isItemID: Bool = false) -> Fingerprint {
    let bytes = Array(text.utf8)
    return Fingerprint.of(bytes.span, from: 0, to: bytes.count, tag: tag, isItemID: isItemID, key: Probe.key)
  }

  /// The first and some later vectors of the reference code, `vectors_sip128`: key 00 to 0f, message 00, 01, 02, ...
  @Test func theReferenceImplementationMatchesThePublishedVectors() {
    let published: [(Int, [UInt8])] = [
      (0, [0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6, 0x6d, 0xf6, 0x72, 0x14, 0xc7, 0x55, 0x02, 0x93]),
      (1, [0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44, 0x34, 0x76, 0x59, 0x11, 0x9b, 0x22, 0xfc, 0x45]),
      (2, [0x81, 0x77, 0x22, 0x8d, 0xa4, 0xa4, 0x5d, 0xc7, 0xfc, 0xa3, 0x8b, 0xde, 0xf6, 0x0a, 0xff, 0xe4]),
    ]
    for (count, expected) in published {
      let message = (0..<count).map { UInt8($0) }
      let got = ReferenceSipHash.hash128(message, key: Self.keyBytes, wordRounds: 2, finalRounds: 4)
      #expect(got == expected, "message of \(count) bytes")
    }
  }

  @Test func fingerprintsAreSipHash13Of128Bits() {
    for count in 0..<300 {
      let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
      let expected = ReferenceSipHash.hash128(message, key: Self.keyBytes, wordRounds: 1, finalRounds: 3)
      let print = Fingerprint.of(message.span, from: 0, to: count, key: Probe.key)
      #expect(print.high == word(expected, 0) & ~1, "\(count) bytes")
      #expect(print.low == word(expected, 8), "\(count) bytes")
    }
  }

  @Test func onlyTheGivenBytesCount() {
    let text = Array("before the id after".utf8)
    let inner = Fingerprint.of(text.span, from: 7, to: 13, key: Probe.key)
    #expect(inner == digest("the id"))
  }

  @Test func theKeyCounts() {
    let bytes = Array("id".utf8)
    let other = Fingerprint.of(bytes.span, from: 0, to: 2, key: FingerprintKey(1, 2))
    #expect(other != digest("id"))
  }

  @Test func aStringAndANumberDiffer() {
    #expect(digest("1", tag: 0) != digest("1", tag: 1))
    #expect(digest("1", tag: 1) != digest("1", tag: 2))
    #expect(digest("", tag: 0) != digest("", tag: 1))
  }

  /// A tag is no byte of the text: no text forges another kind of value.
  @Test func noTextForgesATag() {
    let plain = Set((0..<70).map { digest(String(repeating: "\u{1}", count: $0), tag: 0) })
    for count in 0..<70 { #expect(!plain.contains(digest(String(repeating: "\u{1}", count: count), tag: 1))) }
  }

  @Test func aSourcesKeyNeverEqualsAnId() {
    #expect(digest("5", isItemID: true).isItemID)
    #expect(!digest("5").isItemID)
    #expect(!Fingerprint.of(sourceKey: 5, key: Probe.key).isItemID)
    #expect(Fingerprint.of(sourceKey: 5, key: Probe.key) != digest("5", isItemID: true))
    #expect(Fingerprint.of(sourceKey: 5, key: Probe.key) == Fingerprint.of(sourceKey: 5, key: Probe.key))
    #expect(Fingerprint.of(sourceKey: 5, key: Probe.key) != Fingerprint.of(sourceKey: -5, key: Probe.key))
    #expect(Fingerprint.of(sourceKey: .min, key: Probe.key) != Fingerprint.of(sourceKey: .max, key: Probe.key))
  }

  @Test func nothingIsNoId() {
    #expect(Fingerprint.none.isNone)
    #expect(!Fingerprint.none.isItemID)
    for number in 0..<1_000 {
      #expect(!Fingerprint.of(sourceKey: number, key: Probe.key).isNone)
      #expect(!Probe.id(number).isNone)
    }
  }

  private func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }
}
