extension JSONScanner {
  /// Checks the non-ASCII characters that start at `start` and returns the offset after one or more of them.
  @inline(__always)
  static func scanNonASCII(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(JSONSyntaxError) -> Int {
    // Single accents are the common case in Latin text, whole runs in other scripts: two characters are taken one by one
    // before vectors are worth it.
    var i = try scanSequence(bytes, from: start, to: end)
    if i >= end || bytes[i] < 0x80 { return i }
    i = try scanSequence(bytes, from: i, to: end)
    if i >= end || bytes[i] < 0x80 { return i }
    return try scanRun(bytes, from: i, to: end)
  }

  /// Checks one UTF-8 sequence of two to four bytes (table 3-7 of the Unicode standard).
  @inline(__always)
  static func scanSequence(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(JSONSyntaxError) -> Int {
    let lead = bytes[start]
    guard lead >= 0xC2, lead <= 0xF4 else { throw JSONSyntaxError(.invalidUTF8, at: start) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard start &+ length <= end else { throw JSONSyntaxError(.invalidUTF8, at: start) }
    let second = bytes[start &+ 1]
    let limits = secondByteLimits(lead: lead)
    guard second >= limits.lower, second <= limits.upper else { throw JSONSyntaxError(.invalidUTF8, at: start) }
    if length > 2, bytes[start &+ 2] & 0xC0 != 0x80 { throw JSONSyntaxError(.invalidUTF8, at: start) }
    if length > 3, bytes[start &+ 3] & 0xC0 != 0x80 { throw JSONSyntaxError(.invalidUTF8, at: start) }
    return start &+ length
  }

  /// Between which bytes the second one of a sequence must lie: narrower where it would be overlong, a surrogate or too
  /// large.
  @inline(__always)
  static func secondByteLimits(lead: UInt8) -> (lower: UInt8, upper: UInt8) {
    switch lead {
    case 0xE0: (0xA0, 0xBF)
    case 0xED: (0x80, 0x9F)
    case 0xF0: (0x90, 0xBF)
    case 0xF4: (0x80, 0x8F)
    default: (0x80, 0xBF)
    }
  }

  /// Checks a run of text, non-ASCII and ASCII alike, sixteen bytes at a time, up to the next quote, backslash or control.
  ///
  /// `start` is at the first byte of a character and at least four bytes of complete characters stand before it.
  @inline(never)
  private static func scanRun(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(JSONSyntaxError) -> Int {
    var i = start
    while i &+ 16 <= end {
      let block = UTF8Block(bytes, at: i)
      let first = block.ends[0]
      let second = block.ends[1]
      if first | second == 0 {
        if block.errors[0] | block.errors[1] != 0 { break }
        i &+= 16
      } else if first != 0 {
        if block.errors[0] & UTF8Block.through(first) != 0 { break }
        return i &+ first.trailingZeroBitCount &>> 3
      } else {
        if block.errors[0] | (block.errors[1] & UTF8Block.through(second)) != 0 { break }
        return i &+ 8 &+ second.trailingZeroBitCount &>> 3
      }
    }
    // Near the end, or at an error whose exact place is wanted: from the last character that starts before here, one by one.
    var lead = i
    while lead > start, lead > i &- 3, bytes[lead &- 1] >= 0x80 {
      lead &-= 1
      if bytes[lead] >= 0xC0 {
        i = lead
        break
      }
    }
    while i < end, bytes[i] >= 0x80 { i = try scanSequence(bytes, from: i, to: end) }
    return i
  }
}
