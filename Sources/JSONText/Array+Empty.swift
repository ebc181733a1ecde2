extension Array where Element: BitwiseCopyable {
  /// Removes all elements and keeps the memory.
  ///
  /// `removeAll(keepingCapacity:)` does the same through a general replacement that costs as much as scanning a short
  /// message, so a few elements are taken off one by one.
  @inlinable @inline(__always)
  package mutating func empty() {
    if isEmpty { return }
    if count > 16 { return removeAll(keepingCapacity: true) }
    while !isEmpty { removeLast() }
  }
}
