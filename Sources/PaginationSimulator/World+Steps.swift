import PaginationCore

// What the schedule's steps do in the state in which their turn comes.
extension World {
  mutating func perform(_ step: Step) throws {
    random = Double(step.second % 1_000) / 1_000
    // After the end of input there are no more requests: only the source and the clock go on.
    if isDraining && step.kind.isFrontEnd { return }
    let first = Int(step.first)
    let second = Int(step.second)
    switch step.kind {
    case .deliver: try deliver(index: first, outcome: outcome(second))
    case .deliverLate: try deliverLate(first)
    case .fireNextTimer:
      if let timer = nextTimer { try fire(timer) }
    case .fireStaleTimer: try fireStale(first)
    case .passTime:
      // Time passes only as far as no timer is due.
      let due = timers.values.min() ?? .max
      now = min(now + first % 3_000, max(now, due - 1))
    case .appearNearEnd: try appear(front.last - first % 3)
    case .appearNearStart: try appear(front.first + first % 3)
    case .appearAnywhere: try appear(front.first + first % max(1, front.count), byID: second % 2 == 0)
    case .fling: for position in [front.last - 5, front.last - 2, front.last] { try appear(position) }
    case .appearWrongly: try appearWrongly(first)
    case .range:
      let low = front.first + first % max(1, front.count) - second % 3
      try show(low, low + second % 12)
    case .rangeAtEnd: try show(front.last - first % 6, front.last + second % 3)
    case .rangeWrongly: try show(front.last + 1 + first % 5, front.last + 20)
    case .loaderAppears: try loaderAppears(first % 4 == 0 ? .start : .end)
    case .loaderDisappears: try loaderDisappears(first % 4 == 0 ? .start : .end)
    case .scroll: try scroll(share: first % 101, content: second % 4)
    case .scrollToEnd: try scroll(share: 100, content: second % 3)
    case .loadMore: try load(.end, isAnswered: second % 3 != 0)
    case .loadPrevious: try load(.start, isAnswered: second % 3 != 0)
    case .refresh: try refresh(first, second)
    case .cancel: try cancel(first)
    case .cancelUnknown:
      let commands = session.waitCancelled(Waiter(-1))
      try perform(commands, cause: .cancel(waiter: -1, isWaiting: false))
    case .setScrolledID: try setScrolledID(first)
    case .insertAtHead: insertAtHead(1 + first % 2)
    case .grow: if source.shape.isFollowed && source.end < 2_800 { source.grown += 1 + first % (2 * settings.pageSize) }
    case .look: try look(isLate: second % 8 == 0)
    case .restart: try restart(first, second)
    case .endInput:
      session.inputEnded()
      isDraining = true
    }
  }

  // MARK: The source and the clock

  /// What becomes of a try.
  enum TryResult {
    case page
    case fault(isRetryable: Bool, retryAfterMs: Int?)
  }

  private func outcome(_ drawn: Int) -> TryResult {
    if drawn % 100 >= scenario.faults { return .page }
    switch drawn / 100 % 5 {
    case 0: return .fault(isRetryable: false, retryAfterMs: nil)
    case 1: return .fault(isRetryable: true, retryAfterMs: [0, 50, 200, 201, 60_000][drawn / 1_000 % 5])
    default: return .fault(isRetryable: true, retryAfterMs: nil)
    }
  }

  /// Answers one of the running calls, whichever: answers come in any order.
  mutating func deliver(index: Int, outcome: TryResult) throws {
    guard !pending.isEmpty else { return }
    let call = pending.remove(at: index % pending.count)
    let ticket = call.fetch.ticket
    let name = LaneName(call.fetch.kind)
    lateTickets.append(ticket)
    let place = placeNow(call.fetch, name)
    switch outcome {
    case .page:
      let page = call.source.page(at: call.fetch.place, limit: call.fetch.limit, heads: call.source.heads)
      note("  the source answers call \(ticket): \(page)")
      let bytes = page.items.count * 10
      if name == .refresh { gathering.bytes += bytes }
      let arrival = PageArrival.made(
        ids: page.items.map { call.source.id(of: $0) }, next: page.next, previous: page.previous,
        hasMore: page.hasMore, total: page.total, byteCount: bytes, again: page.again, tail: page.tail)
      if name != .start && page.tail != nil { toldEnd = call.source.end }
      let commands = session.pageArrived(ticket: ticket, arrival, now: now, random: random)
      try perform(commands, cause: .answer(name, .init(place: place, page: page)))
    case .fault(let isRetryable, let retryAfterMs):
      if !isRetryable && resume.place != nil && call.fetch.kind == .initial {
        // The token's place is refused for good: the first page comes instead, and says so.
        resume.place = nil
        edges[1].dropped = []
        lanes[LaneName.end.rawValue]?.attempt = 1
      }
      let failure = LoadFailure(
        reason: .source(error: Array("fault".utf8)), isRetryable: isRetryable, retryAfterMs: retryAfterMs)
      let commands = session.fetchFailed(ticket: ticket, failure, now: now, random: random)
      try perform(commands, cause: .answer(name, nil))
    }
  }

  /// The place of a call, moved by what the front end has told of inserts while it ran.
  private func placeNow(_ fetch: Fetch, _ name: LaneName) -> PagePlace {
    guard name != .refresh, let told = pendingMoves[fetch.ticket] else { return fetch.place }
    var place = fetch.place
    place.offset += told
    return place
  }

  private mutating func deliverLate(_ drawn: Int) throws {
    guard !lateTickets.isEmpty else { return }
    let ticket = lateTickets[drawn % lateTickets.count]
    let arrival = PageArrival(ids: [Universe.unknown], hasMore: true)
    var commands = session.pageArrived(ticket: ticket, arrival, now: now, random: random)
    let failure = LoadFailure(reason: .source(error: []), isRetryable: true)
    commands += session.fetchFailed(ticket: ticket, failure, now: now, random: random)
    try require(commands.isEmpty, "late answers", "the answer of call \(ticket) did something: \(commands)")
    try perform([], cause: .nothing)
  }

  mutating func fire(_ timer: Timer) throws {
    guard let due = timers.removeValue(forKey: timer) else { return }
    now = max(now, due)
    oldTimers.append(timer)
    note("  timer \(timer) at \(now)")
    if case .heightGate(let edge) = timer {
      demand.gates[DemandMirror.index(edge)] = nil
      demand.renew(edge)
    }
    let commands = session.timerFired(timer, now: now, random: random)
    try perform(commands, cause: .timer)
  }

  private mutating func fireStale(_ drawn: Int) throws {
    guard !oldTimers.isEmpty else { return }
    let timer = oldTimers[drawn % oldTimers.count]
    if timers[timer] != nil { return }
    let commands = session.timerFired(timer, now: now, random: random)
    try require(commands.isEmpty, "timers", "\(timer) was over and did something: \(commands)")
  }

  /// Looks at the tail of a followed source, now or after something else has happened to the list.
  private mutating func look(isLate: Bool) throws {
    guard source.shape.isFollowed, let tail = session.tail ?? lastTail else { return }
    defer { lastTail = tail }
    let isNow = session.tail == tail && !isLate
    guard let at = tail.cursor.flatMap({ CursorText($0) }) else {
      throw Violation(rule: "follow", detail: "\(tail) names no place")
    }
    if isNow { try require(at.key == toldEnd, "follow", "the tail is \(tail), the end \(toldEnd)") }
    let page = source.growth(from: at.key, limit: settings.pageSize)
    let arrival = PageArrival.made(
      ids: page.items.map { source.id(of: $0) }, next: page.next, previous: .absent, hasMore: page.hasMore,
      total: nil, byteCount: 0, again: page.again, tail: page.tail)
    note("  a look at \(at.key): \(page)")
    if isNow { toldEnd = at.key + page.items.count }
    let generation = isLate ? front.generation - 1 : front.generation
    let commands = session.sourceGrew(at: tail, generation: generation, arrival, now: now)
    if !isNow || page.items.isEmpty { try require(commands.isEmpty, "follow", "a look for nothing did \(commands)") }
    try perform(commands, cause: .growth(isNow ? .init(place: tail, page: page) : nil))
    if isNow && !page.items.isEmpty {
      try require(batch.pageLane == .end, "follow", "\(page) is not announced")
    }
  }

  private mutating func insertAtHead(_ count: Int) {
    guard scenario.allowsInserts, source.heads + count < 150, lane(.refresh) == nil else { return }
    if !scenario.tellsOfInserts {
      // Untold inserts shift the next page back; only as long as that is onto what is loaded is its order the source's.
      guard let first = front.items.first, front.count - source.heads - count >= first.key, !resume.isElsewhere else {
        return
      }
    }
    source.heads += count
    guard scenario.tellsOfInserts else { return }
    _ = session.offsetAdjusted(by: count)
    for ticket in pending.map(\.fetch.ticket) { pendingMoves[ticket, default: 0] += count }
  }
}

extension PageArrival {
  /// All members at once.
  static func made(
    ids: [Fingerprint], next: CursorField, previous: CursorField, hasMore: Bool?, total: Int?, byteCount: Int,
    again: Cursor?, tail: Cursor?
  ) -> PageArrival {
    var arrival = PageArrival(
      ids: ids, next: next, previous: previous, hasMore: hasMore, total: total, byteCount: byteCount)
    arrival.again = again
    arrival.tail = tail
    return arrival
  }
}

extension Step.Kind {
  /// Whether it is something that a front end does.
  var isFrontEnd: Bool {
    switch self {
    case .deliver, .deliverLate, .fireNextTimer, .fireStaleTimer, .passTime, .grow, .look, .endInput: false
    default: true
    }
  }
}
