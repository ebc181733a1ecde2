import PaginationCore

// Carrying out commands, as a shell does, and checking each against what came before.
extension World {
  /// Carries out what an event has led to, then checks all that must hold.
  mutating func perform(_ commands: [Command], cause: Batch.Cause) throws {
    batch = Batch(cause: cause)
    for command in commands {
      note("    " + CommandText.line(command, facts: true))
      commandCount += 1
      try carryOut(command)
    }
    try require(batch.toAnswer.isEmpty, "answers", "waiters \(batch.toAnswer.map(\.waiter)) got no answer")
    if case .request(_, .some(let waiter), .some(let told)) = cause {
      try require(batch.isAnswered, "answers", "\(waiter) was not told \(told) at once")
    }
    if case .cancel(let waiter, let isWaiting) = cause {
      try require(batch.cancelled == (isWaiting ? [waiter] : []), "answers", "cancel of \(waiter): \(batch.cancelled)")
    }
    if case .close = cause { return }
    try checkState()
  }

  private mutating func carryOut(_ command: Command) throws {
    switch command {
    case .fetch(let fetch): try begin(fetch)
    case .cancelFetch(let ticket): try cancelFetch(ticket)
    case .setTimer(let timer, let delay): try set(timer, delay)
    case .cancelTimer(let timer):
      if timers.removeValue(forKey: timer) != nil { oldTimers.append(timer) }
    case .gather(let dropping): try gather(dropping)
    case .commitSource(let generation):
      try require(lane(.refresh)?.generation == generation, "sources", "commit of \(generation) outside its refresh")
      if let mine = filed.removeValue(forKey: generation) { source = mine }
      try require(filed.keys.allSatisfy { $0 > generation }, "sources", "\(filed.keys) are left at \(generation)")
    case .discardSource(let generation): filed[generation] = nil
    case .adoptSource(let from, let to):
      if let mine = filed.removeValue(forKey: from) { filed[to] = mine }
    case .loadingBegan(let kind, let generation): try loadingBegan(kind, generation)
    case .loadingEnded(let kind, let generation, let result, let facts):
      try loadingEnded(kind, generation, result, facts)
    case .page(let event):
      if case .growth = batch.cause {
        try pageGrown(event, into: &self)
      } else {
        try event.replaces ? pageReplaced(event) : pageAdded(event)
      }
    case .pagesDropped(let edge, let from, let to, let generation, let facts):
      try pagesDropped(edge, from, to, generation)
      try check(facts)
    case .cleared(let generation, let facts):
      try cleared(generation)
      try check(facts)
    case .loadFailed(let kind, let generation, let failure, let attempt, let delay):
      try loadFailed(kind, generation, failure, attempt, delay)
    case .answer(let waiter, let answer): try answered(waiter.number, answer)
    case .fail(let waiter, let failure): try failed(waiter.number, failure)
    case .cancelled(let waiter):
      try require(!batch.cancelled.contains(waiter.number), "answers", "\(waiter.number) is cancelled twice")
      batch.cancelled.append(waiter.number)
    }
  }

  // MARK: The source's side

  private mutating func begin(_ fetch: Fetch) throws {
    let name = LaneName(fetch.kind)
    guard var lane = lane(name) else { throw Violation(rule: "fetches", detail: "\(fetch) without a load") }
    try require(fetch.ticket > lastTicket, "fetches", "ticket \(fetch.ticket) after \(lastTicket)")
    lastTicket = fetch.ticket
    try require(pending(in: name) == nil, "single flight", "\(fetch) while another call of that load runs")
    try require(lane.kind == fetch.kind && lane.generation == fetch.generation, "fetches", "\(fetch) is not of \(lane)")
    try require(fetch.limit == settings.pageSize, "fetches", "limit \(fetch.limit)")
    try require(fetch.attempt == lane.attempt, "retries", "try \(fetch.attempt), expected \(lane.attempt)")
    if name == .refresh {
      try require(lanes[0] == nil && lanes[1] == nil, "single flight", "beside another load")
    } else {
      try require(self.lane(.refresh) == nil, "single flight", "a load during a refresh")
    }
    let asked = name == .refresh ? filed[fetch.generation] ?? source : source
    if lane.firstFetch == nil {
      lane.firstFetch = (fetch.place, asked.heads)
      let isRight = name != .refresh || fetch.place == PagePlace(cursor: gathering.firstCursor)
      try require(isRight, "refresh", "begins at \(fetch.place), expected \(String(describing: gathering.firstCursor))")
    }
    lanes[name.rawValue] = lane
    pending.append(Pending(fetch: fetch, source: asked))
  }

  private mutating func cancelFetch(_ ticket: Int) throws {
    guard let index = pending.firstIndex(where: { $0.fetch.ticket == ticket }) else {
      throw Violation(rule: "fetches", detail: "call \(ticket) is cancelled and does not run")
    }
    pending.remove(at: index)
    lateTickets.append(ticket)
  }

  private mutating func set(_ timer: Timer, _ delay: Int) throws {
    try require(delay >= 0, "timers", "\(timer) in \(delay)")
    if case .timeout = timer {
      try require(delay == settings.timeoutMs && delay > 0, "timers", "time-out in \(delay)")
    }
    if case .retry = timer {
      try require(delay == batch.retryDelay, "retries", "timer in \(delay), told \(batch.retryDelay ?? -1)")
    }
    timers[timer] = now + delay
  }

  private mutating func gather(_ dropping: [Int]) throws {
    guard let arrival = batch.arrival, lane(.refresh) != nil else {
      throw Violation(rule: "refresh", detail: "gather without a page")
    }
    var list = FrontEnd(generation: 0)
    list.add(gathering.items, at: .end, place: PagePlace())
    let expected = list.duplicates(in: arrival.page.items) { settings.dedupe && source.id(of: $0).isItemID }
    try require(dropping == expected, "dedupe", "a refresh drops \(dropping), expected \(expected)")
    let kept = arrival.page.items.enumerated().filter { !dropping.contains($0.offset) }.map(\.element)
    gathering.pages.append(.init(place: arrival.place.named(arrival.page), items: kept))
    gathering.wants.append(extentWantsMore())
    gathering.duplicates += dropping.count
    gathering.total = arrival.page.total ?? gathering.total
    // The next page is a first try again.
    lanes[LaneName.refresh.rawValue]?.attempt = 1
    lanes[LaneName.refresh.rawValue]?.pages += 1
  }

  // MARK: Answers

  private mutating func answered(_ waiter: Int, _ answer: LoadAnswer) throws {
    try require(answer.count == front.count, "answers", "\(waiter) is told \(answer.count) of \(front.count) items")
    try require(answer.generation == front.generation, "answers", "\(waiter) is told another generation")
    if let facts {
      let isSame = answer.hasMore == facts.hasMore && answer.hasPrevious == facts.hasPrevious
      try require(isSame, "answers", "\(waiter) is told \(answer), the facts are \(facts)")
    }
    guard let next = batch.toAnswer.first, let ended = batch.ended[next.name] else {
      try answeredAtOnce(waiter, answer)
      return
    }
    try require(next.waiter == waiter, "answers", "\(waiter) is answered before \(next.waiter)")
    batch.toAnswer.removeFirst()
    let expected: Outcome
    switch ended.result {
    case .superseded: expected = .superseded
    case .loaded, .failed: expected = next.joined ? .coalesced : .loaded
    case .paused: expected = next.joined ? .coalesced : .paused
    case .cancelled: throw Violation(rule: "answers", detail: "\(waiter) is answered by a cancelled load")
    }
    try require(answer.outcome == expected, "answers", "\(waiter) is told \(answer.outcome), expected \(expected)")
    let numbers = ended.result == .superseded ? (0, 0) : (ended.lane.added, ended.lane.duplicates)
    try require((answer.added, answer.duplicates) == numbers, "answers", "\(waiter) is told \(answer), not \(numbers)")
  }

  private mutating func failed(_ waiter: Int, _ failure: LoadFailure) throws {
    guard let next = batch.toAnswer.first, let ended = batch.ended[next.name] else {
      return try told(waiter, .failure(failure))
    }
    try require(next.waiter == waiter, "answers", "\(waiter) is failed before \(next.waiter)")
    batch.toAnswer.removeFirst()
    try require(ended.result == .failed, "answers", "\(waiter) fails with a load that was \(ended.result)")
    try require(ended.lane.failure == failure, "answers", "\(waiter) is told another failure")
  }

  private mutating func answeredAtOnce(_ waiter: Int, _ answer: LoadAnswer) throws {
    try require(answer.added == 0 && answer.duplicates == 0, "answers", "\(waiter) is told numbers of no load")
    try told(waiter, .outcome(answer.outcome))
  }

  private mutating func told(_ waiter: Int, _ what: Batch.Told) throws {
    let expected: Batch.Told?
    switch batch.cause {
    case .request(_, waiter, let told): expected = told
    case .refresh(waiter): expected = settings.canRefresh ? nil : .outcome(.disabled)
    default: expected = nil
    }
    try require(expected == what, "answers", "\(waiter) is told \(what) out of turn")
    try require(!batch.isAnswered, "answers", "\(waiter) is answered twice")
    batch.isAnswered = true
  }
}
