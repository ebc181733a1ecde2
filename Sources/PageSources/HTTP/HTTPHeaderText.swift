/// Headers as text.
enum HTTPHeaderText {
  /// The line that sends a header; nil where the value may not be in one.
  static func line(_ name: String, _ value: [UInt8]) -> [UInt8]? {
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return nil }
    if value.isEmpty { return Array("\(name);".utf8) }
    return Array("\(name): ".utf8) + value
  }

  /// Whether a name may have this byte.
  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
