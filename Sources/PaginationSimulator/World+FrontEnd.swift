import PaginationCore

// What the front end does: appearances, with the decision that each must be answered with.
extension World {
  /// Who asks, as far as decisions differ.
  private enum Asker {
    case item
    case loader
    case geometry
  }

  private var isAnythingLoading: Bool { lanes.contains { $0 != nil } }

  private var nothingLoaded: Decision { isAnythingLoading ? .loading : .empty }

  private func expected(_ edge: Edge, _ asker: Asker, isInZone: Bool) -> [Decision] {
    switch (settings.trigger, asker) {
    case (.item, .item), (.loader, .loader), (.distance, .geometry): break
    default: return [.idle]
    }
    if !settings.canLoadMore { return [.disabled] }
    if !isInZone { return [.idle] }
    if lane(.refresh) != nil { return [.refreshing] }
    if lane(at: edge) != nil { return [.loading] }
    if !hasMore(at: edge) { return [.ended] }
    let state = edges[DemandMirror.index(edge)]
    if state.latch != nil { return settings.rearmOnAppear ? [.latched, .started] : [.latched] }
    if state.isPaused || state.isUnseen && asker != .loader { return [.paused] }
    return [isDraining ? .idle : .started]
  }

  /// A load that runs is wanted by whatever asks for it in its zone.
  private mutating func noteWant(_ edge: Edge, _ decision: Decision, _ asker: Asker) {
    guard decision == .loading, asker != .loader, !front.isEmpty else { return }
    lanes[LaneName(edge).rawValue]?.isByDemand = true
  }

  private func check(_ edge: Edge, _ decision: Decision, _ expected: [Decision]) throws {
    try require(expected.contains(decision), "decisions", "\(edge) is \(decision), expected \(expected)")
    if decision == .started {
      try require(batch.began.contains(LaneName(edge)), "decisions", "\(edge) is started, and nothing began")
    } else if settings.trigger != .loader {
      try require(!batch.began.contains(LaneName(edge)), "decisions", "\(edge) is \(decision), and a load began")
    }
  }

  private func isInZone(_ position: Int, of edge: Edge) -> Bool {
    demand.isInZone(position, of: edge, first: front.first, last: front.last)
  }

  private func isGeometryInZone(_ edge: Edge) -> Bool { demand.isNear(edge) && demand.isGateOpen(edge, now: now) }

  // MARK: Items

  mutating func appear(_ position: Int, byID: Bool = false, generation: Int? = nil) throws {
    let generation = generation ?? (position % 3 == 0 ? nil : front.generation)
    let item = front.item(at: position)
    var end = [Decision.unknown]
    var start = [Decision.unknown]
    if let generation, generation < front.generation {
      end = [.stale]
      start = [.stale]
    } else if front.isEmpty {
      end = [nothingLoaded]
      start = end
    } else if item != nil && generation ?? 0 <= front.generation {
      end = expected(.end, .item, isInZone: isInZone(position, of: .end))
      start = expected(.start, .item, isInZone: isInZone(position, of: .start))
    }
    let isSeen = end != [.stale] && end != [.unknown] && !front.isEmpty
    if isSeen { demand.sees(position) }
    var appeared = PaginationSession.Appeared.position(position)
    if byID, let item, scenario.source.isDeduped(settings) { appeared = .id(source.id(of: item)) }
    let (appearance, commands) = session.itemAppeared(appeared, generation: generation, now: now)
    noteWant(.end, appearance.decision, .item)
    noteWant(.start, appearance.previous, .item)
    note("  item \(position) -> \(appearance.decision) \(appearance.previous)")
    try perform(commands, cause: .items)
    try check(.end, appearance.decision, end)
    try check(.start, appearance.previous, start)
    try require(appearance.position == (isSeen ? position : nil), "decisions", "position \(appearance)")
  }

  mutating func appearWrongly(_ drawn: Int) throws {
    switch drawn % 5 {
    case 0: try appear(front.last + 1 + drawn % 7)
    case 1: try appear(front.first - 1 - drawn % 7)
    case 2: try appear(front.last, generation: front.generation - 1)
    case 3: try appear(front.last, generation: front.generation + 1)
    default:
      let (appearance, commands) = session.itemAppeared(.id(Universe.unknown), generation: nil, now: now)
      try perform(commands, cause: .items)
      let expected = front.isEmpty ? nothingLoaded : .unknown
      try require(appearance.decision == expected && commands.isEmpty, "decisions", "unknown id: \(appearance)")
    }
  }

  mutating func show(_ low: Int, _ high: Int) throws {
    let first = max(low, front.first)
    let last = min(high, front.last)
    var end = [Decision.unknown]
    var start = [Decision.unknown]
    if front.isEmpty {
      end = [nothingLoaded]
      start = end
    } else if first <= last {
      end = expected(.end, .item, isInZone: isInZone(last, of: .end))
      start = expected(.start, .item, isInZone: isInZone(first, of: .start))
      demand.shows(first...last)
    }
    let (appearance, commands) = session.visibleRangeChanged(first: low, last: high, generation: nil, now: now)
    noteWant(.end, appearance.decision, .item)
    noteWant(.start, appearance.previous, .item)
    note("  range \(low) to \(high) -> \(appearance.decision) \(appearance.previous)")
    try perform(commands, cause: .items)
    try check(.end, appearance.decision, end)
    try check(.start, appearance.previous, start)
  }

  /// Sees item after item to the end of the list, or until it stops for a reason.
  mutating func scrollThrough() throws {
    guard settings.trigger == .item, settings.canLoadMore, !isDraining else { return }
    for _ in 0..<150 {
      if front.isEmpty || !session.hasMore || edges[0].latch != nil || session.isPaused { return }
      let last = front.last
      // A front end that has said a range goes on with ranges: what it says last is what is visible.
      if demand.isRangeSaid { try show(last, last) } else { try appear(last) }
      try settle()
      let isDone = front.last > last || !session.hasMore || edges[0].latch != nil || session.isPaused
      try require(isDone, "stranded", "seeing the last item brought nothing")
    }
  }

  // MARK: Loaders and geometry

  private func expectedFirstLoad() -> [Decision] {
    if isAnythingLoading { return [.loading] }
    if edges[0].latch != nil { return settings.rearmOnAppear ? [.empty, .started] : [.empty] }
    if !session.hasMore || edges[0].isPaused || isDraining { return [.empty] }
    return [.started]
  }

  mutating func loaderAppears(_ edge: Edge) throws {
    let index = DemandMirror.index(edge)
    let expected = front.isEmpty ? expectedFirstLoad() : expected(edge, .loader, isInZone: true)
    if settings.trigger == .loader {
      demand.isLoaderVisible[index] = true
      if edge == .start { demand.isStartLoaderUsedUp = false }
    }
    demand.unseenPages = 0
    if !front.isEmpty && !demand.isRangeSaid {
      let position = edge == .end ? front.last : front.first
      demand.visible = position...position
    }
    let (decision, commands) = session.loaderAppeared(at: edge, now: now)
    note("  loader at the \(edge) -> \(decision)")
    let wasEmpty = front.isEmpty
    try perform(commands, cause: .loader(edge))
    try check(wasEmpty ? .end : edge, decision, expected)
  }

  mutating func loaderDisappears(_ edge: Edge) throws {
    demand.isLoaderVisible[DemandMirror.index(edge)] = false
    let stays = lane(at: edge).map { isWanted($0, at: edge) } ?? false
    let (decision, commands) = session.loaderDisappeared(at: edge)
    note("  loader leaves the \(edge) -> \(decision)")
    try perform(commands, cause: .loader(edge))
    try require((lane(at: edge) != nil) == stays, "cancel", "without its loader the load at the \(edge) went wrong")
    let expected = front.isEmpty ? nothingLoaded : .idle
    try require(decision == expected, "decisions", "a loader that leaves is \(decision), expected \(expected)")
  }

  private func isWanted(_ lane: Lane, at edge: Edge) -> Bool {
    !lane.waits.isEmpty || lane.isPinned || lane.isByDemand || lane.isFirst
      || demand.isLoaderVisible[DemandMirror.index(edge)]
  }

  mutating func scroll(share: Int, content kind: Int) throws {
    let viewport = 50.0
    var content = Double(front.count) * 10
    if kind == 0, let geometry = demand.geometry { content = geometry.content }
    if kind == 1 { content += 7 }
    let offset = max(0, (content - viewport) * Double(share) / 100)
    demand.geometry = DemandMirror.Geometry(offset: offset, viewport: viewport, content: content)
    demand.isGeometryFresh = [true, true]
    demand.renewals = 0
    var end: [Decision]
    var start: [Decision]
    if front.isEmpty {
      end = expectedFirstLoad()
      start = end.map { $0 == .started ? .loading : $0 }
    } else {
      demand.unseenPages = 0
      end = expected(.end, .geometry, isInZone: isGeometryInZone(.end))
      start = expected(.start, .geometry, isInZone: isGeometryInZone(.start))
    }
    let (appearance, commands) = session.scrolled(offset: offset, viewport: viewport, content: content, now: now)
    noteWant(.end, appearance.decision, .geometry)
    noteWant(.start, appearance.previous, .geometry)
    note("  scrolled to \(offset) of \(content) -> \(appearance.decision) \(appearance.previous)")
    try perform(commands, cause: .scrolled)
    try check(.end, appearance.decision, end)
    try require(start.contains(appearance.previous), "decisions", "start is \(appearance.previous), expected \(start)")
  }

  // MARK: Cancelling

  mutating func cancel(_ drawn: Int) throws {
    let waiting = lanes.enumerated().flatMap { index, lane in (lane?.waits ?? []).map { (index, $0.waiter) } }
    guard !waiting.isEmpty else { return }
    let (index, waiter) = waiting[drawn % waiting.count]
    lanes[index]?.waits.removeAll { $0.waiter == waiter }
    var stays = false
    if let lane = lanes[index] {
      let isRefresh = index == LaneName.refresh.rawValue
      stays = isRefresh ? !lane.waits.isEmpty || lane.isPinned : isWanted(lane, at: index == 0 ? .end : .start)
    }
    note("  cancel \(waiter)")
    let commands = session.waitCancelled(Waiter(waiter))
    try perform(commands, cause: .cancel(waiter: waiter, isWaiting: true))
    try require((lanes[index] != nil) == stays, "cancel", "after the cancel of \(waiter) its load went wrong")
  }
}
