/// Short member names as single 64-bit numbers, so that a name is recognised by one compare.
///
/// A name of one to eight bytes is its bytes, first byte lowest, padded with zeros. That is unambiguous, since names that
/// hold U+0000 are left out; these, the empty name and every longer one are 0.
public enum JSONKeyWord {
  /// The word of a name; the optimizer makes it a constant.
  @inlinable @inline(__always)
  public static func make(_ name: StaticString) -> UInt64 {
    name.withUTF8Buffer { pack($0.span) }
  }

  /// The word of the bytes of a decoded name.
  @inlinable @inline(__always)
  package static func pack(_ name: Span<UInt8>) -> UInt64 {
    if name.count > 8 { return 0 }
    var word: UInt64 = 0
    var index = 0
    while index < name.count {
      if name[index] == 0 { return 0 }
      word |= UInt64(name[index]) &<< UInt64(8 &* index)
      index &+= 1
    }
    return word
  }
}
