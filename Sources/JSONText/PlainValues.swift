// Values as nearly all programs write them, found without the general scanner: ASCII strings without escapes, and integers
// of at most 15 digits. Where something else stands the answer is nil, and only the general scanner can say what it is.

extension JSONScanner {
  /// How many bytes behind the last start of a plain value must be there.
  @inlinable
  package static var plainLookAhead: Int { 32 }

  /// The offset of the quote that ends the plain string whose content starts at `start`.
  ///
  /// The string may end behind `last`, the last offset at which a step begins; ``plainLookAhead`` bytes behind that are there.
  @inlinable @inline(__always)
  package static func plainStringEnd(_ bytes: Span<UInt8>, from start: Int, last: Int) -> Int? {
    var i = start
    while i <= last {
      let stops = StringBytes.stops(bytes.vector16(at: i))
      if stops[0] | stops[1] == 0 {
        i &+= 16
        continue
      }
      i &+= stops[0] != 0 ? stops[0].trailingZeroBitCount &>> 3 : 8 &+ stops[1].trailingZeroBitCount &>> 3
      return bytes[i] == UInt8(ascii: "\"") ? i : nil
    }
    return nil
  }

  /// The value of the plain integer that starts at `start`, and the offset after it.
  @inlinable @inline(__always)
  package static func plainInteger(_ bytes: Span<UInt8>, from start: Int, last: Int) -> (value: Int, end: Int)? {
    guard start <= last else { return nil }
    // Most have so few digits that one load has them all and what follows.
    let word = bytes.word64(at: start)
    let first = UInt8(truncatingIfNeeded: word)
    let (value, count, next) = leadingInteger(word)
    let end = start &+ count
    // A zero in front of other digits is no number, and a point or an exponent behind the digits makes another one.
    guard end > start, next == UInt8(ascii: ",") || next == UInt8(ascii: "}"),
      first != UInt8(ascii: "0") || end == start &+ 1
    else { return longInteger(bytes, from: start) }
    return (value, end)
  }

  /// The number that a word's first digits make, how many they are, and the byte after them, which is 0 behind eight.
  @inlinable @inline(__always)
  package static func leadingInteger(_ word: UInt64) -> (value: Int, count: Int, next: UInt8) {
    var rest = word
    var value = 0
    var count = 0
    while UInt8(truncatingIfNeeded: rest) &- UInt8(ascii: "0") < 10 {
      value = value &* 10 &+ Int(UInt8(truncatingIfNeeded: rest) &- UInt8(ascii: "0"))
      rest &>>= 8
      count &+= 1
    }
    return (value, count, UInt8(truncatingIfNeeded: rest))
  }

  /// What ``plainInteger(_:from:last:)`` finds, without its short cut; what may be looked at is there.
  @usableFromInline @inline(never)
  static func longInteger(_ bytes: Span<UInt8>, from start: Int) -> (value: Int, end: Int)? {
    let isNegative = bytes[start] == UInt8(ascii: "-")
    let first = isNegative ? start &+ 1 : start
    var i = first
    var value = 0
    while i &- first < 16, bytes[i] &- UInt8(ascii: "0") < 10 {
      value = value &* 10 &+ Int(bytes[i] &- UInt8(ascii: "0"))
      i &+= 1
    }
    guard i > first, i &- first < 16, bytes[first] != UInt8(ascii: "0") || i == first &+ 1,
      bytes[i] == UInt8(ascii: ",") || bytes[i] == UInt8(ascii: "}")
    else { return nil }
    return (isNegative ? 0 &- value : value, i)
  }
}
