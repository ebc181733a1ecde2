// What the front end asks for, apart from appearances and refresh.
extension PaginationSession {
  /// The session was opened; its state has been told.
  public mutating func opened(now: Milliseconds) -> [Command] {
    if settings.autoload && !isDraining { begin(at: .end, asFirst: true) }
    return takeCommands()
  }

  /// The front end asked for the next page.
  ///
  /// - Parameter waiter: who waits for it; nil for a notification.
  public mutating func loadMoreRequested(waiter: Waiter?, now: Milliseconds) -> [Command] {
    load(at: .end, waiter: waiter, now: now)
    return takeCommands()
  }

  /// The front end asked for the page before the first.
  public mutating func loadPreviousRequested(waiter: Waiter?, now: Milliseconds) -> [Command] {
    load(at: .start, waiter: waiter, now: now)
    return takeCommands()
  }

  /// A request that waited is not waited for any more.
  public mutating func waitCancelled(_ waiter: Waiter) -> [Command] {
    for edge in [Edge.end, .start] {
      guard var load = direction(at: edge).load, let index = load.waits.firstIndex(where: { $0.waiter == waiter })
      else { continue }
      load.waits.remove(at: index)
      setState(.loading(load), at: edge)
      cancelIfUnwanted(at: edge)
      emit(.cancelled(waiter))
      return takeCommands()
    }
    if let index = refreshing?.load.waits.firstIndex(where: { $0.waiter == waiter }) {
      refreshing?.load.waits.remove(at: index)
      if let load = refreshing?.load, load.waits.isEmpty, !load.isPinned { abandonRefresh() }
      emit(.cancelled(waiter))
    }
    return takeCommands()
  }

  /// The front end said which item it shows; the result is its position, nil where it is not loaded.
  public mutating func scrolledIDSet(_ id: Fingerprint?) -> Int? {
    scrolledID = id
    return scrolledPosition
  }

  /// So many items before the loaded end have come into the source, or gone from it; the result is the offset of the
  /// next page.
  ///
  /// Every known page moves along: where in the list the change lies is not said, and pages that move together leave no
  /// gap between them.
  public mutating func offsetAdjusted(by count: Int) -> Int {
    for index in 0..<atEnd.dropped.count { atEnd.dropped[index].move(by: count) }
    for index in 0..<atStart.dropped.count { atStart.dropped[index].move(by: count) }
    list.adjustOffsets(by: count)
    atEnd.next?.move(by: count)
    atEnd.tail.move(by: count)
    atStart.next?.move(by: count)
    for edge in [Edge.end, .start] {
      guard var load = direction(at: edge).load else { continue }
      // The call that runs has its offset already; what counts is where its page ends.
      load.place.move(by: count)
      setState(.loading(load), at: edge)
    }
    return atEnd.load?.place.offset ?? atEnd.dropped.last?.offset ?? atEnd.next?.offset ?? 0
  }

  /// There will be no more requests: what runs is finished, and demand starts nothing new.
  public mutating func inputEnded() {
    isDraining = true
  }

  /// Whether somebody waits for something that is not finished.
  public var isBusy: Bool { isAnythingLoading }

  /// The session is closed: whoever waits is told, and the source's calls are cancelled.
  ///
  /// Nothing else follows.
  public mutating func closed() -> [Command] {
    for load in [atEnd.load, atStart.load, refreshing?.load] {
      guard let load else { continue }
      stop(load)
      for wait in load.waits { emit(.cancelled(wait.waiter)) }
    }
    stopGateTimers()
    demand = Demand()
    atEnd = LoadDirection()
    atStart = LoadDirection()
    refreshing = nil
    return takeCommands()
  }

  private mutating func load(at edge: Edge, waiter: Waiter?, now: Milliseconds) {
    if isRefreshing { return answerAtOnce(waiter, .superseded) }
    if !settings.canLoadMore && !(edge == .end && list.isEmpty) {
      return answerAtOnce(waiter, .disabled)
    }
    if join(at: edge, waiter: waiter) { return }
    // While nothing is loaded there is one load at a time, whichever edge it is for: the first item is at position 0.
    if list.isEmpty && join(at: edge == .end ? .start : .end, waiter: waiter) { return }
    if !(edge == .end ? hasMore : hasPrevious) { return answerAtOnce(waiter, .ended) }
    if let latch = direction(at: edge).latch, latch.failure.repeatsItems {
      if let waiter { emit(.fail(waiter, latch.failure)) }
      return
    }
    switch edge {
    case .start: atStart.emptyRun = 0
    case .end:
      atEnd.emptyRun = 0
      demand.unseenPages = 0
    }
    begin(at: edge, waiter: waiter, isPinned: waiter == nil)
  }

  /// Waits for the load that runs at an edge; false where none does.
  private mutating func join(at edge: Edge, waiter: Waiter?) -> Bool {
    guard var load = direction(at: edge).load else { return false }
    if let waiter { load.waits.append(Load.Wait(waiter: waiter, joined: true)) } else { load.isPinned = true }
    setState(.loading(load), at: edge)
    if case .waitingToRetry = load.step { retryNow(at: edge) }
    return true
  }

  private mutating func answerAtOnce(_ waiter: Waiter?, _ outcome: Outcome) {
    if let waiter { emit(.answer(waiter, answer(outcome))) }
  }
}
