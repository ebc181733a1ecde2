/// A JSON value as a test looks at it: numbers keep their text, members their order.
enum JSON: Equatable, Sendable {
  /// What a member that is not there, or an element beyond the last, is.
  case absent
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSON])
  case object([Member])

  struct Member: Equatable, Sendable {
    var key: String
    var value: JSON
  }

  subscript(key: String) -> JSON {
    guard case .object(let members) = self else { return .absent }
    return members.last { $0.key == key }?.value ?? .absent
  }

  subscript(index: Int) -> JSON {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return .absent }
    return elements[index]
  }

  var elements: [JSON] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  var keys: [String] {
    guard case .object(let members) = self else { return [] }
    return members.map(\.key)
  }

  var int: Int? {
    guard case .number(let text) = self else { return nil }
    return Int(text)
  }

  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  var isAbsent: Bool { self == .absent }
}

extension JSON: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral
{
  init(integerLiteral value: Int) { self = .number(String(value)) }
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(nilLiteral: ()) { self = .null }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: CustomStringConvertible {
  var description: String {
    switch self {
    case .absent: "(absent)"
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text): text
    case .string(let text): text.debugDescription
    case .array(let elements): "[" + elements.map(\.description).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { $0.key.debugDescription + ":" + $0.value.description }.joined(separator: ",") + "}"
    }
  }
}

/// Reads what the server writes, with nothing of the server's own, so that a fault of its writer shows.
struct JSONDecoder {
  enum Fault: Error { case at(Int) }

  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value that is all of the text.
  static func decode(_ bytes: [UInt8]) throws -> JSON {
    var decoder = JSONDecoder(bytes)
    let value = try decoder.value()
    guard decoder.offset == bytes.count else { throw Fault.at(decoder.offset) }
    return value
  }

  /// The value of a text that a test holds to be JSON.
  static func decode(_ text: String) throws -> JSON { try decode(Array(text.utf8)) }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipBlanks() {
    while let next, next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { offset += 1 }
  }

  private mutating func take(_ text: StaticString) throws {
    let wanted = text.withUTF8Buffer { Array($0) }
    guard offset + wanted.count <= bytes.count, Array(bytes[offset..<offset + wanted.count]) == wanted else {
      throw Fault.at(offset)
    }
    offset += wanted.count
  }

  private mutating func value() throws -> JSON {
    skipBlanks()
    defer { skipBlanks() }
    switch next {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"):
      try take("true")
      return true
    case UInt8(ascii: "f"):
      try take("false")
      return false
    case UInt8(ascii: "n"):
      try take("null")
      return nil
    default: return .number(try number())
    }
  }

  private mutating func object() throws -> JSON {
    try take("{")
    var members: [JSON.Member] = []
    skipBlanks()
    while next != UInt8(ascii: "}") {
      if !members.isEmpty { try take(",") }
      skipBlanks()
      let key = try string()
      skipBlanks()
      try take(":")
      members.append(.init(key: key, value: try value()))
    }
    offset += 1
    return .object(members)
  }

  private mutating func array() throws -> JSON {
    try take("[")
    var elements: [JSON] = []
    skipBlanks()
    while next != UInt8(ascii: "]") {
      if !elements.isEmpty { try take(",") }
      elements.append(try value())
    }
    offset += 1
    return .array(elements)
  }

  private mutating func number() throws -> String {
    let start = offset
    while let next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= next || Array("+-.eE".utf8).contains(next) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard Double(text) != nil else { throw Fault.at(start) }
    return text
  }

  private mutating func string() throws -> String {
    try take("\"")
    var units: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw Fault.at(offset) }
      offset += 1
      if byte != UInt8(ascii: "\\") {
        units.append(byte)
        continue
      }
      guard let escape = next else { throw Fault.at(offset) }
      offset += 1
      switch escape {
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "u"): units.append(contentsOf: Array(try scalar().utf8))
      default: units.append(escape)
      }
    }
    try take("\"")
    guard let text = String(validating: units, as: UTF8.self) else { throw Fault.at(offset) }
    return text
  }

  private mutating func scalar() throws -> String {
    let first = try unit()
    if first & 0xFC00 == 0xD800, next == UInt8(ascii: "\\") {
      let before = offset
      offset += 2
      let second = try unit()
      if second & 0xFC00 == 0xDC00 { return String(decoding: [first, second], as: UTF16.self) }
      offset = before
    }
    return String(decoding: [first], as: UTF16.self)
  }

  private mutating func unit() throws -> UInt16 {
    guard offset + 4 <= bytes.count,
      let unit = UInt16(String(decoding: bytes[offset..<offset + 4], as: UTF8.self), radix: 16)
    else { throw Fault.at(offset) }
    offset += 4
    return unit
  }
}
