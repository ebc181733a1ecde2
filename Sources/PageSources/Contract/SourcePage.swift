import JSONText

/// A page as a source gives it.
public struct SourcePage: Sendable, Equatable {
  /// Holds the JSON text of all items.
  ///
  /// Between two neighbouring items lies exactly one comma, so that a page without duplicates can be copied whole;
  /// before the first item and after the last one nothing that may be relied on.
  public var bytes: [UInt8]
  /// The items, in the source's order, as slices into `bytes`.
  public var items: [SourceItem]
  /// The source's own ids as JSON text in `bytes`, parallel to the items, an empty slice standing for none; empty where the
  /// source gave no list of them.
  public var keys: [JSONSlice] = []
  /// Names the page after this one.
  public var next: CursorField
  /// Names the page before this one.
  public var previous: CursorField
  /// Whether the source has more after this page; nil where it says nothing, and the session's `endOn` decides.
  public var hasMore: Bool?
  /// How many items the source holds in all; nil where it does not say.
  public var total: Int?
  /// The cursor by which this very page is had again, where the one it was asked with would give more by then.
  public var again: [UInt8]?
  /// The cursor of what will be added behind this page, which is the last so far; only of a source that is followed.
  public var tail: [UInt8]?
  /// After how many milliseconds a followed source is to be looked at again, though nothing may say that it changed; nil where
  /// that is not needed.
  public var lookAgainMs: Int?

  /// Makes a page; without arguments an empty one that says nothing.
  public init(
    bytes: [UInt8] = [], items: [SourceItem] = [], next: CursorField = .absent, previous: CursorField = .absent,
    hasMore: Bool? = nil, total: Int? = nil
  ) {
    self.bytes = bytes
    self.items = items
    self.next = next
    self.previous = previous
    self.hasMore = hasMore
    self.total = total
  }
}
