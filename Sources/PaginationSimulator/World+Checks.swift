import PaginationCore

// What must hold after every event.
extension World {
  /// Facts that an event carries: true at the moment when they are read.
  mutating func check(_ facts: Facts) throws {
    try require(facts.count == front.count, "facts", "told \(facts.count) items, there are \(front.count)")
    let isItems = facts.phase == .items
    try require(isItems == !front.isEmpty, "facts", "\(facts.phase) with \(front.count) items")
    self.facts = facts
  }

  func checkState() throws {
    try checkList()
    try checkFacts()
    try checkLoads()
    try checkDemand()
    try checkWindow()
  }

  private func checkList() throws {
    try require(session.generation == front.generation, "generations", "session says \(session.generation)")
    try require(session.count == front.count, "items", "session has \(session.count), told were \(front.count)")
    try require(session.first == (front.isEmpty ? nil : front.first), "positions", "first \(session.first ?? 0)")
    try require(session.last == (front.isEmpty ? nil : front.last), "positions", "last \(session.last ?? 0)")
    try require(session.pageCount == front.pages.count, "items", "\(session.pageCount) pages of \(front.pages.count)")
    guard !front.isEmpty else { return }
    let middle = front.first + Int(Dice.hash(scenario.seed, commandCount) % UInt64(front.count))
    for position in [front.first, front.last, middle] {
      guard let item = front.item(at: position) else { continue }
      let id = source.id(of: item)
      try require(session.id(at: position) == id, "positions", "\(position) is another item than \(item)")
      guard scenario.source.isDeduped(settings) else { continue }
      try require(session.position(of: id) == position, "positions", "\(item) is not found at \(position)")
    }
    try require(session.id(at: front.last + 1) == nil, "positions", "there is an id behind the last")
    if isClean, let last = front.items.last {
      let next = Universe.id(of: Item(family: last.family, key: last.key + 1))
      try require(session.position(of: next) == nil, "positions", "an item is found that is not loaded")
    }
  }

  private func checkFacts() throws {
    if let facts {
      let isSame = facts.hasMore == session.hasMore && facts.hasPrevious == session.hasPrevious
      try require(isSame, "facts", "last told \(facts), now \(session.facts)")
    }
    let isPaused = edges[0].isPaused || edges[0].isUnseen
    try require(session.isPaused == isPaused, "facts", "paused is \(session.isPaused), expected \(isPaused)")
    let phase: Phase
    if !front.isEmpty {
      phase = .items
    } else if lanes.contains(where: { $0 != nil }) {
      phase = !session.hasMore || isPaused ? .empty : .loadingFirst
    } else if edges[0].latch != nil {
      phase = .failedFirst
    } else if !session.hasMore || isPaused {
      phase = .empty
    } else {
      phase = refreshFailure == nil ? .idle : .failedFirst
    }
    try require(session.phase == phase, "facts", "phase is \(session.phase), expected \(phase)")
    let latched = session.failure(of: .more) ?? session.failure(of: .initial)
    try require(latched == edges[0].latch, "latch", "the end says \(String(describing: latched))")
    try require(session.failure(of: .previous) == edges[1].latch, "latch", "the start says another failure")
    try require(session.failure(of: .refresh) == refreshFailure, "latch", "the refresh says another failure")
  }

  private func checkLoads() throws {
    for kind in [LoadKind.initial, .more, .previous, .refresh] {
      let runs = lane(LaneName(kind))?.kind == kind
      try require(session.isLoading(kind) == runs, "loads", "\(kind) runs: \(session.isLoading(kind)), told: \(runs)")
    }
    try require(session.isBusy == lanes.contains { $0 != nil }, "loads", "busy is \(session.isBusy)")
    try require(filed.count <= 1, "sources", "\(filed.count) sources wait for their refresh")
    var retries = 0
    var soonest: Int?
    for (timer, due) in timers {
      switch timer {
      case .timeout(let ticket):
        try require(pending.contains { $0.fetch.ticket == ticket }, "timers", "\(timer) of no call")
      case .retry:
        retries += 1
        soonest = min(soonest ?? .max, max(0, due - now))
      case .heightGate(let edge):
        try require(demand.gates[DemandMirror.index(edge)] != nil, "timers", "\(timer) without a gate")
      }
    }
    let running = lanes.count { $0 != nil }
    let told = "\(running) loads, \(pending.count) calls, \(retries) retries"
    try require(running == pending.count + retries, "loads", told)
    try require(session.pendingRetryInMs(now: now) == soonest, "retries", "pending retry in another time")
    guard settings.timeoutMs > 0 else { return }
    for call in pending {
      try require(timers[.timeout(ticket: call.fetch.ticket)] != nil, "timers", "no time-out for \(call.fetch)")
    }
  }

  private func checkDemand() throws {
    if isDraining || lane(.refresh) != nil { return }
    if front.isEmpty {
      guard case .answer(let name, .some) = batch.cause, name != .start, lane(.end) == nil, edges[0].latch == nil else {
        return
      }
      try require(!session.hasMore || session.isPaused, "stranded", "the first load does not go on")
      return
    }
    for edge in [Edge.end, .start] {
      let state = edges[DemandMirror.index(edge)]
      guard lane(at: edge) == nil, hasMore(at: edge), state.latch == nil, !state.isPaused, !state.isForgiven else {
        continue
      }
      // A gate whose timer is due at this very moment opens with it.
      if let due = timers[.heightGate(edge)], due <= now { continue }
      let holds = demand.holds(edge, first: front.first, last: front.last, now: now)
      try require(!holds, "stranded", "nothing loads at the \(edge), and \(demand) asks for it")
    }
  }

  private func checkWindow() throws {
    guard let maxItems = settings.maxItems, front.count > maxItems, front.pages.count > 1, batch.pageLane != nil,
      let visible = demand.visible ?? batch.pageRange, let first = front.pages.first, let last = front.pages.last
    else { return }
    let margin = settings.prefetchThreshold + 1
    let isStartFree = first.end <= visible.lowerBound - margin && mayDrop(.start)
    let isEndFree = last.start > visible.upperBound + margin && mayDrop(.end)
    try require(!isStartFree && !isEndFree, "window", "\(front.count) items, \(maxItems) allowed, visible \(visible)")
  }

  private func mayDrop(_ edge: Edge) -> Bool {
    if batch.sparedEdge == edge || demand.isLoaderVisible[DemandMirror.index(edge)] { return false }
    guard let lane = lane(at: edge) else { return true }
    return lane.waits.isEmpty && !lane.isPinned
  }
}
