import JSONText

/// One item of a page, as places in the page's bytes.
public struct SourceItem: Sendable, Equatable {
  /// The item's JSON text.
  public var value: JSONSlice
  /// The JSON text of the value found by the id path, whatever its type; empty where there is none.
  public var id: JSONSlice
  /// The source's own key of the item, for example a byte offset; nil where it has none.
  public var key: Int?

  /// Makes an item from its parts.
  public init(value: JSONSlice, id: JSONSlice = JSONSlice(start: 0, end: 0), key: Int? = nil) {
    self.value = value
    self.id = id
    self.key = key
  }
}
