/// Checks a number or one of the three words between two marks.
///
/// Which word it is and how many digits there are is hard to foresee, and a branch that was foreseen wrongly takes as long as all of
/// this: so the common forms are told without any that depends on it.
enum MarkedScalar {
  /// Whether one stands at `start` and nothing but white space between it and the mark at `next`.
  @inline(__always)
  static func stands(in text: Span<UInt8>, at start: Int, before next: Int) -> Bool {
    // Nine bytes of an integer, a point, and eight bytes of a fraction.
    guard start &+ 18 <= text.count else { return isAny(text, start, before: next) }
    let byte = text[start]
    if byte > UInt8(ascii: "9") {
      let word = text.word64(at: start)
      let isFive = Int(truncatingIfNeeded: word &>> 1 & ~(word &>> 3)) & 1  // of f, t and n only for f
      let wrong = min(
        (word ^ 0x65_736C_6166) & 0xFF_FFFF_FFFF, (word ^ 0x6575_7274) & 0xFFFF_FFFF, (word ^ 0x6C6C_756E) & 0xFFFF_FFFF
      )
      if bit(wrong == 0) & bit(start &+ 4 &+ isFive == next) != 0 { return true }
    } else {
      let integer = start &+ bit(byte == UInt8(ascii: "-"))
      var digits = digitCount(text, at: integer)
      var end = integer &+ digits
      let isCanonical = bit(digits == 1) | bit(text[integer] != UInt8(ascii: "0"))
      if text[end] == UInt8(ascii: ".") {
        let fraction = digitCount(text, at: end &+ 1)
        digits &*= fraction
        end &+= 1 &+ fraction
      }
      if isCanonical & bit(digits != 0) & bit(end == next) != 0 { return true }
    }
    return isAny(text, start, before: next)
  }

  /// The same for all others: long numbers, exponents, white space behind, errors.
  @inline(never)
  private static func isAny(_ text: Span<UInt8>, _ start: Int, before next: Int) -> Bool {
    guard let end = try? JSONScanner.scanScalar(text, from: start, to: text.count, first: text[start]) else {
      return false
    }
    return JSONScanner.skipWhitespace(text, end, next) == next
  }

  @inline(__always)
  private static func bit(_ condition: Bool) -> Int { condition ? 1 : 0 }

  /// How many of the eight bytes from `offset` on are digits before the first that is none.
  @inline(__always)
  private static func digitCount(_ text: Span<UInt8>, at offset: Int) -> Int {
    let digits = text.word64(at: offset) ^ 0x3030_3030_3030_3030
    let others = (((digits & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
    return others.trailingZeroBitCount &>> 3
  }
}
