// A source that grows while it is looked at: what is added comes by itself, without a load.
extension PaginationSession {
  /// Where to look for what a followed source has gained; nil while the list's end is not the source's, or is busy.
  ///
  /// It is known once the last page is loaded, and not while the window has dropped it, while a load or a refresh runs,
  /// after an error, where no more may be loaded, and after the end of the input.
  public var tail: PagePlace? {
    guard case .ready = atEnd.state, case .at(let place) = atEnd.tail, settings.canLoadMore else { return nil }
    return hasMore || isRefreshing || isDraining ? nil : place
  }

  /// A followed source has gained what a look at `place`, the list's tail, found: a page is committed there, as of a load,
  /// but without one.
  ///
  /// Nothing happens where the tail is no longer that of this generation at `place`. A page of no items only moves the
  /// tail. The source says where it goes on with `tail`, or with `next` where it has more already.
  public mutating func sourceGrew(
    at place: PagePlace, generation: Int, _ arrival: PageArrival, now: Milliseconds
  ) -> [Command] {
    guard generation == self.generation, tail == place else { return [] }
    if list.count + arrival.ids.count > ItemIndex.maxItems {
      let failure = LoadFailure(reason: .tooManyItems(limit: ItemIndex.maxItems), isRetryable: false)
      return followingFailed(at: place, generation: generation, failure, now: now)
    }
    let insertion = list.append(arrival.ids, place: place.named(arrival.again), dedupe: settings.dedupe)
    if let total = arrival.total { self.total = total }
    atEnd.tail = .at(following(place, arrival))
    if arrival.ids.isEmpty { return [] }
    // Geometry from before is old now; a fire's gate is for loads alone.
    if insertion.added > 0 { demand.ageGeometry() }
    emit(
      .page(
        PageEvent(
          edge: .end, generation: generation, page: place.page - pageOrigin, start: insertion.start,
          added: insertion.added, dropping: insertion.dropping, duplicates: insertion.dropping.count, replaces: false,
          isGathered: false, total: arrival.total, scrollTo: nil, resumed: nil, facts: facts)))
    let fresh = insertion.added > 0 ? insertion.start...(insertion.start + insertion.added - 1) : nil
    enforceWindow(around: fresh, sparing: nil)
    weigh(.end, now: now)
    weigh(.start, now: now)
    return takeCommands()
  }

  /// A look at the tail found that the source cannot be followed any more: the end latches until a refresh.
  public mutating func followingFailed(
    at place: PagePlace, generation: Int, _ failure: LoadFailure, now: Milliseconds
  ) -> [Command] {
    guard generation == self.generation, tail == place else { return [] }
    let kind: LoadKind = list.isEmpty ? .initial : .more
    setState(.latched(.init(failure: failure, kind: kind, since: now)), at: .end)
    emit(.loadFailed(kind, generation: generation, failure, attempt: 1, retryInMs: nil))
    return takeCommands()
  }

  /// The source has counted its items, apart from any page; the next to ask is told.
  public mutating func itemsCounted(_ total: Int, generation: Int) {
    if generation == self.generation { self.total = total }
  }

  /// The tail behind a page that was found at `place`.
  private func following(_ place: PagePlace, _ arrival: PageArrival) -> PagePlace {
    // A page of nothing is not announced, and takes no number.
    var next = arrival.ids.isEmpty ? place : PagePlace(page: place.page + 1, offset: place.offset + arrival.ids.count)
    next.cursor = place.cursor
    if case .value(let cursor) = arrival.next { next.cursor = cursor }
    return next.named(arrival.tail)
  }
}
