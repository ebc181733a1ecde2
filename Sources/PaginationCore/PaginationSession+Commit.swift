// A page becomes part of the list.
extension PaginationSession {
  /// What a page says about the pages that follow it.
  struct Continuation {
    var next: PagePlace?
    var failure: LoadFailure?
    /// Where the source goes on once it has grown.
    var tail: PagePlace?
  }

  mutating func commit(_ arrival: PageArrival, of load: Load, at edge: Edge, now: Milliseconds) {
    if isResumePending && load.kind == .initial && isPastTheEnd(arrival, of: load) { return beginWithoutToken(load) }
    var load = load
    let place = load.place.named(arrival.again)
    let insertion =
      edge == .end
      ? list.append(arrival.ids, place: place, dedupe: settings.dedupe)
      : list.prepend(arrival.ids, place: place, dedupe: settings.dedupe)
    if let total = arrival.total { self.total = total }
    load.note(added: insertion.added, duplicates: insertion.dropping.count)
    setState(.ready, at: edge)
    let failure = advance(past: load, arrival, at: edge)
    if load.kind == .initial { knowStart(from: arrival, load: load) }
    noteProgress(added: insertion.added, at: edge, now: now)
    if isResumePending {
      isResumePending = false
      resumed = true
    }

    let result = settle(load, failure: failure, at: edge, now: now)
    emit(
      .page(
        PageEvent(
          edge: edge, generation: generation, page: load.place.page - pageOrigin, start: insertion.start,
          added: insertion.added, dropping: insertion.dropping, duplicates: insertion.dropping.count, replaces: false,
          isGathered: false, total: arrival.total, scrollTo: resumed == true ? scrolledPosition : nil, resumed: resumed,
          facts: facts)))
    resumed = nil
    guard var result else {
      if let load = direction(at: edge).load { startTry(load) }
      return
    }
    let fresh = insertion.added > 0 ? insertion.start...(insertion.start + insertion.added - 1) : nil
    enforceWindow(around: fresh, sparing: load.waits.isEmpty && !load.isPinned ? nil : edge)
    // The window may have closed over this very edge, which opens again and is paused no more.
    if result == .paused && !direction(at: edge).isPaused { result = .loaded }
    if let failure {
      emit(.loadFailed(load.kind, generation: generation, failure, attempt: load.attempt, retryInMs: nil))
    }
    emit(.loadingEnded(load.kind, generation: generation, result: result, facts))
    for wait in load.waits {
      let outcome: Outcome = wait.joined ? .coalesced : result == .paused ? .paused : .loaded
      emit(.answer(wait.waiter, answer(outcome, added: load.added, duplicates: load.duplicates)))
    }
    weigh(.end, now: now)
    weigh(.start, now: now)
  }

  /// Whether the source has become so short that nothing is left where a resume token points.
  private func isPastTheEnd(_ arrival: PageArrival, of load: Load) -> Bool {
    guard arrival.ids.isEmpty, load.place != PagePlace(cursor: firstCursor) else { return false }
    var seen = atEnd.seen
    return following(load.place, arrival, field: arrival.next, seen: &seen).next == nil
  }

  /// Decides what state the edge is in once a page is committed; nil where the load goes on with the next page.
  private mutating func settle(_ load: Load, failure: LoadFailure?, at edge: Edge, now: Milliseconds) -> LoadResult? {
    if let failure {
      setState(.latched(.init(failure: failure, kind: load.kind, since: now)), at: edge)
      return .failed
    }
    let direction = direction(at: edge)
    guard direction.hasMore else { return .loaded }
    if let latched = edge == .start ? atStart.takeShelved() : atEnd.takeShelved() {
      setState(latched, at: edge)
      return .loaded
    }
    if direction.emptyRun > 0 && direction.emptyRun >= settings.maxEmptyPages {
      setState(.paused(.noProgress), at: edge)
      return .paused
    }
    if load.kind == .initial && list.isEmpty, let next = direction.next {
      setState(.loading(goOn(load, to: next)), at: edge)
      return nil
    }
    if edge == .end && settings.canLoadMore && demand.isLoaderVisibleAtEnd
      && demand.unseenPages >= settings.maxUnseenPages
    {
      setState(.paused(.unseen), at: edge)
    }
    return .loaded
  }

  /// Moves the edge on to the page that follows the one just committed.
  private mutating func advance(past load: Load, _ arrival: PageArrival, at edge: Edge) -> LoadFailure? {
    if load.reopens {
      reopened(arrival, at: edge)
      return nil
    }
    // The cursors seen are taken out meanwhile: shared, all of them would be copied to add one.
    var seen = FingerprintSet()
    let continuation: Continuation
    switch edge {
    case .start:
      swap(&seen, &atStart.seen)
      continuation = preceding(load.place, arrival, field: arrival.previous, seen: &seen)
      atStart.seen = seen
      atStart.next = continuation.next
    case .end:
      swap(&seen, &atEnd.seen)
      continuation = following(load.place, arrival, field: arrival.next, seen: &seen)
      atEnd.seen = seen
      atEnd.next = continuation.next
      atEnd.tail = Tail(continuation.tail)
    }
    return continuation.failure
  }

  /// A page that the window had dropped is back: its own cursors are known, so what it says of others is not looked at,
  /// unless nothing else is known of what lies beyond.
  private mutating func reopened(_ arrival: PageArrival, at edge: Edge) {
    switch edge {
    case .end:
      atEnd.reopened()
    case .start:
      let place = atStart.dropped.last
      atStart.reopened()
      if atStart.dropped.isEmpty, atStart.next == nil, case .value(let cursor) = arrival.previous {
        _ = atStart.seen.insert(fingerprint(of: cursor))
        atStart.next = PagePlace(
          cursor: cursor, page: (place?.page ?? 0) - 1, offset: place?.offset ?? 0, isBackward: true)
      }
    }
  }

  /// What the first page of a list says about what lies before it.
  private mutating func knowStart(from arrival: PageArrival, load: Load) {
    guard !isFirstPageKnown else { return }
    isFirstPageKnown = true
    guard atStart.dropped.isEmpty else { return }
    setStart(arrival.previous, before: load.place)
  }

  mutating func setStart(_ previous: CursorField, before place: PagePlace) {
    guard case .value(let cursor) = previous else { return }
    _ = atStart.seen.insert(fingerprint(of: cursor))
    atStart.next = PagePlace(cursor: cursor, page: place.page - 1, offset: place.offset, isBackward: true)
  }

  /// The page behind the one at `place`, by what that one said.
  func following(
    _ place: PagePlace, _ arrival: PageArrival, field: CursorField, seen: inout FingerprintSet
  ) -> Continuation {
    let received = arrival.ids.count
    var next = PagePlace(page: place.page + 1, offset: place.offset + received)
    if arrival.hasMore == false { return Continuation(tail: arrival.tail.map { next.named($0) }) }
    switch field {
    case .null:
      return Continuation()
    case .value(let cursor):
      next.cursor = cursor
      if !seen.insert(fingerprint(of: cursor)) {
        return Continuation(next: next, failure: cycle(cursor, at: place, arrival))
      }
      return Continuation(next: next)
    case .absent:
      if place.cursor != nil {
        // A source that goes by cursors has named none. To go on by offset would load the first page again.
        if arrival.hasMore != true { return Continuation() }
        let failure = LoadFailure(reason: .missingCursor, isRetryable: false, repeatsItems: received > 0)
        return Continuation(next: place, failure: failure)
      }
      if arrival.hasMore == true { return Continuation(next: next) }
      switch settings.endOn {
      case .emptyPage: return received == 0 ? Continuation() : Continuation(next: next)
      case .shortPage: return received < settings.pageSize ? Continuation() : Continuation(next: next)
      case .never: return Continuation(next: next)
      }
    }
  }

  /// The page before the one at `place`, by what that one said.
  private func preceding(
    _ place: PagePlace, _ arrival: PageArrival, field: CursorField, seen: inout FingerprintSet
  ) -> Continuation {
    guard arrival.hasMore != false, case .value(let cursor) = field else { return Continuation() }
    let next = PagePlace(
      cursor: cursor, page: place.page - 1, offset: max(0, place.offset - arrival.ids.count), isBackward: true)
    if !seen.insert(fingerprint(of: cursor)) {
      return Continuation(next: next, failure: cycle(cursor, at: place, arrival))
    }
    return Continuation(next: next)
  }

  private func cycle(_ cursor: Cursor, at place: PagePlace, _ arrival: PageArrival) -> LoadFailure {
    let waits = cursor == place.cursor && arrival.ids.isEmpty
    return LoadFailure(reason: .cursorCycle(cursor: cursor), isRetryable: false, repeatsItems: !waits)
  }

  private mutating func noteProgress(added: Int, at edge: Edge, now: Milliseconds) {
    switch edge {
    case .end:
      atEnd.emptyRun = added == 0 ? atEnd.emptyRun + 1 : 0
      if demand.isLoaderVisibleAtEnd { demand.unseenPages += 1 }
    case .start:
      atStart.emptyRun = added == 0 ? atStart.emptyRun + 1 : 0
      if added > 0 {
        demand.start = nil
        demand.isStartLoaderUsedUp = true
      }
    }
    noteFire(added: added, at: edge, now: now)
  }
}
