/// One member of an object: where its key and its value stand.
public struct JSONMember: Sendable, Equatable, BitwiseCopyable {
  /// The key's content, without its quotes, escapes untouched.
  public var key: JSONSlice
  /// Whether the key is written with at least one escape, so that its bytes are not its name.
  public var keyHasEscape: Bool
  /// The value's text, without white space around it.
  public var value: JSONSlice
  /// The name as a single number, see ``JSONKeyWord``, its escapes decoded; 0 if it has none.
  public var word: UInt64

  /// Makes the member whose name is `key` and whose value ends at `valueEnd`; `bytes` is the buffer both were scanned in.
  @inlinable @inline(__always)
  public init(_ bytes: Span<UInt8>, key: JSONKey, valueEnd: Int) {
    self.key = key.slice
    keyHasEscape = key.hasEscape
    value = JSONSlice(start: key.valueStart, end: valueEnd)
    word = key.word(in: bytes)
  }

  /// Makes a member from its parts.
  @inlinable
  public init(key: JSONSlice, keyHasEscape: Bool, value: JSONSlice, word: UInt64) {
    self.key = key
    self.keyHasEscape = keyHasEscape
    self.value = value
    self.word = word
  }
}
