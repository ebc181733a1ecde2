import PaginationCore

// Loads from their beginning to their end, as they are told.
extension World {
  mutating func loadingBegan(_ kind: LoadKind, _ generation: Int) throws {
    let name = LaneName(kind)
    try require(lane(name) == nil, "single flight", "\(kind) begins while \(String(describing: lane(name))) runs")
    var lane = Lane(kind: kind, generation: generation)
    if case .cancel = batch.cause { throw Violation(rule: "cancel", detail: "a cancel begins a load of kind \(kind)") }
    if name == .refresh {
      guard case .refresh(let waiter) = batch.cause else {
        throw Violation(rule: "refresh", detail: "a refresh that nobody asked for")
      }
      try require(generation == lastAllotted + 1, "generations", "\(generation) after \(lastAllotted)")
      lastAllotted = generation
      try require(lanes.allSatisfy { $0 == nil }, "order", "a refresh begins before what it ends has ended")
      lane.waits = batch.ended[.refresh].map { $0.lane.waits.map { ($0.waiter, true) } } ?? []
      lane.isPinned = waiter == nil || batch.ended[.refresh]?.lane.isPinned == true
      if let waiter { lane.waits.append((waiter, false)) }
      refreshFailure = nil
    } else {
      try require(generation == front.generation, "generations", "load of \(generation), list of \(front.generation)")
      let isInitial = front.isEmpty && name == .end
      try require((kind == .initial) == isInitial, "kinds", "\(kind) with \(front.count) items")
      try justify(&lane, at: name == .end ? .end : .start)
      if kind == .initial { refreshFailure = nil }
    }
    lanes[name.rawValue] = lane
    batch.began.insert(name)
  }

  /// A load of a page needs a request, or demand at that very moment.
  private mutating func justify(_ lane: inout Lane, at edge: Edge) throws {
    let index = DemandMirror.index(edge)
    let state = edges[index]
    lane.former = state.former
    edges[index].begin()
    if case .request(edge, let waiter, nil) = batch.cause {
      lane.isPinned = waiter == nil
      if let waiter { lane.waits.append((waiter, false)) }
      edges[index].emptyRun = 0
      if edge == .end { demand.unseenPages = 0 }
      return
    }
    try require(!isDraining, "end of input", "demand starts a load after the end of input")
    try require(state.latch == nil || settings.rearmOnAppear, "latch", "a failed edge loads by itself")
    try require(state.latch?.repeatsItems != true, "latch", "demand asks again for a page that is there")
    try require(!state.isPaused, "progress", "a paused edge loads by itself")
    if front.isEmpty {
      switch batch.cause {
      case .opened: lane.isFirst = true
      case .scrolled: lane.isByDemand = true
      case .loader(let shown): lane.isByDemand = settings.trigger != .loader || shown == .start
      default: throw Violation(rule: "no demand", detail: "a first load that nobody asked for")
      }
      return
    }
    let holds = demand.holds(edge, first: front.first, last: front.last, now: now)
    try require(holds, "no demand", "a load at the \(edge) without demand: \(demand)")
    lane.isByDemand = settings.trigger != .loader
    if case .distance = settings.trigger, let geometry = demand.geometry {
      lane.fire = DemandMirror.Fire(content: geometry.content, at: now)
    }
  }

  mutating func loadingEnded(
    _ kind: LoadKind, _ generation: Int, _ result: LoadResult, _ facts: Facts
  ) throws {
    let name = LaneName(kind)
    guard let lane = lane(name), lane.kind == kind, lane.generation == generation else {
      throw Violation(rule: "order", detail: "\(kind) of \(generation) ends and did not run")
    }
    try require(pending(in: name) == nil, "cancel", "\(kind) ended as \(result), but its call still runs")
    lanes[name.rawValue] = nil
    batch.ended[name] = Batch.Ended(lane: lane, result: result)
    let waits = lane.waits.map { (waiter: $0.waiter, joined: $0.joined, name: name) }
    switch result {
    case .loaded, .paused:
      try require(lane.pages > 0 && lane.failure == nil, "order", "\(kind) is \(result) after \(lane.pages) pages")
      batch.toAnswer += waits
    case .failed:
      try require(lane.failure != nil, "order", "\(kind) failed without a word of why")
      batch.toAnswer += waits
    case .superseded:
      guard case .refresh = batch.cause else { throw Violation(rule: "order", detail: "superseded without a refresh") }
      if name != .refresh { batch.toAnswer += waits }
    case .cancelled:
      try require(waits.isEmpty && !lane.isPinned, "cancel", "\(kind) is cancelled, and \(waits.count) wait for it")
    }
    if name == .refresh {
      try refreshEnded(lane, result)
    } else {
      try edgeEnded(lane, result, at: name == .end ? .end : .start, facts)
    }
    try check(facts)
  }

  private mutating func edgeEnded(_ lane: Lane, _ result: LoadResult, at edge: Edge, _ facts: Facts) throws {
    let index = DemandMirror.index(edge)
    let hasMore = edge == .end ? facts.hasMore : facts.hasPrevious
    switch result {
    case .failed where batch.droppedEdges.contains(LaneName(edge)):
      // The page itself was dropped at once; the failure stands behind it.
      edges[index].shelved = lane.failure
    case .failed:
      edges[index].latch = lane.failure
    case .cancelled, .superseded:
      if lane.pages == 0 && !batch.droppedEdges.contains(LaneName(edge)) { edges[index].restore(lane.former) }
      edges[index].isForgiven = result == .cancelled
    case .loaded, .paused:
      if hasMore, edges[index].dropped.isEmpty, let latch = edges[index].shelved {
        edges[index].latch = latch
        edges[index].shelved = nil
        return
      }
      let run = edges[index].emptyRun
      let isOut = hasMore && run > 0 && run >= settings.maxEmptyPages
      try require(isOut == (result == .paused), "progress", "\(run) empty pages and \(result)")
      edges[index].isPaused = isOut
      if edge == .end && hasMore && !isOut && settings.canLoadMore && demand.isLoaderVisible[0] {
        edges[0].isUnseen = demand.unseenPages >= settings.maxUnseenPages
      }
    }
  }

  private mutating func refreshEnded(_ lane: Lane, _ result: LoadResult) throws {
    switch result {
    case .loaded, .paused:
      try require(batch.pageLane == .refresh, "order", "a refresh is \(result) and its page has not come")
      let run = gathering.emptyRun
      let isOpen = edges[0].latch == nil && !batch.droppedEdges.contains(.end)
      let isOut = run > 0 && run >= settings.maxEmptyPages && (facts?.hasMore ?? false) && isOpen
      try require(isOut == (result == .paused), "progress", "a refresh of \(run) empty pages and \(result)")
      edges[0].isPaused = isOut
    case .failed: refreshFailure = lane.failure
    case .cancelled:
      edges[0].isForgiven = true
      edges[1].isForgiven = true
    case .superseded: break
    }
  }

  mutating func loadFailed(
    _ kind: LoadKind, _ generation: Int, _ failure: LoadFailure, _ attempt: Int, _ delay: Int?
  ) throws {
    let name = LaneName(kind)
    if batch.pageLane == .refresh && name == .end {
      try require(failure.comesWithItsPage && delay == nil, "order", "\(failure) after a refresh's page")
      if batch.droppedEdges.contains(.end) { edges[0].shelved = failure } else { edges[0].latch = failure }
      return
    }
    guard var lane = lane(name), lane.kind == kind, lane.generation == generation else {
      throw Violation(rule: "order", detail: "\(kind) of \(generation) fails and does not run")
    }
    try require(lane.failure == nil, "order", "\(kind) fails after it gave up")
    if failure.comesWithItsPage {
      try require(batch.pageLane == name && delay == nil, "cycles", "\(failure) before its page")
      lane.failure = failure
    } else if let delay {
      try require(attempt == lane.attempt, "retries", "try \(attempt) failed, expected \(lane.attempt)")
      try require(delay == expectedDelay(failure, attempt), "retries", "try \(attempt) again in \(delay)")
      lane.attempt += 1
      batch.retryDelay = delay
    } else {
      try require(attempt == lane.attempt, "retries", "try \(attempt) failed, expected \(lane.attempt)")
      try require(expectedDelay(failure, attempt) == nil, "retries", "gave up at try \(attempt)")
      lane.failure = failure
    }
    lanes[name.rawValue] = lane
  }

  private func expectedDelay(_ failure: LoadFailure, _ attempt: Int) -> Int? {
    guard failure.isRetryable, attempt <= settings.retry.retries else { return nil }
    if let asked = failure.retryAfterMs { return asked <= settings.retry.maxDelayMs ? asked : nil }
    var delay = Double(settings.retry.initialDelayMs)
    for _ in 1..<attempt { delay *= settings.retry.multiplier }
    delay = min(delay, Double(settings.retry.maxDelayMs))
    return Int((delay * (1 - settings.retry.jitter + 2 * settings.retry.jitter * random)).rounded())
  }
}

extension LoadFailure {
  /// Whether it comes with a page rather than instead of one.
  var comesWithItsPage: Bool {
    switch reason {
    case .cursorCycle, .missingCursor: true
    case .source, .timeout, .tooManyItems: false
    }
  }
}
