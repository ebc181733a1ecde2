import JSONText

/// What a fetch asks for.
///
/// A source answers the same request with the same place in its data, however often and in whatever order requests
/// come: that is what lets a page that was dropped be opened again from what was recorded of it.
public struct PageRequest: Sendable, Equatable {
  /// Which load the page is for.
  public enum Kind: Sendable, Equatable, CaseIterable {
    /// The first load of a list.
    case initial
    /// The page after the loaded end.
    case more
    /// The page before the loaded start.
    case previous
    /// A page of a refresh.
    case refresh
  }

  /// Which load the page is for.
  public var kind: Kind
  /// The exact JSON text of the cursor that a page named, nil for the first page and where the source names none.
  public var cursor: [UInt8]?
  /// The page's number: 0 is the first, pages before it count down from -1.
  public var page: Int
  /// How many raw items (duplicates included) lie between the list's first page and this one.
  public var offset: Int
  /// How many items are wanted, at least 1.
  public var limit: Int
  /// The generation that the page will belong to.
  public var generation: Int
  /// How long the page may take before it counts as failed, in milliseconds; nil where there is no such time.
  public var timeoutMs: Int?

  /// Makes a request; without arguments the one for the first page of a new list.
  public init(
    kind: Kind = .initial, cursor: [UInt8]? = nil, page: Int = 0, offset: Int = 0, limit: Int = 20, generation: Int = 1,
    timeoutMs: Int? = nil
  ) {
    self.kind = kind
    self.cursor = cursor
    self.page = page
    self.offset = offset
    self.limit = limit
    self.generation = generation
    self.timeoutMs = timeoutMs
  }

  /// Writes the members of `fetchPage` that say which page is asked for, and the source's own `params`.
  public func writeMembers(params: [UInt8]?, to json: inout JSONWriter) {
    json.member("generation", generation)
    json.member("kind", "\(kind)")
    json.key("cursor")
    if let cursor { json.raw(cursor) } else { json.null() }
    json.member("page", page)
    json.member("offset", offset)
    json.member("limit", limit)
    json.key("params")
    if let params { json.raw(params) } else { json.null() }
  }
}
