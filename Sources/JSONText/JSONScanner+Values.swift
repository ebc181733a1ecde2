extension JSONScanner {
  /// The offset of the first byte at or after `start` that is not white space, or `end`.
  @inlinable @inline(__always)
  public static func skipWhitespace(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    if start < end, bytes[start] > 0x20 { return start }
    return skipBlanks(bytes, start, end)
  }

  @usableFromInline @inline(never)
  static func skipBlanks(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    var i = start
    while i < end {
      // Indentation is mostly runs of spaces.
      if i &+ 8 <= end, bytes.word64(at: i) == 0x2020_2020_2020_2020 {
        i &+= 8
        continue
      }
      switch bytes[i] {
      case 0x20, 0x0A, 0x0D, 0x09: i &+= 1
      default: return i
      }
    }
    return i
  }

  /// Checks the value that starts exactly at `start` and returns the offset after it.
  ///
  /// What follows the value is not looked at. `depth` counts the arrays and objects that are open around it.
  @inlinable @inline(__always)
  public func scanValue(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, depth: Int = 0
  ) throws(JSONSyntaxError) -> Int {
    // Strings are so common, and mostly so short, that they are worth a short cut here.
    if start < end, bytes[start] == UInt8(ascii: "\"") {
      return try JSONScanner.scanString(bytes, from: start &+ 1, to: end).offset &+ 1
    }
    return try scanAnyValue(bytes, from: start, to: end, depth: depth)
  }

  /// The same without the short cut, out of line.
  @usableFromInline @inline(never)
  func scanAnyValue(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, depth: Int
  ) throws(JSONSyntaxError) -> Int {
    guard start < end else { throw JSONSyntaxError(.unexpectedEnd, at: end) }
    let byte = bytes[start]
    if byte | 0x20 != UInt8(ascii: "{"), byte != UInt8(ascii: "\"") {
      return try JSONScanner.scanScalar(bytes, from: start, to: end, first: byte)
    }
    return try scanNested(bytes, from: start, to: end, depth: depth)
  }

  /// The same, for a value that may have others inside it.
  private func scanNested(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, depth: Int
  ) throws(JSONSyntaxError) -> Int {
    var i = start
    var nesting = Nesting()
    let room = maxDepth &- depth
    while true {
      guard i < end else { throw JSONSyntaxError(.unexpectedEnd, at: end) }
      let byte = bytes[i]
      switch byte {
      case UInt8(ascii: "\""):
        i = try JSONScanner.scanString(bytes, from: i &+ 1, to: end).offset &+ 1
      case UInt8(ascii: "{"):
        guard nesting.depth < room else { throw JSONSyntaxError(.tooDeep, at: i) }
        i = JSONScanner.skipWhitespace(bytes, i &+ 1, end)
        if i < end, bytes[i] == UInt8(ascii: "}") {
          i &+= 1
        } else {
          nesting.push(isObject: true)
          i = try JSONScanner.scanKey(bytes, at: i, to: end).valueStart
          continue
        }
      case UInt8(ascii: "["):
        guard nesting.depth < room else { throw JSONSyntaxError(.tooDeep, at: i) }
        i = JSONScanner.skipWhitespace(bytes, i &+ 1, end)
        if i < end, bytes[i] == UInt8(ascii: "]") {
          i &+= 1
        } else {
          nesting.push(isObject: false)
          continue
        }
      default:
        i = try JSONScanner.scanScalar(bytes, from: i, to: end, first: byte)
      }
      // A value has ended; so may have any number of arrays and objects around it.
      i = try JSONScanner.closeOrAdvance(bytes, at: i, to: end, nesting: &nesting)
      if nesting.depth == 0 { return i }
    }
  }

  /// After a value: leaves what closes here, and if something is still open goes to the next value in it.
  @inline(__always)
  private static func closeOrAdvance(
    _ bytes: Span<UInt8>, at start: Int, to end: Int, nesting: inout Nesting
  ) throws(JSONSyntaxError) -> Int {
    var i = start
    while nesting.depth > 0 {
      i = skipWhitespace(bytes, i, end)
      guard i < end else { throw JSONSyntaxError(.unexpectedEnd, at: end) }
      let byte = bytes[i]
      if byte == UInt8(ascii: ",") {
        i = skipWhitespace(bytes, i &+ 1, end)
        return nesting.isInObject ? try scanKey(bytes, at: i, to: end).valueStart : i
      }
      guard byte == (nesting.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw JSONSyntaxError(.expectedCommaOrEnd, at: i)
      }
      nesting.pop()
      i &+= 1
    }
    return i
  }

  /// A number or one of the three words.
  @inline(__always)
  static func scanScalar(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, first: UInt8
  ) throws(JSONSyntaxError) -> Int {
    if first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10 {
      return try scanNumber(bytes, from: start, to: end)
    }
    if start &+ 4 <= end {
      switch bytes.word32(at: start) {
      case 0x6575_7274, 0x6C6C_756E: return start &+ 4  // true, null
      case 0x736C_6166 where start &+ 5 <= end && bytes[start &+ 4] == UInt8(ascii: "e"): return start &+ 5  // false
      default: break
      }
    }
    switch first {
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): throw JSONSyntaxError(.invalidLiteral, at: start)
    default: throw JSONSyntaxError(.expectedValue, at: start)
    }
  }

  /// Checks the number that starts at `start` and returns the offset after it.
  @inline(__always)
  private static func scanNumber(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(JSONSyntaxError) -> Int {
    var i = start
    if bytes[i] == UInt8(ascii: "-") { i &+= 1 }
    let integer = i
    i = skipDigits(bytes, i, end)
    guard i > integer, bytes[integer] != UInt8(ascii: "0") || i == integer &+ 1 else {
      throw integer == end ? JSONSyntaxError(.unexpectedEnd, at: end) : JSONSyntaxError(.invalidNumber, at: start)
    }
    guard i < end else { return i }
    let next = bytes[i]
    if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") {
      return try scanFraction(bytes, from: i, to: end, number: start)
    }
    return i
  }

  @inline(never)
  private static func scanFraction(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, number: Int
  ) throws(JSONSyntaxError) -> Int {
    var i = start
    if bytes[i] == UInt8(ascii: ".") {
      let digits = i &+ 1
      i = skipDigits(bytes, digits, end)
      if i == digits { throw JSONSyntaxError(i == end ? .unexpectedEnd : .invalidNumber, at: i == end ? end : number) }
    }
    if i < end, bytes[i] | 0x20 == UInt8(ascii: "e") {
      i &+= 1
      if i < end, bytes[i] == UInt8(ascii: "+") || bytes[i] == UInt8(ascii: "-") { i &+= 1 }
      let digits = i
      i = skipDigits(bytes, digits, end)
      if i == digits { throw JSONSyntaxError(i == end ? .unexpectedEnd : .invalidNumber, at: i == end ? end : number) }
    }
    return i
  }

  @inline(__always)
  private static func skipDigits(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    var i = start
    while i < end, bytes[i] &- UInt8(ascii: "0") < 10 { i &+= 1 }
    return i
  }
}
