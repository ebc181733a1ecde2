/// RFC 8259 written down as plainly as possible: slow, recursive, one byte at a time.
///
/// What the real scanner is held against.
public struct ReferenceScanner {
  private struct NotJSON: Error {}

  private let bytes: [UInt8]
  private var i = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether `bytes` are exactly one JSON text.
  public static func accepts(_ bytes: [UInt8], maxDepth: Int = 1000) -> Bool {
    var scanner = ReferenceScanner(bytes)
    do {
      try scanner.element(maxDepth)
      return scanner.i == bytes.count
    } catch {
      return false
    }
  }

  // ws value ws
  private mutating func element(_ depth: Int) throws {
    whitespace()
    try value(depth)
    whitespace()
  }

  private mutating func value(_ depth: Int) throws {
    switch try peek() {
    case "{": try list("}", depth) { scanner, depth in try scanner.member(depth) }
    case "[": try list("]", depth) { scanner, depth in try scanner.element(depth) }
    case "\"": try string()
    case "t": try literal("true")
    case "f": try literal("false")
    case "n": try literal("null")
    default: try number()
    }
  }

  private mutating func list(
    _ close: Unicode.Scalar, _ depth: Int, _ part: (inout ReferenceScanner, Int) throws -> Void
  ) throws {
    guard depth > 0 else { throw NotJSON() }
    i += 1
    whitespace()
    if try peek() == close {
      i += 1
      return
    }
    while true {
      try part(&self, depth - 1)
      let next = try peek()
      i += 1
      if next == close { return }
      guard next == "," else { throw NotJSON() }
    }
  }

  private mutating func member(_ depth: Int) throws {
    whitespace()
    try string()
    whitespace()
    try literal(":")
    try element(depth)
  }

  private mutating func string() throws {
    try literal("\"")
    while true {
      let byte = try peek()
      switch byte {
      case "\"":
        i += 1
        return
      case "\\":
        i += 1
        let letter = try peek()
        i += 1
        if letter == "u" {
          for _ in 0..<4 {
            guard "0123456789abcdefABCDEF".unicodeScalars.contains(try peek()) else { throw NotJSON() }
            i += 1
          }
        } else if !"\"\\/bfnrt".unicodeScalars.contains(letter) {
          throw NotJSON()
        }
      default:
        if byte.value < 0x20 { throw NotJSON() }
        try character()
      }
    }
  }

  /// One character, decided by decoding it and encoding it again.
  private mutating func character() throws {
    let lead = bytes[i]
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard i + length <= bytes.count else { throw NotJSON() }
    let sequence = bytes[i..<i + length]
    var number = UInt32(lead) & (length == 1 ? 0x7F : 0xFF >> UInt32(length + 1))
    for byte in sequence.dropFirst() { number = number << 6 | UInt32(byte & 0x3F) }
    guard let scalar = Unicode.Scalar(number), Array(String(Character(scalar)).utf8) == Array(sequence) else {
      throw NotJSON()
    }
    i += length
  }

  private mutating func number() throws {
    if try peek() == "-" { i += 1 }
    if try peek() == "0" { i += 1 } else { try digits() }
    if i < bytes.count, bytes[i] == UInt8(ascii: ".") {
      i += 1
      try digits()
    }
    if i < bytes.count, bytes[i] == UInt8(ascii: "e") || bytes[i] == UInt8(ascii: "E") {
      i += 1
      let sign = try peek()
      if sign == "+" || sign == "-" { i += 1 }
      try digits()
    }
  }

  private mutating func digits() throws {
    let start = i
    while i < bytes.count, bytes[i] >= UInt8(ascii: "0"), bytes[i] <= UInt8(ascii: "9") { i += 1 }
    if i == start { throw NotJSON() }
  }

  private mutating func literal(_ text: String) throws {
    for byte in text.utf8 {
      guard i < bytes.count, bytes[i] == byte else { throw NotJSON() }
      i += 1
    }
  }

  private mutating func whitespace() {
    while i < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[i]) { i += 1 }
  }

  private func peek() throws -> Unicode.Scalar {
    guard i < bytes.count else { throw NotJSON() }
    return Unicode.Scalar(bytes[i])
  }
}
