/// A half-open range of byte offsets into some byte buffer.
///
/// A slice does not know its buffer: who hands one out says which buffer it belongs to and how long it stays valid.
public struct JSONSlice: Sendable, Equatable, Hashable, BitwiseCopyable {
  /// Offset of the first byte.
  public var start: Int
  /// Offset after the last byte.
  public var end: Int

  /// Makes the slice `start..<end`.
  @inlinable
  public init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  /// The slice that stands for "nothing there".
  @inlinable
  public static var none: JSONSlice { JSONSlice(start: 0, end: 0) }

  /// Length in bytes.
  @inlinable
  public var count: Int { end &- start }

  /// Whether the slice holds no byte; no JSON value is empty, so this also says "absent".
  @inlinable
  public var isEmpty: Bool { end <= start }

  /// The same range as a standard range.
  @inlinable
  public var range: Range<Int> { start..<max(start, end) }

  /// Whether the slice lies wholly inside a buffer of `count` bytes.
  @inlinable
  public func fits(in count: Int) -> Bool { start >= 0 && start <= end && end <= count }

  /// The slice moved by `distance` bytes, for text that was copied elsewhere.
  @inlinable
  public func moved(by distance: Int) -> JSONSlice { JSONSlice(start: start &+ distance, end: end &+ distance) }
}
