/// Reads values out of text that a ``JSONScanner`` has accepted.
///
/// Every function takes the buffer and the slice of one value's text. On text that was not validated the answers mean
/// nothing, but nothing traps as long as the slice lies inside the buffer.
public enum JSONReader {
  /// The kind of the value; nil for an empty slice.
  public static func kind(_ bytes: Span<UInt8>, _ slice: JSONSlice) -> JSONKind? {
    slice.isEmpty ? nil : JSONKind(firstByte: bytes[slice.start])
  }

  /// Whether the value is `null`.
  public static func isNull(_ bytes: Span<UInt8>, _ slice: JSONSlice) -> Bool {
    kind(bytes, slice) == .null
  }

  /// The value of `true` or `false`; nil for any other.
  public static func bool(_ bytes: Span<UInt8>, _ slice: JSONSlice) -> Bool? {
    guard kind(bytes, slice) == .bool else { return nil }
    return bytes[slice.start] == UInt8(ascii: "t")
  }

  /// The value of an integer literal; nil for one with a fraction or an exponent, beyond the range of Int, or no number.
  public static func integer(_ bytes: Span<UInt8>, _ slice: JSONSlice) -> Int? {
    var i = slice.start
    guard i < slice.end else { return nil }
    let isNegative = bytes[i] == UInt8(ascii: "-")
    if isNegative { i &+= 1 }
    guard i < slice.end else { return nil }
    var value = 0
    while i < slice.end {
      let digit = bytes[i] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      // Counted downwards, since Int reaches one further there.
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (difference, underflow) = product.subtractingReportingOverflow(Int(digit))
      if overflow || underflow { return nil }
      value = difference
      i &+= 1
    }
    if isNegative { return value }
    let (positive, overflow) = 0.subtractingReportingOverflow(value)
    return overflow ? nil : positive
  }

  /// The value of any number as the nearest Double, infinite beyond its range; nil if the value is no number.
  public static func number(_ bytes: Span<UInt8>, _ slice: JSONSlice) -> Double? {
    guard kind(bytes, slice) == .number else { return nil }
    return Double(text(bytes, slice))
  }

  /// The text of the value as it stands.
  public static func text(_ bytes: Span<UInt8>, _ slice: JSONSlice) -> String {
    guard slice.fits(in: bytes.count) else { return "" }
    return bytes.extracting(slice.range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of the value as they stand, copied.
  public static func raw(_ bytes: Span<UInt8>, _ slice: JSONSlice) -> [UInt8] {
    guard slice.fits(in: bytes.count) else { return [] }
    return bytes.extracting(slice.range).withUnsafeBufferPointer { Array($0) }
  }

  /// The content of a string value with its escapes untouched; nil if the value is no string.
  @inlinable
  public static func stringContent(_ bytes: Span<UInt8>, _ slice: JSONSlice) -> JSONSlice? {
    guard slice.count >= 2, bytes[slice.start] == UInt8(ascii: "\"") else { return nil }
    return JSONSlice(start: slice.start &+ 1, end: slice.end &- 1)
  }

  /// The content of a string value, escapes decoded; nil if the value is no string.
  ///
  /// A pair of surrogate escapes becomes one character; a lone one becomes the three bytes that UTF-8 would have for it
  /// (WTF-8), so that different strings stay different.
  public static func stringBytes(_ bytes: Span<UInt8>, _ slice: JSONSlice) -> [UInt8]? {
    guard let content = stringContent(bytes, slice) else { return nil }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(content.count)
    appendDecoded(bytes, content: content, to: &decoded)
    return decoded
  }

  /// The content of a string value as a String, lone surrogates replaced by U+FFFD; nil if the value is no string.
  public static func string(_ bytes: Span<UInt8>, _ slice: JSONSlice) -> String? {
    guard let content = stringContent(bytes, slice) else { return nil }
    return string(bytes, content: content)
  }

  /// The content of a string or a name (without its quotes) as a String, lone surrogates replaced by U+FFFD.
  public static func string(_ bytes: Span<UInt8>, content: JSONSlice) -> String {
    guard hasEscape(bytes, content) else { return text(bytes, content) }
    var decoded: [UInt8] = []
    JSONStringDecoder.append(bytes, content: content, replacingLoneSurrogates: true, to: &decoded)
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Appends the content of a string or a name (without its quotes), escapes decoded, lone surrogates as WTF-8.
  public static func appendDecoded(_ bytes: Span<UInt8>, content: JSONSlice, to decoded: inout [UInt8]) {
    JSONStringDecoder.append(bytes, content: content, replacingLoneSurrogates: false, to: &decoded)
  }

  /// Whether the value is a string with this content, escapes taken into account.
  public static func stringEquals(_ bytes: Span<UInt8>, _ slice: JSONSlice, _ text: StaticString) -> Bool {
    guard let content = stringContent(bytes, slice) else { return false }
    return contentEquals(bytes, content, text)
  }

  /// Whether the content of a string or a name (without its quotes) is this text, escapes taken into account.
  public static func contentEquals(_ bytes: Span<UInt8>, _ content: JSONSlice, _ text: StaticString) -> Bool {
    text.withUTF8Buffer { contentEquals(bytes, content, $0.span) }
  }

  /// Whether the content of a string or a name (without its quotes) is these bytes, escapes taken into account.
  public static func contentEquals(_ bytes: Span<UInt8>, _ content: JSONSlice, _ text: Span<UInt8>) -> Bool {
    // Decoding never makes text longer, so a shorter content is another one.
    if content.count < text.count { return false }
    guard hasEscape(bytes, content) else { return content.count == text.count && equal(bytes, content, text) }
    var decoded: [UInt8] = []
    appendDecoded(bytes, content: content, to: &decoded)
    return decoded.count == text.count && equal(decoded.span, JSONSlice(start: 0, end: decoded.count), text)
  }

  /// The value of the last of `members` with this name; nil if none has it.
  ///
  /// Fast for names of up to eight bytes.
  @inlinable @inline(__always)
  public static func value(
    _ bytes: Span<UInt8>, of members: [JSONMember], named name: StaticString
  ) -> JSONSlice? {
    let word = JSONKeyWord.make(name)
    return word == 0
      ? name.withUTF8Buffer { value(bytes, of: members, named: $0.span) } : value(of: members, word: word)
  }

  /// The value of the last of `members` whose name has this word, see ``JSONKeyWord``; nil if none has.
  @inlinable
  public static func value(of members: [JSONMember], word: UInt64) -> JSONSlice? {
    var index = members.count
    while index > 0 {
      index &-= 1
      if members[index].word == word { return members[index].value }
    }
    return nil
  }

  /// The value of the last of `members` with this name; nil if none has it.
  public static func value(_ bytes: Span<UInt8>, of members: [JSONMember], named name: Span<UInt8>) -> JSONSlice? {
    var index = members.count
    while index > 0 {
      index &-= 1
      let member = members[index]
      let isNamed =
        member.keyHasEscape
        ? contentEquals(bytes, member.key, name)
        : member.key.count == name.count && equal(bytes, member.key, name)
      if isNamed { return member.value }
    }
    return nil
  }

  /// Whether the content of a string or a name holds an escape.
  static func hasEscape(_ bytes: Span<UInt8>, _ content: JSONSlice) -> Bool {
    var i = content.start
    while i &+ 8 <= content.end {
      if StringBytes.backslashes(bytes.word64(at: i)) != 0 { return true }
      i &+= 8
    }
    while i < content.end {
      if bytes[i] == UInt8(ascii: "\\") { return true }
      i &+= 1
    }
    return false
  }

  private static func equal(_ bytes: Span<UInt8>, _ slice: JSONSlice, _ text: Span<UInt8>) -> Bool {
    var i = 0
    while i < text.count {
      if bytes[slice.start &+ i] != text[i] { return false }
      i &+= 1
    }
    return true
  }
}
