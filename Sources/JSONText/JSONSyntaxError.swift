/// Why some text is not JSON, and where.
public struct JSONSyntaxError: Error, Sendable, Equatable {
  /// What is wrong with the text.
  public enum Reason: UInt8, Sendable, CaseIterable {
    /// The text ends inside a value.
    case unexpectedEnd
    /// A byte that no value can start with stands where a value should.
    case expectedValue
    /// Something else stands where a member's name in quotes should.
    case expectedKey
    /// The colon after a member's name is missing.
    case expectedColon
    /// Neither a comma nor the closing bracket follows a value.
    case expectedCommaOrEnd
    /// A number that breaks the grammar: a leading zero, no digits, a sign alone.
    case invalidNumber
    /// A word that is not exactly `true`, `false` or `null`.
    case invalidLiteral
    /// A raw byte below 0x20 inside a string.
    case controlCharacter
    /// A backslash that is not followed by one of the escapes of the grammar.
    case invalidEscape
    /// Bytes inside a string that are not UTF-8 (truncated, overlong, a surrogate, beyond U+10FFFF).
    case invalidUTF8
    /// The text starts with a byte order mark.
    case byteOrderMark
    /// Something other than white space follows the value.
    case trailingText
    /// Arrays and objects are nested deeper than the limit.
    case tooDeep
    /// An object or array holds more members or elements than can be recorded.
    case tooMany
  }

  /// What is wrong.
  public var reason: Reason
  /// Offset of the offending byte in the buffer that was scanned.
  public var offset: Int

  /// Makes an error from its parts.
  @inlinable
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension JSONSyntaxError.Reason: CustomStringConvertible {
  /// A phrase for people that fits after "not JSON: ".
  public var description: String {
    switch self {
    case .unexpectedEnd: "the text ends inside a value"
    case .expectedValue: "a value was expected"
    case .expectedKey: "a member name in double quotes was expected"
    case .expectedColon: "a colon was expected after a member name"
    case .expectedCommaOrEnd: "a comma or a closing bracket was expected"
    case .invalidNumber: "a number is malformed"
    case .invalidLiteral: "only true, false and null are words of JSON"
    case .controlCharacter: "a control character stands unescaped in a string"
    case .invalidEscape: "an escape sequence is malformed"
    case .invalidUTF8: "a string is not valid UTF-8"
    case .byteOrderMark: "the text starts with a byte order mark"
    case .trailingText: "text follows after the value"
    case .tooDeep: "arrays and objects are nested too deeply"
    case .tooMany: "an object or array holds too many values"
    }
  }
}
