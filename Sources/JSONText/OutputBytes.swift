// Text into arrays without a call for each byte of it: `append(addingCapacity:initializingWith:)` makes room once for all the
// pieces that its closure writes, checked like everything in the standard library.

extension OutputSpan<UInt8> {
  /// Appends text; it traps where there is no room for it.
  ///
  /// A literal becomes a few stores of whole words.
  @inlinable @inline(__always)
  public mutating func append(_ text: StaticString) {
    append(copying: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends bytes; it traps where there is no room for them.
  @inlinable @inline(__always)
  public mutating func append(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { append(copying: $0) }
  }

  /// The standard library has this for single elements only.
  @inlinable @inline(__always)
  mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) {
    precondition(bytes.count <= freeCapacity, "no room in the array")
    withUnsafeMutableBufferPointer { buffer, count in
      if let source = bytes.baseAddress, let target = buffer.baseAddress {
        (target + count).update(from: source, count: bytes.count)
      }
      count &+= bytes.count
    }
  }
}

extension [UInt8] {
  /// Appends bytes in one piece, for half of what `append(contentsOf:)` costs a short text.
  @inline(__always)
  mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) {
    // To make no room in an array without memory writes to what all such arrays share, from whatever thread.
    if bytes.isEmpty { return }
    append(addingCapacity: bytes.count) { $0.append(copying: bytes) }
  }
}
