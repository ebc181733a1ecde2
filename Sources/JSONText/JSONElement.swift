/// One element of an array, with the value of its top-level member `id` where it is an object that has one.
public struct JSONElement: Sendable, Equatable, BitwiseCopyable {
  /// The element's text, without white space around it.
  public var value: JSONSlice
  /// The text of the last top-level member whose name is `id`; empty if there is none.
  public var id: JSONSlice

  /// Makes an element from its parts.
  @inlinable
  public init(value: JSONSlice, id: JSONSlice) {
    self.value = value
    self.id = id
  }
}
