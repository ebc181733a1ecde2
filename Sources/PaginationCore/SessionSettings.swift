/// How one session pages: what `open` sets and nothing changes afterwards.
public struct SessionSettings: Equatable, Sendable {
  /// What makes a session load more.
  public enum Trigger: Equatable, Sendable {
    /// An item near an edge is seen.
    case item
    /// The front end's loader is seen.
    case loader
    /// The visible area comes near an edge of the content.
    case distance(Distance)
  }

  /// The geometry trigger.
  public struct Distance: Equatable, Sendable {
    /// How near is near enough.
    public enum Limit: Equatable, Sendable {
      /// A part of the viewport.
      case relative(Double)
      /// A length in the front end's own unit.
      case absolute(Double)
    }

    /// Whether a load that added items must have changed the content's height before the next may start.
    public enum HeightGate: Equatable, Sendable {
      /// Until so many milliseconds have passed since the last fire.
      case until(milliseconds: Int)
      /// Always.
      case always
      /// Never.
      case never
    }

    /// Demand when the distance is strictly less than this.
    public var limit: Limit
    /// Which fires wait for a change of height.
    public var heightGate: HeightGate

    /// Makes a geometry trigger.
    public init(limit: Limit, heightGate: HeightGate = .until(milliseconds: 2000)) {
      self.limit = limit
      self.heightGate = heightGate
    }
  }

  /// What ends a list where the page itself says nothing.
  public enum EndOn: Equatable, Sendable {
    /// A page without items.
    case emptyPage
    /// A page with fewer items than were asked for.
    case shortPage
    /// Nothing.
    case never
  }

  /// What a refresh does to the list until its first page is there.
  public enum RefreshMode: Equatable, Sendable {
    /// The old items stay until the new ones are there.
    case keep
    /// The list is emptied at once.
    case clear
  }

  /// How much a refresh fetches before it is committed.
  public enum RefreshExtent: Equatable, Sendable {
    /// One page.
    case first
    /// As many items as were loaded.
    case loaded
    /// Up to the page that holds the scrolled item.
    case anchor
  }

  /// Items asked for in one page.
  public var pageSize = 20
  /// An item is in an edge's zone when at most so many items lie between it and that edge.
  public var prefetchThreshold = 3
  /// What makes the session load more.
  public var trigger = Trigger.item
  /// Whether the first page is loaded without being asked for.
  public var autoload = true
  /// Whether pages after the first may be loaded.
  public var canLoadMore = true
  /// Whether the list may be refreshed.
  public var canRefresh = true
  /// What ends a list where the page says nothing.
  public var endOn = EndOn.emptyPage
  /// The mode of a refresh that names none.
  public var refreshMode = RefreshMode.keep
  /// The extent of a refresh that names none.
  public var refreshExtent = RefreshExtent.first
  /// When a failed load is tried again by itself.
  public var retry = RetryPolicy()
  /// Whether a new appearance tries again after an error.
  public var rearmOnAppear = false
  /// Milliseconds that one try of a load may take; 0 for any time.
  public var timeoutMs = 30_000
  /// Whether items whose id is loaded already are dropped.
  public var dedupe = true
  /// Loads in a row that add nothing before auto-loading stops.
  public var maxEmptyPages = 5
  /// Pages that a visible loader may load without a new word about what is visible.
  public var maxUnseenPages = 5
  /// The number of loaded items that the window aims at, nil for no bound.
  public var maxItems: Int?
  /// The most bytes of items that one event may carry; a refresh of several pages is cut there.
  public var maxEventBytes = 60 << 20
  /// Where the first page is; a session that resumes starts elsewhere.
  public var start = StartPlace()

  /// Makes the default settings.
  public init() {}
}

/// Where a session starts.
public struct StartPlace: Equatable, Sendable {
  /// The first page to load.
  public var place: PagePlace?
  /// Pages known to lie before it, the nearest last.
  public var earlier: [PagePlace]
  /// Whether this start came from a resume token, so that the first page says if it worked; without a place, the token
  /// could not be used.
  public var isResume: Bool
  /// The cursor of the list's own first page, for `startAt`.
  public var firstCursor: Cursor?

  /// Makes a start; without arguments that is the source's first page.
  public init(
    place: PagePlace? = nil, earlier: [PagePlace] = [], isResume: Bool = false, firstCursor: Cursor? = nil
  ) {
    self.place = place
    self.earlier = earlier
    self.isResume = isResume
    self.firstCursor = firstCursor
  }
}
