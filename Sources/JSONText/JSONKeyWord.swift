/// Short member names as single 64-bit numbers, so that a name is recognised by one compare.
///
/// A name of one to eight bytes is its bytes, first byte lowest, padded with zeros. That is unambiguous, since a JSON
/// string cannot hold a raw zero byte and an escaped one is refused here; every other name is 0.
public enum JSONKeyWord {
  /// `id`, as a constant that the compiler sees.
  @inlinable
  public static var id: UInt64 { 0x6469 }

  /// The word of a name; 0 for an empty one, one longer than eight bytes, or one that holds U+0000.
  @inlinable
  public static func make(_ name: StaticString) -> UInt64 {
    name.withUTF8Buffer { pack($0.span) }
  }

  /// The word of the bytes of a decoded name.
  @inlinable
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
