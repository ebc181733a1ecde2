// The steps that every walk over an object is made of: open it, read a name, go on after a value.

extension JSONScanner {
  /// Where a walk over an object stands: at the next member's name, or after the closing brace.
  public struct ObjectStep: Sendable, BitwiseCopyable {
    /// Offset of the next name's opening quote, or the offset after the object.
    public var offset: Int
    /// Whether the object has ended.
    public var isEnd: Bool

    @usableFromInline @inline(__always)
    init(offset: Int, isEnd: Bool) {
      self.offset = offset
      self.isEnd = isEnd
    }
  }

  /// Enters the object that starts at `start`; `depth` counts what is open around it.
  @inlinable @inline(__always)
  public func openObject(
    _ bytes: Span<UInt8>, at start: Int, to end: Int, depth: Int
  ) throws(JSONSyntaxError) -> ObjectStep {
    guard start < end else { throw JSONSyntaxError(.unexpectedEnd, at: end) }
    guard bytes[start] == UInt8(ascii: "{") else { throw JSONSyntaxError(.expectedValue, at: start) }
    guard depth < maxDepth else { throw JSONSyntaxError(.tooDeep, at: start) }
    let i = JSONScanner.skipWhitespace(bytes, start &+ 1, end)
    if i < end, bytes[i] == UInt8(ascii: "}") { return ObjectStep(offset: i &+ 1, isEnd: true) }
    return ObjectStep(offset: i, isEnd: false)
  }

  /// Goes on after a member's value that ended at `offset`.
  @inlinable @inline(__always)
  public static func afterMember(
    _ bytes: Span<UInt8>, at offset: Int, to end: Int
  ) throws(JSONSyntaxError) -> ObjectStep {
    let i = skipWhitespace(bytes, offset, end)
    guard i < end else { throw JSONSyntaxError(.unexpectedEnd, at: end) }
    switch bytes[i] {
    case UInt8(ascii: ","): return ObjectStep(offset: skipWhitespace(bytes, i &+ 1, end), isEnd: false)
    case UInt8(ascii: "}"): return ObjectStep(offset: i &+ 1, isEnd: true)
    default: throw JSONSyntaxError(.expectedCommaOrEnd, at: i)
    }
  }

  /// Reads the member name whose opening quote stands at `start`, the colon after it and the white space around that.
  @inlinable @inline(__always)
  public static func scanKey(
    _ bytes: Span<UInt8>, at start: Int, to end: Int
  ) throws(JSONSyntaxError) -> JSONKey {
    let content = start &+ 1
    // Nearly all names end within eight bytes; then one load finds the quote and gives the name's word as well.
    if content &+ 8 <= end, bytes[start] == UInt8(ascii: "\"") {
      let word = bytes.word64(at: content)
      let stops = StringBytes.stops(word)
      // All ones and a shift by 64 where no byte stops: then the quote must be the ninth byte.
      let bits = stops == 0 ? 64 : UInt64(stops.trailingZeroBitCount &- 7)
      let close = content &+ Int(truncatingIfNeeded: bits &>> 3)
      if close < end, bytes[close] == UInt8(ascii: "\"") {
        return JSONKey(
          slice: JSONSlice(start: content, end: close),
          valueStart: try valueStart(bytes, afterKeyAt: close &+ 1, to: end),
          plainWord: word & ((1 << bits) &- 1), hasEscape: false)
      }
    }
    return try scanLongKey(bytes, at: start, to: end)
  }

  @usableFromInline @inline(never)
  static func scanLongKey(_ bytes: Span<UInt8>, at start: Int, to end: Int) throws(JSONSyntaxError) -> JSONKey {
    guard start < end else { throw JSONSyntaxError(.unexpectedEnd, at: end) }
    guard bytes[start] == UInt8(ascii: "\"") else { throw JSONSyntaxError(.expectedKey, at: start) }
    let close = try scanStringContent(bytes, from: start &+ 1, to: end)
    let slice = JSONSlice(start: start &+ 1, end: close.offset)
    let word = close.hasEscape || slice.count > 8 ? 0 : JSONKeyWord.pack(bytes.extracting(slice.range))
    return JSONKey(
      slice: slice, valueStart: try valueStart(bytes, afterKeyAt: close.offset &+ 1, to: end), plainWord: word,
      hasEscape: close.hasEscape)
  }

  @inlinable @inline(__always)
  static func valueStart(
    _ bytes: Span<UInt8>, afterKeyAt offset: Int, to end: Int
  ) throws(JSONSyntaxError) -> Int {
    if offset &+ 1 < end, bytes[offset] == UInt8(ascii: ":"), bytes[offset &+ 1] > 0x20 { return offset &+ 1 }
    let colon = skipWhitespace(bytes, offset, end)
    guard colon < end else { throw JSONSyntaxError(.unexpectedEnd, at: end) }
    guard bytes[colon] == UInt8(ascii: ":") else { throw JSONSyntaxError(.expectedColon, at: colon) }
    return skipWhitespace(bytes, colon &+ 1, end)
  }
}
