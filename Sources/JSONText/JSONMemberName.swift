/// The name of a member to be found among others, recognised by its first eight bytes where that is possible.
public struct JSONMemberName: Sendable {
  /// The name, decoded.
  public let bytes: [UInt8]
  /// The first bytes of the name as it is mostly written, with its quotes.
  private let word: UInt64
  private let mask: UInt64
  /// The first of them behind the quote.
  private let first: UInt8
  /// Whether these are all of it.
  private let isWhole: Bool

  /// `id`.
  static let id = JSONMemberName(Array("id".utf8))

  /// Makes it of the name's bytes, decoded.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let quote = UInt8(ascii: "\"")
    let quoted = [quote] + bytes + [quote]
    var word: UInt64 = 0
    for (index, byte) in quoted.prefix(8).enumerated() { word |= UInt64(byte) &<< UInt64(8 &* index) }
    self.word = word
    first = quoted[1]
    mask = quoted.count >= 8 ? .max : (1 &<< UInt64(8 &* quoted.count)) &- 1
    isWhole = quoted.count <= 8 && !bytes.contains(quote) && !bytes.contains(UInt8(ascii: "\\"))
  }

  /// Whether a look at two bytes tells that a name which starts at `offset`, or behind white space there, is another one.
  @inline(__always)
  func cannotStand(in text: Span<UInt8>, at offset: Int) -> Bool {
    guard offset &+ 2 <= text.count, text[offset] == UInt8(ascii: "\"") else { return false }
    let first = text[offset &+ 1]
    return first != self.first && first != UInt8(ascii: "\\")
  }

  /// Whether it is the name whose opening quote stands at `offset`.
  @inline(__always)
  func stands(in text: Span<UInt8>, at offset: Int) -> Bool {
    guard offset &+ 8 <= text.count else { return isSpelledOut(in: text, at: offset) }
    let found = text.word64(at: offset) & mask
    if found == word { return isWhole || isSpelledOut(in: text, at: offset) }
    // Written with an escape, it has a backslash among these.
    guard StringBytes.backslashes(found) != 0 else { return false }
    return isSpelledOut(in: text, at: offset)
  }

  @inline(never)
  private func isSpelledOut(in text: Span<UInt8>, at offset: Int) -> Bool {
    guard let key = try? JSONScanner.scanKey(text, at: offset, to: text.count) else { return false }
    return JSONReader.contentEquals(text, key.slice, bytes.span)
  }
}
