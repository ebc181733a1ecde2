/// A source's own name for a page: exact JSON text, never looked into.
public typealias Cursor = [UInt8]

/// A point in time or a span of it, in milliseconds of a clock that never goes back.
public typealias Milliseconds = Int

/// The end of the list at which something happens.
public enum Edge: Equatable, Sendable {
  /// Before the first item.
  case start
  /// Behind the last item.
  case end
}

/// Why a page is loaded.
public enum LoadKind: Equatable, Sendable {
  /// Nothing is loaded yet.
  case initial
  /// A page behind the last.
  case more
  /// A page before the first.
  case previous
  /// A page of a refresh.
  case refresh
}

/// All a source needs to give one page, now or again later.
public struct PagePlace: Equatable, Sendable {
  /// The source's cursor, nil for the first page and for sources that go by page and offset.
  public var cursor: Cursor?
  /// The page's number in the source: 0 is the source's first page.
  public var page: Int
  /// Items of the source before this page, as far as they were received.
  public var offset: Int
  /// Whether the cursor came as a `previous`, so that the source is asked for what lies before it.
  public var isBackward: Bool

  /// Makes a place; without arguments that is the first page.
  public init(cursor: Cursor? = nil, page: Int = 0, offset: Int = 0, isBackward: Bool = false) {
    self.cursor = cursor
    self.page = page
    self.offset = offset
    self.isBackward = isBackward
  }

  /// The furthest offset: what the protocol allows an integer to be.
  static let maxOffset = 1 << 53

  /// The same place under another cursor, where there is one.
  func named(_ cursor: Cursor?) -> PagePlace {
    guard let cursor else { return self }
    var place = self
    place.cursor = cursor
    return place
  }

  /// Moves the place along in the source, as far as offsets reach: what is added comes from outside.
  mutating func move(by count: Int) {
    let (sum, overflow) = offset.addingReportingOverflow(count)
    offset = overflow ? (count < 0 ? 0 : PagePlace.maxOffset) : min(max(0, sum), PagePlace.maxOffset)
  }
}

/// A cursor member of an answer, where leaving it out and null differ.
public enum CursorField: Equatable, Sendable {
  /// The member is not there.
  case absent
  /// The member is null.
  case null
  /// A cursor.
  case value(Cursor)
}

/// What the core needs to know of a page that a source has given.
///
/// The items themselves stay outside.
public struct PageArrival: Sendable {
  /// The items' ids, in the order of the list.
  public var ids: [Fingerprint]
  /// The cursor of the following page.
  public var next: CursorField
  /// The cursor of the page before.
  public var previous: CursorField
  /// What the page says about more items in the direction of the load.
  public var hasMore: Bool?
  /// Items that the source says it has in all.
  public var total: Int?
  /// Bytes of the items' text.
  public var byteCount: Int
  /// The cursor by which the source gives this very page again, where it is not the one that was asked with: the page of
  /// a source that grows would hold more the next time.
  public var again: Cursor?
  /// Where the source goes on once it has grown; only of a last page, and only of a source that is followed.
  public var tail: Cursor?

  /// Makes a page; what is left out is what the source left out.
  public init(
    ids: [Fingerprint], next: CursorField = .absent, previous: CursorField = .absent, hasMore: Bool? = nil,
    total: Int? = nil, byteCount: Int = 0
  ) {
    self.ids = ids
    self.next = next
    self.previous = previous
    self.hasMore = hasMore
    self.total = total
    self.byteCount = byteCount
  }
}

/// Why a load failed.
public struct LoadFailure: Equatable, Sendable {
  /// The kinds of failure; only the first comes from outside.
  public enum Reason: Equatable, Sendable {
    /// The source's error, as JSON text that the core does not look into.
    case source(error: [UInt8])
    /// The source has not answered for so many milliseconds.
    case timeout(milliseconds: Int)
    /// The source gave a cursor that it had given before.
    case cursorCycle(cursor: Cursor)
    /// The source goes by cursors and says that there is more, but not where.
    case missingCursor
    /// The session would hold more items than the limit.
    case tooManyItems(limit: Int)
  }

  /// What happened.
  public var reason: Reason
  /// Whether trying again may help.
  public var isRetryable: Bool
  /// Milliseconds the source asked to wait before the next try.
  public var retryAfterMs: Int?
  /// Whether what comes next by the source's word is in the list already: only a refresh ends such a failure.
  ///
  /// A cursor that named its own page while that page was empty is that of a source that waits for more, and may be
  /// asked again.
  public var repeatsItems: Bool

  /// Makes a failure.
  public init(reason: Reason, isRetryable: Bool, retryAfterMs: Int? = nil, repeatsItems: Bool = false) {
    self.reason = reason
    self.isRetryable = isRetryable
    self.retryAfterMs = retryAfterMs
    self.repeatsItems = repeatsItems
  }
}
