import PaginationCore

// What the front end asks for: pages, refreshes, and a new start.
extension World {
  mutating func load(_ edge: Edge, isAnswered: Bool) throws {
    var waiter: Int?
    if isAnswered {
      lastWaiter += 1
      waiter = lastWaiter
    }
    var atOnce: AtOnce = .nothing
    let joined = laneToJoin(edge)
    if lane(.refresh) != nil {
      atOnce = .told(.outcome(.superseded))
    } else if !settings.canLoadMore && !(edge == .end && front.isEmpty) {
      atOnce = .told(.outcome(.disabled))
    } else if let joined {
      let index = joined.rawValue
      if let waiter { lanes[index]?.waits.append((waiter, true)) } else { lanes[index]?.isPinned = true }
      atOnce = .joined(joined)
    } else if !hasMore(at: edge) {
      atOnce = .told(.outcome(.ended))
    } else if let latch = edges[DemandMirror.index(edge)].latch, latch.repeatsItems {
      atOnce = .told(.failure(latch))
    }
    let wanted = waiter.map { Waiter($0) }
    note("  \(edge == .end ? "loadMore" : "loadPrevious") \(waiter ?? 0)")
    let commands =
      edge == .end
      ? session.loadMoreRequested(waiter: wanted, now: now) : session.loadPreviousRequested(waiter: wanted, now: now)
    let told: Batch.Told?
    if case .told(let what) = atOnce { told = what } else { told = nil }
    try perform(commands, cause: .request(edge, waiter: waiter, atOnce: told))
    switch atOnce {
    case .told: try require(batch.began.isEmpty, "single flight", "a request that is told at once begins a load")
    case .joined(let name): try require(pending(in: name) != nil, "retries", "a request does not try now")
    case .nothing: try require(batch.began.contains(LaneName(edge)), "requests", "a request began nothing")
    }
  }

  /// The load that a request waits for; while nothing is loaded there is one for both edges.
  private func laneToJoin(_ edge: Edge) -> LaneName? {
    let own = LaneName(edge)
    if lane(own) != nil { return own }
    let other = LaneName(edge == .end ? .start : .end)
    return front.isEmpty && lane(other) != nil ? other : nil
  }

  mutating func refresh(_ first: Int, _ second: Int) throws {
    var waiter: Int?
    if second % 3 != 0 {
      lastWaiter += 1
      waiter = lastWaiter
    }
    var request = PaginationSession.RefreshRequest()
    request.mode = [nil, nil, .keep, .clear][first % 4]
    request.extent = [nil, nil, .first, .loaded, .anchor][first / 4 % 5]
    request.hasOwnSource = first / 20 % 5 == 0
    if source.shape.paging != .offset && source.end > 0 && first / 100 % 6 == 0 {
      request.firstCursor = CursorText(key: second % min(source.end, 60), ordinal: 0, mark: .forward).text
    }
    if request.hasOwnSource {
      let family = (source.family + 1) % Universe.families
      filed[session.nextGeneration] = ModelSource(shape: scenario.source, family: family)
    }
    let earlier = lane(.refresh) == nil ? nil : gathering
    if settings.canRefresh {
      var start = firstCursor
      if let earlier, !earlier.hasCleared { start = earlier.firstCursor }
      if request.hasOwnSource { start = nil }
      gathering = Gathering()
      gathering.firstCursor = request.firstCursor ?? start
      gathering.extent = request.extent ?? settings.refreshExtent
      gathering.formerCount = max(front.count, earlier?.formerCount ?? 0)
      gathering.maxPages = max(front.pages.count + settings.maxEmptyPages, earlier?.maxPages ?? 1)
      gathering.carried = earlier?.carried
    }
    note("  refresh \(waiter ?? 0) \(request)")
    let commands = session.refreshRequested(request, waiter: waiter.map { Waiter($0) }, now: now)
    try perform(commands, cause: .refresh(waiter: waiter))
    try require(batch.began.contains(.refresh) == settings.canRefresh, "refresh", "canRefresh \(settings.canRefresh)")
    let isCleared = settings.canRefresh && (request.mode ?? settings.refreshMode) == .clear
    try require(!isCleared || front.isEmpty, "refresh", "a clear leaves \(front.count) items")
  }

  mutating func setScrolledID(_ drawn: Int) throws {
    guard scenario.source.isDeduped(settings) else { return }
    let key = (front.items.first?.key ?? 0) + drawn % (front.count + 5)
    let item = Item(family: source.family, key: min(key, Universe.highest - 1))
    scrolled = item
    let position = session.scrolledIDSet(source.id(of: item))
    try require(position == front.position(of: item), "scrolled item", "\(item) is at \(position ?? -1)")
  }

  /// Ends the session and opens another, in this process or a later one, where this one was.
  mutating func restart(_ first: Int, _ second: Int) throws {
    let limit = [0, 1, 3, 100][first % 4]
    let token = session.resumePlace(limit: limit)
    let whole = session.resumePlace(limit: 10_000)
    let isReplaced = second % 2 == 0
    let kind = second / 2 % 4
    try close()
    note("  open again, replaced \(isReplaced), token \(String(describing: token)), kind \(kind)")
    var start = StartPlace(firstCursor: firstCursor)
    resume = ResumeState()
    scrolled = kind == 0 ? nil : scrolled
    edges = [EdgeState(), EdgeState()]
    if kind == 1 {
      // A token that cannot be read.
      start.isResume = true
      resume.isTold = false
    } else if kind > 1, let token, let whole {
      start = StartPlace(place: token.place, earlier: token.earlier, isResume: true, firstCursor: firstCursor)
      resume.place = token.place
      resume.isTold = false
      resume.isCut = token.earlier.count < whole.earlier.count || isTokenCutBefore
      edges[1].dropped = token.earlier.map { FrontEnd.PageKey($0) }
    }
    isTokenCutBefore = resume.isCut
    settings.start = start
    let generation = isReplaced ? session.lastAllottedGeneration + 1 : 1
    session = PaginationSession(settings: settings, generation: generation, key: Universe.fingerprintKey)
    if let scrolled { _ = session.scrolledIDSet(source.id(of: scrolled)) }
    front = FrontEnd(generation: generation)
    demand = DemandMirror(settings: settings)
    lanes = [nil, nil, nil]
    filed = [:]
    facts = nil
    refreshFailure = nil
    lastAllotted = generation
    lastTicket = 0
    lateTickets = []
    oldTimers = []
    pendingMoves = [:]
    lastTail = nil
    gathering = Gathering()
    // A cycle over a page that the token had no room for cannot be seen.
    isUnclean = resume.isCut && source.shape.cycleAt != nil
    // Earlier pages are not where they were when nobody told of inserts.
    if !scenario.tellsOfInserts && source.heads > 0 { isUnclean = true }
    let commands = session.opened(now: now)
    try perform(commands, cause: .opened)
  }
}

extension World {
  /// What must become of a request in the event that brings it.
  enum AtOnce {
    case nothing
    case joined(LaneName)
    case told(Batch.Told)
  }
}
