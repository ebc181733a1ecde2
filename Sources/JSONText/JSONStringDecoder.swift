/// Decodes the escapes of a string's content.
enum JSONStringDecoder {
  /// Appends the decoded content; a lone surrogate escape becomes U+FFFD or the three bytes of its own number.
  static func append(
    _ bytes: Span<UInt8>, content: JSONSlice, replacingLoneSurrogates: Bool, to decoded: inout [UInt8]
  ) {
    guard content.fits(in: bytes.count) else { return }
    var i = content.start
    while i < content.end {
      let run = i
      while i < content.end, bytes[i] != UInt8(ascii: "\\") { i &+= 1 }
      if i > run {
        bytes.extracting(run..<i).withUnsafeBufferPointer { decoded.append(contentsOf: $0) }
      }
      guard i &+ 1 < content.end else { return }
      let letter = bytes[i &+ 1]
      if letter != UInt8(ascii: "u") {
        decoded.append(plain(letter))
        i &+= 2
        continue
      }
      guard let unit = codeUnit(bytes, at: i, to: content.end) else { return }
      i &+= 6
      if unit & 0xFC00 == 0xD800, let low = codeUnit(bytes, at: i, to: content.end), low & 0xFC00 == 0xDC00 {
        i &+= 6
        appendScalar(0x10000 &+ (unit & 0x3FF) &<< 10 &+ (low & 0x3FF), to: &decoded)
      } else if unit & 0xF800 == 0xD800, replacingLoneSurrogates {
        appendScalar(0xFFFD, to: &decoded)
      } else {
        appendScalar(unit, to: &decoded)
      }
    }
  }

  /// What the two-character escape with this letter stands for.
  private static func plain(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }

  /// The number of the `\uXXXX` escape that stands at `start`; nil if none does.
  private static func codeUnit(_ bytes: Span<UInt8>, at start: Int, to end: Int) -> UInt32? {
    guard start &+ 6 <= end, bytes[start] == UInt8(ascii: "\\"), bytes[start &+ 1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt32 = 0
    for i in start &+ 2..<start &+ 6 {
      let byte = bytes[i]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte &- UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        digit = (byte | 0x20) &- UInt8(ascii: "a") &+ 10
      default: return nil
      }
      unit = unit &<< 4 | UInt32(digit)
    }
    return unit
  }

  /// Appends the UTF-8 form of a number up to 0x10FFFF, surrogates included.
  private static func appendScalar(_ scalar: UInt32, to decoded: inout [UInt8]) {
    func low6(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar &>> shift & 0x3F) }
    switch scalar {
    case ..<0x80:
      decoded.append(UInt8(truncatingIfNeeded: scalar))
    case ..<0x800:
      decoded.append(0xC0 | UInt8(truncatingIfNeeded: scalar &>> 6))
      decoded.append(low6(0))
    case ..<0x10000:
      decoded.append(0xE0 | UInt8(truncatingIfNeeded: scalar &>> 12))
      decoded.append(low6(6))
      decoded.append(low6(0))
    default:
      decoded.append(0xF0 | UInt8(truncatingIfNeeded: scalar &>> 18))
      decoded.append(low6(12))
      decoded.append(low6(6))
      decoded.append(low6(0))
    }
  }
}
