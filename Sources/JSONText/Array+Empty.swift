extension Array where Element: BitwiseCopyable {
  /// Removes all elements and keeps the memory, unless that is more than any usual message needs.
  ///
  /// `removeAll(keepingCapacity:)` does the same through a general replacement that costs as much as scanning a short
  /// message, so a few elements are taken off one by one.
  @inlinable @inline(__always)
  package mutating func empty() {
    if isEmpty { return }
    if count > 16 { return removeAll(keepingCapacity: count <= 65_536) }
    while !isEmpty { removeLast() }
  }
}
