// Refresh: a new list is gathered beside the old one and takes its place in one event.
extension PaginationSession {
  /// What a refresh asks for beyond the session's settings.
  public struct RefreshRequest: Equatable, Sendable {
    /// What happens to the list until the first page is there; nil for the session's own mode.
    public var mode: SessionSettings.RefreshMode?
    /// How much is fetched before the commit; nil for the session's own extent.
    public var extent: SessionSettings.RefreshExtent?
    /// The cursor to start at from now on; nil for the place where the list started.
    public var firstCursor: Cursor?
    /// Whether the shell has opened a source for it, or for the place where it starts.
    public var hasOwnSource: Bool

    /// Makes a request; without arguments it is a plain refresh.
    public init(
      mode: SessionSettings.RefreshMode? = nil, extent: SessionSettings.RefreshExtent? = nil,
      firstCursor: Cursor? = nil, hasOwnSource: Bool = false
    ) {
      self.mode = mode
      self.extent = extent
      self.firstCursor = firstCursor
      self.hasOwnSource = hasOwnSource
    }
  }

  /// The generation that the next refresh will be allotted; the shell files a new source under it beforehand.
  public var nextGeneration: Int { lastGeneration + 1 }

  /// The front end asked for a refresh.
  public mutating func refreshRequested(
    _ request: RefreshRequest, waiter: Waiter?, now: Milliseconds
  ) -> [Command] {
    guard settings.canRefresh else {
      if request.hasOwnSource { emit(.discardSource(generation: nextGeneration)) }
      if let waiter { emit(.answer(waiter, answer(.disabled))) }
      return takeCommands()
    }
    let earlier = refreshing
    if let earlier { supersede(earlier, hasOwnSource: request.hasOwnSource) }
    for edge in [Edge.end, .start] {
      if let load = direction(at: edge).load { rollBack(load, at: edge, result: .superseded) }
    }
    lastGeneration += 1
    let first = startCursor(of: request, after: earlier)
    var load = Load(
      kind: .refresh, generation: lastGeneration, place: PagePlace(cursor: first), ticket: nextTicket())
    load.waits = (earlier?.load.waits ?? []).map { Load.Wait(waiter: $0.waiter, joined: true) }
    load.isPinned = waiter == nil || earlier?.load.isPinned == true
    if let waiter { load.waits.append(Load.Wait(waiter: waiter, joined: false)) }
    refreshFailure = nil
    refreshing = Refresh(
      generation: lastGeneration, extent: request.extent ?? settings.refreshExtent, firstCursor: first, load: load,
      formerCount: max(list.count, earlier?.formerCount ?? 0),
      maxPages: max(list.pages.count + settings.maxEmptyPages, earlier?.maxPages ?? 1))
    refreshing?.carried = earlier?.carried
    if let seen = first.map({ fingerprint(of: $0) }) { _ = refreshing?.seen.insert(seen) }
    emit(.loadingBegan(.refresh, generation: lastGeneration))
    if (request.mode ?? settings.refreshMode) == .clear { clear() }
    startTry(load)
    return takeCommands()
  }

  /// Where a refresh starts: where it says; else at the beginning of its own source, or of the one it takes over; else
  /// where the list did.
  private func startCursor(of request: RefreshRequest, after earlier: Refresh?) -> Cursor? {
    if let cursor = request.firstCursor { return cursor }
    if request.hasOwnSource { return nil }
    if let earlier, !earlier.hasCleared { return earlier.firstCursor }
    return firstCursor
  }

  /// Ends a refresh in favour of a newer one, which answers those who waited for it and inherits its query.
  private mutating func supersede(_ earlier: Refresh, hasOwnSource: Bool) {
    stop(earlier.load)
    if !earlier.hasCleared {
      if hasOwnSource {
        emit(.discardSource(generation: earlier.generation))
      } else {
        emit(.adoptSource(from: earlier.generation, to: nextGeneration))
      }
    }
    emit(.loadingEnded(.refresh, generation: earlier.generation, result: .superseded, facts))
  }

  /// Empties the list now; the refresh's number and source become the list's.
  private mutating func clear() {
    guard var refresh = refreshing else { return }
    refresh.hasCleared = true
    refresh.carried = refresh.carried ?? carriedDemand()
    generation = refresh.generation
    list = LoadedList()
    total = nil
    firstCursor = refresh.firstCursor
    resetDirections(next: PagePlace(cursor: refresh.firstCursor))
    giveUpResuming()
    forgetPlaces()
    refreshing = refresh
    emit(.commitSource(generation: generation))
    emit(.cleared(generation: generation, facts))
  }

  /// The list begins elsewhere than a resume token said.
  mutating func giveUpResuming() {
    guard isResumePending else { return }
    isResumePending = false
    resumed = false
  }

  // MARK: Pages of a refresh

  mutating func refreshPageArrived(_ arrival: PageArrival, now: Milliseconds) {
    guard var refresh = refreshing else { return }
    if !refresh.list.isEmpty && refresh.byteCount + arrival.byteCount > settings.maxEventBytes {
      // One event cannot carry it all: commit what there is; the rest is there as more.
      commit(refresh, Continuation(next: refresh.load.place), now: now)
      return
    }
    // Taken out meanwhile: shared, all that it has gathered would be copied to add a page.
    refreshing = nil
    let place = refresh.load.place
    let insertion = refresh.list.append(arrival.ids, place: place.named(arrival.again), dedupe: settings.dedupe)
    if refresh.arrivals == 0 { refresh.previous = arrival.previous }
    refresh.arrivals += 1
    refresh.duplicates += insertion.dropping.count
    refresh.byteCount += arrival.byteCount
    refresh.emptyRun = insertion.added == 0 ? refresh.emptyRun + 1 : 0
    refresh.total = arrival.total ?? refresh.total
    emit(.gather(dropping: insertion.dropping))
    let continuation = following(place, arrival, field: arrival.next, seen: &refresh.seen)
    guard let next = continuation.next, continuation.failure == nil, wantsMore(refresh) else {
      commit(refresh, continuation, now: now)
      return
    }
    refresh.load = goOn(refresh.load, to: next)
    refreshing = refresh
    startTry(refresh.load)
  }

  private func wantsMore(_ refresh: Refresh) -> Bool {
    if isOutOfPatience(refresh) { return false }
    if refresh.list.isEmpty { return true }
    switch refresh.extent {
    case .first: return false
    case .loaded: return refresh.list.count < refresh.formerCount
    case .anchor:
      guard let scrolledID, refresh.arrivals < refresh.maxPages else { return false }
      return !refresh.list.items.contains(scrolledID)
    }
  }

  private func isOutOfPatience(_ refresh: Refresh) -> Bool {
    refresh.emptyRun > 0 && refresh.emptyRun >= settings.maxEmptyPages
  }

  private mutating func commit(_ refresh: Refresh, _ continuation: Continuation, now: Milliseconds) {
    let failure = continuation.failure
    let carried = refresh.carried ?? carriedDemand()
    let load = refresh.load
    refreshing = nil
    refreshFailure = nil
    generation = refresh.generation
    list = refresh.list
    total = refresh.total
    firstCursor = refresh.firstCursor
    giveUpResuming()
    pageOrigin = 0
    atEnd = LoadDirection()
    atEnd.next = continuation.next
    atEnd.tail = Tail(continuation.tail)
    atEnd.seen = refresh.seen
    atEnd.emptyRun = refresh.emptyRun
    atStart = LoadDirection()
    isFirstPageKnown = true
    setStart(refresh.previous, before: PagePlace(cursor: refresh.firstCursor))
    forgetPlaces()
    moveDemand(carried)
    var result = LoadResult.loaded
    if let failure {
      atEnd.state = .latched(.init(failure: failure, kind: list.isEmpty ? .initial : .more, since: now))
    } else if atEnd.hasMore && isOutOfPatience(refresh) {
      atEnd.state = .paused(.noProgress)
      result = .paused
    }
    let place = scrolledPosition
    let brought = list.count
    let wasResume = resumed
    resumed = nil

    if !refresh.hasCleared { emit(.commitSource(generation: generation)) }
    emit(
      .page(
        PageEvent(
          edge: .end, generation: generation, page: 0, start: 0, added: list.count, dropping: [],
          duplicates: refresh.duplicates, replaces: true, isGathered: true, total: refresh.total, scrollTo: place,
          resumed: wasResume, facts: facts)))
    enforceWindow(around: list.isEmpty ? nil : 0...0, sparing: nil)
    // The window may have closed over the end, which opens again and is paused no more.
    if result == .paused && !atEnd.isPaused { result = .loaded }
    if let failure {
      let kind: LoadKind = list.isEmpty ? .initial : .more
      emit(.loadFailed(kind, generation: generation, failure, attempt: 1, retryInMs: nil))
    }
    emit(.loadingEnded(.refresh, generation: generation, result: result, facts))
    for wait in load.waits {
      let outcome: Outcome = wait.joined ? .coalesced : result == .paused ? .paused : .loaded
      emit(.answer(wait.waiter, answer(outcome, added: brought, duplicates: refresh.duplicates)))
    }
    weigh(.end, now: now)
    weigh(.start, now: now)
  }

  // MARK: Refreshes that fail or are given up

  mutating func refreshTryFailed(_ failure: LoadFailure, now: Milliseconds, random: Double) {
    guard var refresh = refreshing else { return }
    if let delay = retryDelay(after: refresh.load.attempt, failure, random: random) {
      refresh.load.step = .waitingToRetry(until: now + delay)
      refreshing = refresh
      emit(
        .loadFailed(
          .refresh, generation: refresh.generation, failure, attempt: refresh.load.attempt, retryInMs: delay))
      emit(.setTimer(refresh.load.timer, afterMs: delay))
      return
    }
    refreshing = nil
    refreshFailure = failure
    if !refresh.hasCleared { emit(.discardSource(generation: refresh.generation)) }
    emit(.loadFailed(.refresh, generation: refresh.generation, failure, attempt: refresh.load.attempt, retryInMs: nil))
    emit(.loadingEnded(.refresh, generation: refresh.generation, result: .failed, facts))
    for wait in refresh.load.waits { emit(.fail(wait.waiter, failure)) }
    weigh(.end, now: now)
    weigh(.start, now: now)
  }

  mutating func retryRefreshNow() {
    guard var load = refreshing?.load, case .waitingToRetry = load.step else { return }
    emit(.cancelTimer(load.timer))
    load.attempt += 1
    load.ticket = nextTicket()
    load.step = .fetching
    refreshing?.load = load
    startTry(load)
  }

  /// The last one who wanted the refresh is gone: all is as it was, or, after a clear, empty.
  mutating func abandonRefresh() {
    guard let refresh = refreshing else { return }
    stop(refresh.load)
    refreshing = nil
    if !refresh.hasCleared { emit(.discardSource(generation: refresh.generation)) }
    emit(.loadingEnded(.refresh, generation: refresh.generation, result: .cancelled, facts))
  }

  // MARK: Demand across generations

  private func carriedDemand() -> Refresh.Carried {
    Refresh.Carried(
      endID: demand.end.flatMap { id(at: $0) }, endPosition: demand.end, startID: demand.start.flatMap { id(at: $0) },
      visibleIDs: demand.visible.map { [id(at: $0.lowerBound), id(at: $0.upperBound)].compactMap(\.self) } ?? [])
  }

  /// Positions and geometry mean nothing in another list; a visible loader stays visible.
  private mutating func forgetPlaces() {
    stopGateTimers()
    var fresh = Demand()
    fresh.isLoaderVisibleAtEnd = demand.isLoaderVisibleAtEnd
    fresh.isLoaderVisibleAtStart = demand.isLoaderVisibleAtStart
    fresh.isStartLoaderUsedUp = demand.isStartLoaderUsedUp
    demand = fresh
  }

  /// Demand moves to where the same item is now; demand at or beyond the new end stays with the new last item; else it goes.
  private mutating func moveDemand(_ carried: Refresh.Carried) {
    guard !list.isEmpty else { return }
    if let id = carried.endID, let position = list.items.position(of: id) {
      demand.end = position
    } else if let position = carried.endPosition, position >= list.items.last {
      demand.end = list.items.last
    }
    if let id = carried.startID, let position = list.items.position(of: id) { demand.start = position }
    // The front end is where its scrolled item is; else where what it showed is now.
    let shown = carried.visibleIDs.compactMap { list.items.position(of: $0) }
    if let low = shown.min(), let high = shown.max() { demand.noteVisible(low...high, isSaid: false) }
    if let place = scrolledPosition, demand.visible?.contains(place) != true {
      demand.noteVisible(place...place, isSaid: false)
    }
  }
}
