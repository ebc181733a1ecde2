// Loads from their beginning to their end, at either edge.
extension PaginationSession {
  /// The source answered a fetch with a page.
  ///
  /// An answer that nobody waits for any more is ignored.
  public mutating func pageArrived(ticket: Int, _ arrival: PageArrival, now: Milliseconds, random: Double) -> [Command]
  {
    if let load = refreshing?.load, load.ticket == ticket, load.step == .fetching {
      stopTimer(of: load)
      refreshPageArrived(arrival, now: now)
      return takeCommands()
    }
    for edge in [Edge.end, .start] {
      guard let load = direction(at: edge).load, load.ticket == ticket, load.step == .fetching else { continue }
      stopTimer(of: load)
      if list.count + arrival.ids.count > ItemIndex.maxItems {
        let failure = LoadFailure(reason: .tooManyItems(limit: ItemIndex.maxItems), isRetryable: false)
        failed(load, failure, at: edge, now: now, random: random)
      } else {
        commit(arrival, of: load, at: edge, now: now)
      }
    }
    return takeCommands()
  }

  /// The source answered a fetch with an error.
  public mutating func fetchFailed(
    ticket: Int, _ failure: LoadFailure, now: Milliseconds, random: Double
  ) -> [Command] {
    tryFailed(ticket: ticket, failure, now: now, random: random)
    return takeCommands()
  }

  /// A timer that a command had set has run out.
  public mutating func timerFired(_ timer: Timer, now: Milliseconds, random: Double) -> [Command] {
    switch timer {
    case .timeout(let ticket):
      let reason = LoadFailure.Reason.timeout(milliseconds: settings.timeoutMs)
      tryFailed(ticket: ticket, LoadFailure(reason: reason, isRetryable: true), now: now, random: random)
    case .retry(let ticket):
      if atEnd.load?.ticket == ticket { retryNow(at: .end) }
      if atStart.load?.ticket == ticket { retryNow(at: .start) }
      if refreshing?.load.ticket == ticket { retryRefreshNow() }
    case .heightGate(let edge):
      heightGateOpened(at: edge, now: now)
    }
    return takeCommands()
  }

  // MARK: Beginning

  /// Starts a load at an edge that is not loading and has more.
  mutating func begin(
    at edge: Edge, waiter: Waiter? = nil, isPinned: Bool = false, byDemand: Bool = false, asFirst: Bool = false
  ) {
    let direction = direction(at: edge)
    guard direction.load == nil, let place = direction.dropped.last ?? direction.next else { return }
    let kind: LoadKind = edge == .start ? .previous : list.isEmpty ? .initial : .more
    var load = Load(
      kind: kind, generation: generation, place: place, reopens: !direction.dropped.isEmpty, ticket: nextTicket(),
      instead: direction.state)
    load.isPinned = isPinned
    load.isWantedByDemand = byDemand
    load.isWantedAsFirst = asFirst
    if let waiter { load.waits.append(Load.Wait(waiter: waiter, joined: false)) }
    if kind == .initial { refreshFailure = nil }
    setState(.loading(load), at: edge)
    emit(.loadingBegan(kind, generation: generation))
    startTry(load)
  }

  func fetch(_ load: Load) -> Fetch {
    Fetch(
      ticket: load.ticket, kind: load.kind, generation: load.generation, place: load.place, limit: settings.pageSize,
      attempt: load.attempt)
  }

  mutating func startTry(_ load: Load) {
    if settings.timeoutMs > 0 { emit(.setTimer(load.timer, afterMs: settings.timeoutMs)) }
    emit(.fetch(fetch(load)))
  }

  /// Ends what a load does outside: its call or its timer.
  mutating func stop(_ load: Load) {
    stopTimer(of: load)
    if load.step == .fetching { emit(.cancelFetch(ticket: load.ticket)) }
  }

  /// Goes on with the next page, in the same load.
  mutating func goOn(_ load: Load, to place: PagePlace) -> Load {
    var load = load
    load.place = place
    load.attempt = 1
    load.ticket = nextTicket()
    return load
  }

  private mutating func stopTimer(of load: Load) {
    if load.step == .fetching && settings.timeoutMs <= 0 { return }
    emit(.cancelTimer(load.timer))
  }

  // MARK: Failing and retrying

  private mutating func tryFailed(ticket: Int, _ failure: LoadFailure, now: Milliseconds, random: Double) {
    if let load = refreshing?.load, load.ticket == ticket, load.step == .fetching {
      endTry(load, failure)
      refreshTryFailed(failure, now: now, random: random)
      return
    }
    for edge in [Edge.end, .start] {
      guard let load = direction(at: edge).load, load.ticket == ticket, load.step == .fetching else { continue }
      endTry(load, failure)
      failed(load, failure, at: edge, now: now, random: random)
    }
  }

  private mutating func endTry(_ load: Load, _ failure: LoadFailure) {
    stopTimer(of: load)
    if case .timeout = failure.reason { emit(.cancelFetch(ticket: load.ticket)) }
  }

  /// Milliseconds until the next try, nil where there is to be none.
  func retryDelay(after attempt: Int, _ failure: LoadFailure, random: Double) -> Int? {
    guard failure.isRetryable, attempt <= settings.retry.retries else { return nil }
    if let asked = failure.retryAfterMs { return asked <= settings.retry.maxDelayMs ? max(0, asked) : nil }
    return settings.retry.delay(beforeRetry: attempt, random: random)
  }

  private mutating func failed(
    _ load: Load, _ failure: LoadFailure, at edge: Edge, now: Milliseconds, random: Double
  ) {
    var load = load
    let delay = retryDelay(after: load.attempt, failure, random: random)
    if let delay {
      load.step = .waitingToRetry(until: now + delay)
      setState(.loading(load), at: edge)
      emit(.loadFailed(load.kind, generation: generation, failure, attempt: load.attempt, retryInMs: delay))
      emit(.setTimer(load.timer, afterMs: delay))
      return
    }
    if isResumePending && load.kind == .initial && !failure.isRetryable {
      // The source refuses the place of a resume token for good: begin where a list without one begins.
      beginWithoutToken(load)
      return
    }
    setState(.latched(.init(failure: failure, kind: load.kind, since: now)), at: edge)
    demand.forgetFire(at: edge)
    emit(.loadFailed(load.kind, generation: generation, failure, attempt: load.attempt, retryInMs: nil))
    emit(.loadingEnded(load.kind, generation: generation, result: .failed, facts))
    for wait in load.waits { emit(.fail(wait.waiter, failure)) }
  }

  /// The place of a resume token is no more: the first load goes on where a list without one begins.
  mutating func beginWithoutToken(_ load: Load) {
    giveUpResuming()
    let place = PagePlace(cursor: firstCursor)
    resetDirections(next: place)
    let load = goOn(load, to: place)
    setState(.loading(load), at: .end)
    startTry(load)
  }

  mutating func retryNow(at edge: Edge) {
    guard var load = direction(at: edge).load, case .waitingToRetry = load.step else { return }
    emit(.cancelTimer(load.timer))
    load.attempt += 1
    load.ticket = nextTicket()
    load.step = .fetching
    setState(.loading(load), at: edge)
    startTry(load)
  }

  // MARK: Cancelling

  func isWanted(_ load: Load, at edge: Edge) -> Bool {
    if !load.waits.isEmpty || load.isPinned || load.isWantedByDemand || load.isWantedAsFirst { return true }
    return demand.isLoaderVisible(at: edge)
  }

  /// Cancels and rolls back the load at an edge when its last want has gone.
  ///
  /// Demand is not weighed because of it.
  mutating func cancelIfUnwanted(at edge: Edge) {
    guard let load = direction(at: edge).load, !isWanted(load, at: edge) else { return }
    rollBack(load, at: edge, result: .cancelled)
  }

  /// Ends a load as if it had never begun; whoever waited for it is told that a refresh came.
  mutating func rollBack(_ load: Load, at edge: Edge, result: LoadResult) {
    stop(load)
    setState(load.former, at: edge)
    demand.forgetFire(at: edge)
    emit(.loadingEnded(load.kind, generation: generation, result: result, facts))
    for wait in load.waits { emit(.answer(wait.waiter, answer(.superseded))) }
  }
}
