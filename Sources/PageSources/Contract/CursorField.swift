/// What a page says about the page beside it.
public enum CursorField: Sendable, Equatable {
  /// Nothing is said: as `next` the source goes on by page and offset, as `previous` this is the start.
  case absent
  /// There is no such page: an explicit `null`.
  case null
  /// The exact JSON text by which the source names that page.
  case value([UInt8])
}
