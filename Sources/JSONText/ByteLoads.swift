// Loads of several bytes at once. `unsafeLoadUnaligned` on RawSpan checks its bounds, and every bit pattern is a value of
// the integer and vector types used here, so these stay memory-safe; they trap where a plain subscript would.

extension Span where Element == UInt8 {
  /// The eight bytes from `offset` on, first byte lowest.
  @inlinable @inline(__always)
  package func word64(at offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The four bytes from `offset` on, first byte lowest.
  @inlinable @inline(__always)
  package func word32(at offset: Int) -> UInt32 {
    UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The two bytes from `offset` on, first byte lowest.
  @inlinable @inline(__always)
  package func word16(at offset: Int) -> UInt16 {
    UInt16(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// The thirty-two bytes from `offset` on as four words, first byte lowest: several of them by one test of the bounds.
  @inlinable @inline(__always)
  package func words(at offset: Int) -> SIMD4<UInt64> {
    bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
  }

  /// The sixteen bytes from `offset` on.
  @inlinable @inline(__always)
  package func vector16(at offset: Int) -> SIMD16<UInt8> {
    bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
  }
}
