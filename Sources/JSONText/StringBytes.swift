/// Tells the bytes that end a run of plain ASCII inside a string: a quote, a backslash, controls, and all non-ASCII.
@usableFromInline
enum StringBytes {
  /// The high bit of each byte of `word` that is such a byte, exact for the lowest one set and all below it.
  @inlinable @inline(__always)
  static func stops(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ 0x2222_2222_2222_2222
    let control = (word &- 0x2020_2020_2020_2020) & ~word
    return (word | ((quote &- ones) & ~quote) | backslashes(word) | control) & 0x8080_8080_8080_8080
  }

  /// The high bit of each byte of `word` that is a backslash, exact for the lowest one set and all below it.
  @inlinable @inline(__always)
  static func backslashes(_ word: UInt64) -> UInt64 {
    // A backslash is a byte of zero now; without one nothing borrows from the byte above.
    let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
    return (backslash &- 0x0101_0101_0101_0101) & ~backslash & 0x8080_8080_8080_8080
  }

  /// The bytes among sixteen that end such a run: 0xFF in each byte that is such a byte, as two words, first bytes first.
  @inlinable @inline(__always)
  static func stops(_ vector: SIMD16<UInt8>) -> SIMD2<UInt64> {
    // As signed numbers, controls and non-ASCII bytes are all the ones below 0x20. Vector constants, concrete compares
    // and a bit cast: any other spelling of this is compiled to sixteen single steps.
    let signed = unsafeBitCast(vector, to: SIMD16<Int8>.self)
    return mask(signed .< SIMD16<Int8>(repeating: 0x20)) | mask(signed .== SIMD16<Int8>(repeating: 0x22))
      | mask(signed .== SIMD16<Int8>(repeating: 0x5C))
  }

  /// A compare's result as two words.
  @inlinable @inline(__always)
  static func mask(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD2<UInt64> {
    unsafeBitCast(mask, to: SIMD2<UInt64>.self)
  }
}
