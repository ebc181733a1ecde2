/// A JSON Pointer (RFC 6901): a path to a value inside another.
public struct JSONPointer: Sendable, Hashable {
  /// Why a text is no JSON Pointer.
  public enum SyntaxError: Error, Sendable, Equatable {
    /// The text is not empty and does not start with a slash.
    case missingSlash
    /// A `~` that neither `0` nor `1` follows.
    case invalidTilde
  }

  /// The names and indexes of the path, decoded, as UTF-8.
  public let tokens: [[UInt8]]

  /// The pointer to the whole value.
  public static let root = JSONPointer(tokens: [])

  /// Makes a pointer from its decoded tokens.
  public init(tokens: [[UInt8]]) {
    self.tokens = tokens
  }

  /// Reads a pointer from its text, such as `/data/0/id`; throws on bad syntax.
  public init(_ text: String) throws(SyntaxError) {
    try self.init(utf8: Array(text.utf8))
  }

  /// Reads a pointer from its text as bytes; throws on bad syntax.
  public init(utf8 text: [UInt8]) throws(SyntaxError) {
    var tokens: [[UInt8]] = []
    var index = 0
    if let first = text.first, first != UInt8(ascii: "/") { throw .missingSlash }
    while index < text.count {
      // A slash stands here.
      index += 1
      var token: [UInt8] = []
      while index < text.count, text[index] != UInt8(ascii: "/") {
        var byte = text[index]
        if byte == UInt8(ascii: "~") {
          index += 1
          guard index < text.count else { throw .invalidTilde }
          switch text[index] {
          case UInt8(ascii: "0"): byte = UInt8(ascii: "~")
          case UInt8(ascii: "1"): byte = UInt8(ascii: "/")
          default: throw .invalidTilde
          }
        }
        token.append(byte)
        index += 1
      }
      tokens.append(token)
    }
    self.tokens = tokens
  }

  /// The pointer's text.
  public var text: String {
    var bytes: [UInt8] = []
    for token in tokens {
      bytes.append(UInt8(ascii: "/"))
      for byte in token {
        switch byte {
        case UInt8(ascii: "~"): bytes.append(contentsOf: [UInt8(ascii: "~"), UInt8(ascii: "0")])
        case UInt8(ascii: "/"): bytes.append(contentsOf: [UInt8(ascii: "~"), UInt8(ascii: "1")])
        default: bytes.append(byte)
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the pointer is the single name `name`, as `/id` is.
  public func isSingleName(_ name: StaticString) -> Bool {
    guard tokens.count == 1, let token = tokens.first else { return false }
    return name.withUTF8Buffer { token.elementsEqual($0) }
  }

  /// The value the pointer names inside `value`, text that was validated; nil if there is none.
  ///
  /// Of members with the same name the last counts. An index is written without leading zeros; `-` names nothing.
  public func resolve(in bytes: Span<UInt8>, _ value: JSONSlice) -> JSONSlice? {
    guard value.fits(in: bytes.count), !value.isEmpty else { return nil }
    var current = value
    for token in tokens {
      let next =
        switch bytes[current.start] {
        case UInt8(ascii: "{"): JSONPointer.member(bytes, current, named: token)
        case UInt8(ascii: "["): JSONPointer.element(bytes, current, at: token)
        default: JSONSlice?.none
        }
      guard let next else { return nil }
      current = next
    }
    return current
  }

  /// The last member of an object with this name.
  ///
  /// Text was validated, so an error only means that it was not.
  private static func member(_ bytes: Span<UInt8>, _ object: JSONSlice, named name: [UInt8]) -> JSONSlice? {
    let scanner = JSONScanner(maxDepth: .max)
    var found: JSONSlice?
    guard var step = try? scanner.openObject(bytes, at: object.start, to: object.end, depth: 0) else { return nil }
    while !step.isEnd {
      guard let key = try? JSONScanner.scanKey(bytes, at: step.offset, to: object.end),
        let end = try? scanner.scanValue(bytes, from: key.valueStart, to: object.end)
      else { return nil }
      if key.hasEscape || key.slice.count == name.count, JSONReader.contentEquals(bytes, key.slice, name.span) {
        found = JSONSlice(start: key.valueStart, end: end)
      }
      guard let next = try? JSONScanner.afterMember(bytes, at: end, to: object.end) else { return nil }
      step = next
    }
    return found
  }

  private static func element(_ bytes: Span<UInt8>, _ array: JSONSlice, at token: [UInt8]) -> JSONSlice? {
    guard let index = index(token) else { return nil }
    let scanner = JSONScanner(maxDepth: .max)
    var i = JSONScanner.skipWhitespace(bytes, array.start &+ 1, array.end)
    var position = 0
    while i < array.end, bytes[i] != UInt8(ascii: "]") {
      guard let end = try? scanner.scanValue(bytes, from: i, to: array.end) else { return nil }
      if position == index { return JSONSlice(start: i, end: end) }
      position &+= 1
      i = JSONScanner.skipWhitespace(bytes, end, array.end)
      guard i < array.end, bytes[i] == UInt8(ascii: ",") else { return nil }
      i = JSONScanner.skipWhitespace(bytes, i &+ 1, array.end)
    }
    return nil
  }

  /// The index a token stands for: digits without leading zeros, at most eighteen of them.
  private static func index(_ token: [UInt8]) -> Int? {
    guard let first = token.first, token.count <= 18, first != UInt8(ascii: "0") || token.count == 1 else { return nil }
    var value = 0
    for byte in token {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int(digit)
    }
    return value
  }
}
