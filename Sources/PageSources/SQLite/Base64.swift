/// Base64 with padding (RFC 4648, section 4).
enum Base64 {
  private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// Appends `bytes` in Base64.
  static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
    text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
    alphabet.withUTF8Buffer { letters in
      var index = 0
      while index < bytes.count {
        let left = bytes.count &- index
        var word = UInt32(bytes[index]) << 16
        if left > 1 { word |= UInt32(bytes[index &+ 1]) << 8 }
        if left > 2 { word |= UInt32(bytes[index &+ 2]) }
        text.append(letters[Int(word >> 18)])
        text.append(letters[Int(word >> 12 & 63)])
        text.append(left > 1 ? letters[Int(word >> 6 & 63)] : UInt8(ascii: "="))
        text.append(left > 2 ? letters[Int(word & 63)] : UInt8(ascii: "="))
        index &+= 3
      }
    }
  }

  /// The bytes that `text` stands for; nil where it is no Base64, for which padding is not asked.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var word: UInt32 = 0
    var digits = 0
    var padding = 0
    for byte in text {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let digit = digit(byte) else { return nil }
      word = word << 6 | digit
      digits += 1
      if digits == 4 {
        bytes.append(UInt8(truncatingIfNeeded: word >> 16))
        bytes.append(UInt8(truncatingIfNeeded: word >> 8))
        bytes.append(UInt8(truncatingIfNeeded: word))
        (word, digits) = (0, 0)
      }
    }
    guard padding == 0 || padding == 4 - digits && digits > 1 else { return nil }
    switch digits {
    case 0: return bytes
    case 2 where word & 15 == 0: bytes.append(UInt8(truncatingIfNeeded: word >> 4))
    case 3 where word & 3 == 0:
      bytes.append(UInt8(truncatingIfNeeded: word >> 10))
      bytes.append(UInt8(truncatingIfNeeded: word >> 2))
    default: return nil
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte &- UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte &- UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte &- UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
