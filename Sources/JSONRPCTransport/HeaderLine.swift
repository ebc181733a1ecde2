import JSONText

/// One line of a header block, read as what it says about the frame.
enum HeaderLine: Equatable {
  /// Nothing but blanks: the end of a block, or a gap between messages.
  case blank
  /// A `Content-Length` with a usable number.
  case length(Int)
  /// A `Content-Length` whose number is too large for this program's limit.
  case lengthTooLarge
  /// A `Content-Length` whose value is no number.
  case lengthInvalid
  /// A `Content-Type`, and whether its charset is UTF-8 or not given.
  case contentType(isUTF8: Bool)
  /// Any other header.
  case other
  /// No header at all.
  case junk

  /// Reads the line `start..<end`, its line end excluded.
  init(_ bytes: Span<UInt8>, _ line: JSONSlice, maxLength: Int) {
    let text = HeaderLine.trimmed(bytes, line)
    guard !text.isEmpty else {
      self = .blank
      return
    }
    guard let colon = HeaderLine.nameEnd(bytes, text) else {
      self = .junk
      return
    }
    let name = HeaderLine.trimmed(bytes, JSONSlice(start: text.start, end: colon))
    let value = HeaderLine.trimmed(bytes, JSONSlice(start: colon &+ 1, end: text.end))
    if HeaderLine.equals(bytes, name, "content-length") {
      self = HeaderLine.length(bytes, value, maxLength: maxLength)
    } else if HeaderLine.equals(bytes, name, "content-type") {
      self = .contentType(isUTF8: MediaType.isUTF8(bytes, value))
    } else {
      self = .other
    }
  }

  /// How much of a line's end ``trailingLength(_:_:maxLength:)`` looks at, in bytes; nothing before needs to be kept.
  static let trailingLengthBytes = 256

  /// The number of a line that is, or ends in, a valid `Content-Length`; nil for any other line.
  ///
  /// After a header block that could not be used its body's length is unknown, and the next header follows the body
  /// without a line end between them. No valid JSON text has a line that ends like this: inside a string there is no line
  /// end, and outside of strings there are no such letters.
  static func trailingLength(_ bytes: Span<UInt8>, _ line: JSONSlice, maxLength: Int) -> Int? {
    let text = trimmed(bytes, JSONSlice(start: max(line.start, line.end &- trailingLengthBytes), end: line.end))
    var digits = text.end
    while digits > text.start, bytes[digits &- 1] &- UInt8(ascii: "0") < 10 { digits &-= 1 }
    guard case .length(let length) = length(bytes, JSONSlice(start: digits, end: text.end), maxLength: maxLength) else {
      return nil
    }
    let beforeValue = trimmed(bytes, JSONSlice(start: text.start, end: digits))
    guard !beforeValue.isEmpty, bytes[beforeValue.end &- 1] == UInt8(ascii: ":") else { return nil }
    let name = trimmed(bytes, JSONSlice(start: beforeValue.start, end: beforeValue.end &- 1))
    let size = 14
    guard name.count >= size else { return nil }
    return equals(bytes, JSONSlice(start: name.end &- size, end: name.end), "content-length") ? length : nil
  }

  private static func length(_ bytes: Span<UInt8>, _ value: JSONSlice, maxLength: Int) -> HeaderLine {
    guard !value.isEmpty else { return .lengthInvalid }
    var length = 0
    var isTooLarge = false
    var i = value.start
    while i < value.end {
      let digit = bytes[i] &- UInt8(ascii: "0")
      guard digit < 10 else { return .lengthInvalid }
      if !isTooLarge {
        // The limit keeps the product far from overflow only if it is small itself, so both are checked.
        let (product, overflow) = length.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(Int(digit))
        isTooLarge = overflow || carry || sum > maxLength
        length = sum
      }
      i &+= 1
    }
    return isTooLarge ? .lengthTooLarge : .length(length)
  }

  /// The offset of the colon after a name made of token characters (and blanks before the colon); nil if there is none.
  private static func nameEnd(_ bytes: Span<UInt8>, _ text: JSONSlice) -> Int? {
    var i = text.start
    while i < text.end, isTokenByte(bytes[i]) { i &+= 1 }
    guard i > text.start else { return nil }
    while i < text.end, isBlank(bytes[i]) { i &+= 1 }
    return i < text.end && bytes[i] == UInt8(ascii: ":") ? i : nil
  }

  /// Whether a byte may stand in a header's name (RFC 9110, `tchar`).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// A carriage return counts as a blank: before a line feed it is part of the line end, however often it stands there.
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  /// The slice without blanks at either end.
  static func trimmed(_ bytes: Span<UInt8>, _ slice: JSONSlice) -> JSONSlice {
    var result = slice
    while result.start < result.end, isBlank(bytes[result.start]) { result.start &+= 1 }
    while result.end > result.start, isBlank(bytes[result.end &- 1]) { result.end &-= 1 }
    return result
  }

  /// Whether the slice is this lower-case text, its own case ignored.
  static func equals(_ bytes: Span<UInt8>, _ slice: JSONSlice, _ text: StaticString) -> Bool {
    guard slice.count == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { lowerCase in
      var i = 0
      while i < lowerCase.count {
        var byte = bytes[slice.start &+ i]
        if byte &- UInt8(ascii: "A") < 26 { byte |= 0x20 }
        if byte != lowerCase[i] { return false }
        i &+= 1
      }
      return true
    }
  }
}
