/// One member of an object: where its key and its value stand.
public struct JSONMember: Sendable, Equatable, BitwiseCopyable {
  /// The key's content, without its quotes, escapes untouched.
  public var key: JSONSlice
  /// Whether the key is written with at least one escape, so that its bytes are not its name.
  public var keyHasEscape: Bool
  /// The value's text, without white space around it.
  public var value: JSONSlice

  /// Makes a member from its parts.
  @inlinable
  public init(key: JSONSlice, keyHasEscape: Bool, value: JSONSlice) {
    self.key = key
    self.keyHasEscape = keyHasEscape
    self.value = value
  }
}
