import JSONText

/// The one form of header that nearly every frame has: `Content-Length: N`, exactly so, and the empty line.
struct PlainHeader {
  /// The declared length of the body, at most eight digits.
  let length: Int
  /// Offset after the empty line.
  let end: Int

  /// Reads such a header at `start`; nil if something else, or not all of it, stands there.
  @inline(__always)
  init?(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    guard start &+ 24 <= end, bytes.word64(at: start) == 0x2D74_6E65_746E_6F43,  // "Content-"
      bytes.word64(at: start &+ 8) == 0x203A_6874_676E_654C  // "Length: "
    else { return nil }
    let (length, digits, _) = JSONScanner.leadingInteger(bytes.word64(at: start &+ 16))
    let i = start &+ 16 &+ digits
    guard digits > 0, i &+ 4 <= end, bytes.word32(at: i) == 0x0A0D_0A0D else { return nil }
    self.length = length
    self.end = i &+ 4
  }
}
