/// The paging of one list: events in, commands out.
///
/// No I/O, no clock, no randomness, no JSON.
///
/// Every mutating method is an event, named for what happened, and returns what the shell must do, in order; state is
/// committed before it returns. `now` is a time of a clock that never goes back. The two edges of the list load
/// independently of each other (`LoadDirection`); a refresh stands above both.
public struct PaginationSession {
  // What every appearance looks at stands first, in a few cache lines: with many sessions its time is that of fetching them.

  var list = LoadedList()
  /// The list's generation.
  public internal(set) var generation: Int
  /// Items further than this from both edges make nothing load; nil where it is not the distance alone that decides.
  let idleDistance: Int?
  var demand = Demand()
  var commands: [Command] = []

  /// How the session pages.
  public let settings: SessionSettings
  /// Items that the source says it has in all, as it said last.
  public internal(set) var total: Int?
  /// The id that the front end says it shows, loaded or not.
  public internal(set) var scrolledID: Fingerprint?

  let key: FingerprintKey
  var lastGeneration: Int
  var lastTicket = 0
  var atEnd = LoadDirection()
  var atStart = LoadDirection()
  private var refresh = RefreshState.none
  var refreshFailure: LoadFailure?
  /// The cursor of the list's own first page, where it has one.
  var firstCursor: Cursor?
  /// Whether the generation's first page has come; only that one says what lies before the list.
  var isFirstPageKnown = false
  /// The number that the source knows the list's first page by; the list counts its own from 0.
  var pageOrigin = 0
  /// Whether the place of a resume token is still to be proven.
  var isResumePending: Bool
  /// What the first page has to say about a resume token, until it has been said.
  var resumed: Bool?
  var isDraining = false

  /// Makes a session that has loaded nothing.
  ///
  /// - Parameters:
  ///   - generation: 1, or for a session that replaces one, what follows that one's last.
  ///   - key: the process's secret for fingerprints.
  public init(settings: SessionSettings, generation: Int = 1, key: FingerprintKey) {
    var settings = settings
    settings.prefetchThreshold = max(0, settings.prefetchThreshold)
    self.settings = settings
    idleDistance = settings.trigger == .item && settings.canLoadMore ? settings.prefetchThreshold : nil
    self.generation = generation
    self.key = key
    lastGeneration = generation
    firstCursor = settings.start.firstCursor
    // A token that could not be read names no place, and has failed already.
    isResumePending = settings.start.isResume && settings.start.place != nil
    resumed = settings.start.isResume && settings.start.place == nil ? false : nil
    resetDirections(next: settings.start.place ?? PagePlace(cursor: firstCursor))
    for place in settings.start.earlier { atStart.dropped.append(place) }
    for place in settings.start.earlier where !place.isBackward {
      // The way here led through them: a `next` that names one of them is a cycle.
      if let cursor = place.cursor { _ = atEnd.seen.insert(fingerprint(of: cursor)) }
    }
  }

  // MARK: Facts

  /// Items loaded.
  public var count: Int { list.count }
  /// Pages loaded that hold items.
  public var pageCount: Int { list.pages.count }
  /// The position of the first loaded item.
  public var first: Int? { list.isEmpty ? nil : list.items.first }
  /// The position of the last loaded item.
  public var last: Int? { list.isEmpty ? nil : list.items.last }
  /// Whether there may be more behind the last item.
  public var hasMore: Bool { atEnd.hasMore }
  /// Whether there may be more before the first item.
  public var hasPrevious: Bool { isFirstPageKnown && atStart.hasMore }
  /// Whether auto-loading at the end has stopped for want of progress.
  public var isPaused: Bool { atEnd.isPaused }
  /// The last generation that was allotted; a session that replaces this one goes on from there.
  public var lastAllottedGeneration: Int { lastGeneration }

  /// What every event says about the list.
  public var facts: Facts {
    Facts(count: count, hasMore: hasMore, hasPrevious: hasPrevious, paused: isPaused, phase: phase)
  }

  /// What a front end draws as a whole.
  public var phase: Phase {
    if !list.isEmpty { return .items }
    if isAnythingLoading { return !hasMore || atEnd.isPaused ? .empty : .loadingFirst }
    if atEnd.latch != nil { return .failedFirst }
    // A list that is known to be empty stays so, whatever became of a refresh.
    if !hasMore || atEnd.isPaused { return .empty }
    return refreshFailure == nil ? .idle : .failedFirst
  }

  /// Whether a load of this kind runs, waiting for a retry included.
  public func isLoading(_ kind: LoadKind) -> Bool {
    kind == .refresh ? isRefreshing : atEnd.load?.kind == kind || atStart.load?.kind == kind
  }

  /// The failure that stands for this kind of load.
  public func failure(of kind: LoadKind) -> LoadFailure? {
    if kind == .refresh { return refreshFailure }
    for latch in [atEnd.latch, atStart.latch] {
      if let latch, latch.kind == kind { return latch.failure }
    }
    return nil
  }

  /// Milliseconds until the next retry, nil where none waits.
  public func pendingRetryInMs(now: Milliseconds) -> Int? {
    var soonest: Int?
    for load in [atEnd.load, atStart.load, refreshing?.load] {
      if let load, case .waitingToRetry(let until) = load.step {
        soonest = min(soonest ?? Int.max, max(0, until - now))
      }
    }
    return soonest
  }

  /// The position of an id, nil where it is not loaded.
  public func position(of id: Fingerprint) -> Int? { list.items.position(of: id) }

  /// The id at a position, nil where nothing is loaded.
  public func id(at position: Int) -> Fingerprint? {
    position >= list.items.first && position < list.items.end ? list.items.id(at: position) : nil
  }

  /// Where a later session resumes: the place of a page, and the places before it, the nearest last.
  ///
  /// The page is that of the scrolled item, else of what is visible, else the first.
  public func resumePlace(limit: Int) -> (place: PagePlace, earlier: [PagePlace])? {
    guard let wanted = scrolledPosition ?? demand.visible?.lowerBound ?? first,
      let index = list.pageIndex(holding: wanted)
    else { return nil }
    var earlier: [PagePlace] = []
    for before in stride(from: index - 1, through: max(0, index - limit), by: -1) {
      earlier.append(list.pages[before].place)
    }
    let known = atStart.dropped.count
    for before in stride(from: known - 1, through: max(0, known - limit), by: -1) where earlier.count < limit {
      earlier.append(atStart.dropped[before])
    }
    return (list.pages[index].place, earlier.reversed())
  }

  // MARK: Inside

  var scrolledPosition: Int? { scrolledID.flatMap { list.items.position(of: $0) } }

  /// Whether a refresh runs, without a look at it.
  var isRefreshing: Bool {
    if case .running = refresh { return true }
    return false
  }

  /// The refresh that runs, if one does.
  var refreshing: Refresh? {
    get {
      if case .running(let refresh) = refresh { return refresh }
      return nil
    }
    set { refresh = newValue.map { .running($0) } ?? .none }
  }

  var isAnythingLoading: Bool { isRefreshing || atEnd.load != nil || atStart.load != nil }

  /// Hands out what the event has led to.
  mutating func takeCommands() -> [Command] {
    if commands.isEmpty { return [] }
    let taken = commands
    commands = []
    return taken
  }

  mutating func emit(_ command: Command) { commands.append(command) }

  /// Puts both edges at the beginning of a list whose first page is at `next`.
  mutating func resetDirections(next: PagePlace) {
    atEnd = LoadDirection()
    atEnd.next = next
    pageOrigin = next.page
    isFirstPageKnown = false
    if let cursor = next.cursor { _ = atEnd.seen.insert(fingerprint(of: cursor)) }
    atStart = LoadDirection()
  }

  func fingerprint(of cursor: Cursor) -> Fingerprint {
    Fingerprint.of(cursor.span, from: 0, to: cursor.count, tag: 2, key: key)
  }

  func direction(at edge: Edge) -> LoadDirection {
    switch edge {
    case .start: atStart
    case .end: atEnd
    }
  }

  mutating func setState(_ state: LoadDirection.State, at edge: Edge) {
    switch edge {
    case .start: atStart.state = state
    case .end: atEnd.state = state
    }
  }

  func answer(_ outcome: Outcome, added: Int = 0, duplicates: Int = 0) -> LoadAnswer {
    LoadAnswer(
      outcome: outcome, added: added, duplicates: duplicates, count: count, hasMore: hasMore,
      hasPrevious: hasPrevious, generation: generation)
  }

  mutating func nextTicket() -> Int {
    lastTicket &+= 1
    return lastTicket
  }
}
