// What the front end shows, and the demand that follows from it.
extension PaginationSession {
  /// What an appearance names.
  public enum Appeared: Equatable, Sendable {
    /// A position.
    case position(Int)
    /// An id.
    case id(Fingerprint)
  }

  /// An item was seen.
  ///
  /// - Parameter generation: the list that a position belongs to, as far as the front end says.
  public mutating func itemAppeared(
    _ appeared: Appeared, generation: Int?, now: Milliseconds
  ) -> (Appearance, [Command]) {
    if let refused = refuse(generation: generation) { return (refused, []) }
    let position: Int
    switch appeared {
    case .position(let wanted):
      if wanted < list.items.first || wanted >= list.items.end { return (Appearance(.unknown, .unknown), []) }
      position = wanted
    case .id(let id):
      guard let found = list.items.position(of: id) else { return (Appearance(.unknown, .unknown), []) }
      position = found
    }
    demand.noteSeen(position)
    // The trigger itself lies further away.
    if idleDistance != nil || settings.trigger == .item {
      demand.end = max(demand.end ?? position, position)
      demand.start = min(demand.start ?? position, position)
    }
    // Nearly all appearances end here.
    if let idleDistance, position &- list.items.first > idleDistance, list.items.last &- position > idleDistance {
      demand.unseenPages = 0
      return (Appearance(.idle, .idle, position: position), [])
    }
    seen(now: now)
    let end = decide(.end, by: .item, inZone: isInZone(position, of: .end), now: now)
    let start = decide(.start, by: .item, inZone: isInZone(position, of: .start), now: now)
    return (Appearance(end, start, position: position), takeCommands())
  }

  /// The front end said which positions are on the screen.
  ///
  /// This takes the place of all earlier demand.
  public mutating func visibleRangeChanged(
    first: Int, last: Int, generation: Int?, now: Milliseconds
  ) -> (Appearance, [Command]) {
    if let refused = refuse(generation: generation) { return (refused, []) }
    let lower = max(first, list.items.first)
    let upper = min(last, list.items.last)
    if lower > upper { return (Appearance(.unknown, .unknown), []) }
    demand.noteVisible(lower...upper, isSaid: true)
    seen(now: now)
    if settings.trigger == .item {
      demand.end = upper
      demand.start = lower
    }
    let inEnd = isInZone(upper, of: .end)
    let inStart = isInZone(lower, of: .start)
    leftZone(end: !inEnd, start: !inStart)
    let end = decide(.end, by: .range, inZone: inEnd, now: now)
    let start = decide(.start, by: .range, inZone: inStart, now: now)
    return (Appearance(end, start), takeCommands())
  }

  /// The front end's loader at an edge came into view, and stays there until it is said to have left.
  public mutating func loaderAppeared(at edge: Edge, now: Milliseconds) -> (Decision, [Command]) {
    if settings.trigger == .loader {
      switch edge {
      case .end: demand.isLoaderVisibleAtEnd = true
      case .start:
        demand.isLoaderVisibleAtStart = true
        demand.isStartLoaderUsedUp = false
      }
    }
    demand.unseenPages = 0
    if !list.isEmpty { demand.noteSeen(edge == .end ? list.items.last : list.items.first) }
    if list.isEmpty {
      // Only a loader whose leaving will be told can carry the load alone.
      let isCarried = settings.trigger == .loader && edge == .end
      return (firstLoad(byDemand: !isCarried, now: now), takeCommands())
    }
    let decision = decide(edge, by: .loader, inZone: true, now: now)
    if edge == .start { seen(now: now) }
    return (decision, takeCommands())
  }

  /// The loader at an edge went out of view: a load that only it wanted is cancelled.
  public mutating func loaderDisappeared(at edge: Edge) -> (Decision, [Command]) {
    switch edge {
    case .end: demand.isLoaderVisibleAtEnd = false
    case .start: demand.isLoaderVisibleAtStart = false
    }
    leftZone(end: edge == .end, start: edge == .start)
    cancelIfUnwanted(at: edge)
    return (list.isEmpty ? nothingLoaded : .idle, takeCommands())
  }

  /// The visible area moved or the content changed.
  ///
  /// - Parameters: three lengths in one unit of the front end's; all finite.
  public mutating func scrolled(
    offset: Double, viewport: Double, content: Double, now: Milliseconds
  ) -> (Appearance, [Command]) {
    demand.noteGeometry(Demand.Geometry(offset: offset, viewport: viewport, content: content))
    if list.isEmpty {
      let decision = firstLoad(byDemand: true, now: now)
      return (Appearance(decision, decision == .started ? .loading : decision), takeCommands())
    }
    seen(now: now)
    let inEnd = isNear(.end)
    let inStart = isNear(.start)
    leftZone(end: !inEnd, start: !inStart)
    let end = decide(.end, by: .geometry, inZone: inEnd && isGateOpen(.end, now: now), now: now)
    let start = decide(.start, by: .geometry, inZone: inStart && isGateOpen(.start, now: now), now: now)
    return (Appearance(end, start), takeCommands())
  }

  // MARK: Deciding

  /// Who asks.
  private enum Asker: Equatable {
    case item
    case range
    case loader
    case geometry
  }

  private var nothingLoaded: Decision { isAnythingLoading ? .loading : .empty }

  /// Mutating only so that the session is read where it lies; otherwise all of it is copied for every appearance.
  private mutating func refuse(generation: Int?) -> Appearance? {
    if let generation, generation < self.generation { return Appearance(.stale, .stale) }
    if list.isEmpty { return Appearance(nothingLoaded, nothingLoaded) }
    if let generation, generation > self.generation { return Appearance(.unknown, .unknown) }
    return nil
  }

  /// The first of the decisions that holds, in the order that the protocol fixes; the last of them starts a load.
  private mutating func decide(_ edge: Edge, by asker: Asker, inZone: Bool, now: Milliseconds) -> Decision {
    switch (settings.trigger, asker) {
    case (.item, .item), (.item, .range), (.loader, .loader), (.distance, .geometry): break
    default: return .idle
    }
    if !settings.canLoadMore { return .disabled }
    if !inZone { return .idle }
    if isRefreshing { return .refreshing }
    let direction = direction(at: edge)
    switch direction.state {
    case .loading(var load):
      if asker != .loader && !load.isWantedByDemand {
        load.isWantedByDemand = true
        setState(.loading(load), at: edge)
      }
      return .loading
    case .latched(let latch):
      guard direction.hasMore, isRearmed(latch, by: asker, now: now), !isDraining else {
        return direction.hasMore ? .latched : .ended
      }
    case .paused(.noProgress):
      return direction.hasMore ? .paused : .ended
    case .paused(.unseen):
      if asker != .loader { return direction.hasMore ? .paused : .ended }
      if !direction.hasMore { return .ended }
    case .ready:
      if !direction.hasMore { return .ended }
    }
    if isDraining { return .idle }
    if asker == .geometry { noteFireBegan(at: edge, now: now) }
    begin(at: edge, byDemand: asker != .loader)
    return .started
  }

  private func isRearmed(_ latch: LoadDirection.Latch, by asker: Asker, now: Milliseconds) -> Bool {
    guard settings.rearmOnAppear, !latch.failure.repeatsItems else { return false }
    if asker == .item { return now - latch.since >= settings.retry.initialDelayMs }
    return latch.hasLeftZone
  }

  /// The first load of a session that has loaded nothing.
  private mutating func firstLoad(byDemand: Bool, now: Milliseconds) -> Decision {
    if isAnythingLoading { return .loading }
    switch atEnd.state {
    case .ready, .loading: break
    case .latched(let latch): if !isRearmed(latch, by: .loader, now: now) { return .empty }
    case .paused: return .empty
    }
    guard atEnd.hasMore, !isDraining else { return .empty }
    begin(at: .end, byDemand: byDemand)
    return .started
  }

  private mutating func leftZone(end: Bool, start: Bool) {
    if end, case .latched(var latch) = atEnd.state, !latch.hasLeftZone {
      latch.hasLeftZone = true
      atEnd.state = .latched(latch)
    }
    if start, case .latched(var latch) = atStart.state, !latch.hasLeftZone {
      latch.hasLeftZone = true
      atStart.state = .latched(latch)
    }
  }

  /// A new word about what is visible: a loader that still is may carry on.
  private mutating func seen(now: Milliseconds) {
    demand.unseenPages = 0
    // Not only where the loader is paused: a load that was ended in favour of a refresh has counted its pages too.
    if demand.isLoaderVisibleAtEnd { weigh(.end, now: now) }
  }

  // MARK: Weighing

  /// Whether so few items lie between a position and an edge that more are wanted there.
  @inline(__always)
  func isInZone(_ position: Int, of edge: Edge) -> Bool {
    switch edge {
    case .start: position &- list.items.first <= settings.prefetchThreshold
    case .end: list.items.last &- position <= settings.prefetchThreshold
    }
  }

  /// Starts what the remembered demand asks for; called after everything that may have changed the answer.
  mutating func weigh(_ edge: Edge, now: Milliseconds) {
    if isDraining || isRefreshing { return }
    let direction = direction(at: edge)
    switch direction.state {
    case .loading, .latched, .paused(.noProgress): return
    // The pause of an unseen loader ends as soon as it may go on; until then the front end sees it as one.
    case .ready, .paused(.unseen): if !direction.hasMore { return }
    }
    // An empty list has no zones; its first load goes on by itself.
    if list.isEmpty { return }
    guard settings.canLoadMore, demandHolds(edge, now: now) else { return }
    if case .distance = settings.trigger { noteFireBegan(at: edge, now: now) }
    begin(at: edge, byDemand: settings.trigger != .loader)
  }

  private func demandHolds(_ edge: Edge, now: Milliseconds) -> Bool {
    switch settings.trigger {
    case .item:
      switch edge {
      case .end:
        return demand.end.map { isInZone($0, of: .end) } ?? false
      case .start:
        return demand.start.map { isInZone($0, of: .start) } ?? false
      }
    case .loader:
      switch edge {
      case .end: return demand.isLoaderVisibleAtEnd && demand.unseenPages < settings.maxUnseenPages
      case .start: return demand.isLoaderVisibleAtStart && !demand.isStartLoaderUsedUp
      }
    case .distance:
      return demand.isGeometryFresh(at: edge) && isNear(edge) && isGateOpen(edge, now: now)
    }
  }
}
