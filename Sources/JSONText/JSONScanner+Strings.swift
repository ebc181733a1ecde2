extension JSONScanner {
  /// Where a string ends.
  public struct StringEnd: Sendable, BitwiseCopyable {
    /// Offset of the closing quote.
    public var offset: Int
    /// Whether the string holds at least one escape.
    public var hasEscape: Bool

    @usableFromInline @inline(__always)
    init(offset: Int, hasEscape: Bool) {
      self.offset = offset
      self.hasEscape = hasEscape
    }
  }

  /// Checks the string whose content starts at `start`, after the opening quote, and finds the closing quote.
  @inlinable @inline(__always)
  public static func scanString(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(JSONSyntaxError) -> StringEnd {
    // Most strings are short: the first eight bytes are looked at in place.
    if start &+ 8 <= end {
      let word = bytes.word64(at: start)
      let stops = StringBytes.stops(word)
      if stops != 0 {
        let bits = UInt64(stops.trailingZeroBitCount &- 7)
        if UInt8(truncatingIfNeeded: word &>> bits) == UInt8(ascii: "\"") {
          return StringEnd(offset: start &+ Int(truncatingIfNeeded: bits &>> 3), hasEscape: false)
        }
      }
    }
    return try scanStringContent(bytes, from: start, to: end)
  }

  /// The same without the short cut, out of line.
  @usableFromInline @inline(never)
  static func scanStringContent(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(JSONSyntaxError) -> StringEnd {
    var i = start
    var hasEscape = false
    while true {
      i = skipPlain(bytes, i, end)
      guard i < end else { throw JSONSyntaxError(.unexpectedEnd, at: end) }
      let byte = bytes[i]
      if byte == UInt8(ascii: "\"") { return StringEnd(offset: i, hasEscape: hasEscape) }
      if byte == UInt8(ascii: "\\") {
        hasEscape = true
        i = try scanEscape(bytes, from: i, to: end)
      } else if byte < 0x20 {
        throw JSONSyntaxError(.controlCharacter, at: i)
      } else {
        i = try scanNonASCII(bytes, from: i, to: end)
      }
    }
  }

  /// The offset of the next byte that is not plain ASCII of a string, or `end`.
  @inline(__always)
  static func skipPlain(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    var i = start
    while i &+ 16 <= end {
      let stops = StringBytes.stops(bytes.vector16(at: i))
      if stops[0] != 0 { return i &+ stops[0].trailingZeroBitCount &>> 3 }
      if stops[1] != 0 { return i &+ 8 &+ stops[1].trailingZeroBitCount &>> 3 }
      i &+= 16
    }
    while i < end {
      let byte = bytes[i]
      if byte &- 0x20 >= 0x60 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return i }
      i &+= 1
    }
    return i
  }

  /// Checks the escape whose backslash stands at `start` and returns the offset after it.
  @inline(__always)
  private static func scanEscape(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(JSONSyntaxError) -> Int {
    guard start &+ 1 < end else { throw JSONSyntaxError(.unexpectedEnd, at: end) }
    switch bytes[start &+ 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start &+ 2
    case UInt8(ascii: "u"):
      var i = start &+ 2
      while i < start &+ 6 {
        guard i < end else { throw JSONSyntaxError(.unexpectedEnd, at: end) }
        let byte = bytes[i]
        guard byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6 else {
          throw JSONSyntaxError(.invalidEscape, at: start)
        }
        i &+= 1
      }
      return i
    default:
      throw JSONSyntaxError(.invalidEscape, at: start)
    }
  }
}
