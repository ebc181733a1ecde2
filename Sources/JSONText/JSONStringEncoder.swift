/// Writes the content of a string: the escapes that JSON demands and no others, and U+FFFD for what is not UTF-8.
public enum JSONStringEncoder {
  /// Appends `text` escaped, without quotes around it.
  ///
  /// Returns whether all of it was valid UTF-8; each ill-formed part of it has become one U+FFFD.
  @discardableResult
  public static func append(_ text: Span<UInt8>, to bytes: inout [UInt8]) -> Bool {
    var isValid = true
    var i = 0
    while i < text.count {
      let run = i
      i = runEnd(text, from: i)
      if i > run {
        text.extracting(run..<i).withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
      }
      guard i < text.count else { break }
      let byte = text[i]
      if byte < 0x80 {
        appendEscape(byte, to: &bytes)
        i &+= 1
      } else {
        isValid = false
        bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
        i &+= JSONStringEncoder.brokenLength(text, at: i)
      }
    }
    return isValid
  }

  /// The offset of the next byte that cannot be written as it stands: one that needs an escape or that breaks UTF-8.
  private static func runEnd(_ text: Span<UInt8>, from start: Int) -> Int {
    var i = start
    while true {
      i = JSONScanner.skipPlain(text, i, text.count)
      guard i < text.count, text[i] >= 0x80, let next = try? JSONScanner.scanSequence(text, from: i, to: text.count)
      else { return i }
      i = next
    }
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      let digits: StaticString = "0123456789abcdef"
      bytes.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
      digits.withUTF8Buffer {
        bytes.append($0[Int(byte &>> 4)])
        bytes.append($0[Int(byte & 15)])
      }
    }
  }

  /// How many bytes one U+FFFD stands for: the longest start of a sequence that could have gone on (Unicode 3.9, U+FFFD
  /// substitution of maximal subparts), at least one.
  private static func brokenLength(_ text: Span<UInt8>, at start: Int) -> Int {
    let lead = text[start]
    guard lead >= 0xC2, lead <= 0xF4, start &+ 1 < text.count else { return 1 }
    let second = text[start &+ 1]
    let limits = JSONScanner.secondByteLimits(lead: lead)
    guard second >= limits.lower, second <= limits.upper else { return 1 }
    // A good second byte of a two-byte sequence would have made it whole.
    guard lead >= 0xF0, start &+ 2 < text.count, text[start &+ 2] & 0xC0 == 0x80 else { return 2 }
    return 3
  }
}
