import PaginationCore

// Pages as the front end hears of them, checked against the source.
extension World {
  mutating func pageAdded(_ event: PageEvent) throws {
    let name = LaneName(event.edge)
    let index = DemandMirror.index(event.edge)
    guard var lane = lane(name), let arrival = batch.arrival, batch.pageLane == nil else {
      throw Violation(rule: "order", detail: "\(event) without a load and its page")
    }
    try require(!event.isGathered && event.generation == front.generation, "order", "\(event) of another list")
    let place = arrival.place.named(arrival.page)
    let origin = front.pageOrigin ?? arrival.place.page
    front.pageOrigin = origin
    let items = arrival.page.items
    let expected = front.duplicates(in: items) { dedupes($0) }
    try require(event.dropping == expected, "dedupe", "dropping \(event.dropping), expected \(expected)")
    try require(event.duplicates == expected.count, "dedupe", "\(event.duplicates) duplicates of \(expected.count)")
    let added = items.enumerated().filter { !expected.contains($0.offset) }.map(\.element)
    try require(event.added == added.count, "items", "\(event.added) added, expected \(added.count)")
    let start = front.isEmpty ? (event.edge == .end ? 0 : -added.count) : nextStart(event.edge, added.count)
    try require(event.start == start, "positions", "page at \(event.start), expected \(start)")
    try require(event.page == arrival.place.page - (front.pageOrigin ?? 0), "page numbers", "\(event.page)")
    try require(event.total == arrival.page.total, "facts", "total \(event.total ?? -1)")
    front.add(added, at: event.edge, place: place)
    try commit(place, at: event.edge, isEmpty: items.isEmpty)
    lane.pages += 1
    lane.attempt = 1
    lane.added += added.count
    lane.duplicates += expected.count
    demand.pageCame(at: event.edge, added: added.count, fire: lane.fire)
    lane.fire = nil
    lanes[name.rawValue] = lane
    edges[index].emptyRun = added.isEmpty ? edges[index].emptyRun + 1 : 0
    for edge in edges.indices { edges[edge].isForgiven = false }
    batch.pageLane = name
    batch.pageRange = added.isEmpty ? nil : start...(start + added.count - 1)
    batch.sparedEdge = lane.waits.isEmpty && !lane.isPinned ? nil : event.edge
    try checkResume(event, arrival.place)
    try checkContent(added, at: start, event.facts)
    try check(event.facts)
  }

  /// A page without a load: what a followed source has gained.
  func pageGrown(_ event: PageEvent, into world: inout World) throws {
    guard let arrival = batch.arrival, batch.pageLane == nil, lane(.end) == nil, lane(.refresh) == nil else {
      throw Violation(rule: "follow", detail: "\(event) beside a load")
    }
    let expected = front.duplicates(in: arrival.page.items) { dedupes($0) }
    let added = arrival.page.items.enumerated().filter { !expected.contains($0.offset) }.map(\.element)
    let start = front.isEmpty ? 0 : front.last + 1
    let isRight = event.edge == .end && event.start == start && event.added == added.count && !event.isGathered
    try require(isRight && event.dropping == expected, "follow", "\(event), expected \(added.count) at \(start)")
    try require(event.page == arrival.place.page - (front.pageOrigin ?? 0), "page numbers", "\(event.page)")
    world.front.add(added, at: .end, place: arrival.place.named(arrival.page))
    let isNew = world.front.commit(arrival.place.named(arrival.page), isEmpty: false)
    try require(isNew, "one page a cursor", "\(arrival.place) is committed again")
    if !added.isEmpty { world.demand.isGeometryFresh = [false, false] }
    world.batch.pageLane = .end
    world.batch.pageRange = added.isEmpty ? nil : start...(start + added.count - 1)
    try world.checkContent(added, at: start, event.facts)
    try world.check(event.facts)
  }

  private func nextStart(_ edge: Edge, _ count: Int) -> Int { edge == .end ? front.last + 1 : front.first - count }

  /// One committed page for each generation and cursor, unless the window had dropped it.
  private mutating func commit(_ place: PagePlace, at edge: Edge, isEmpty: Bool) throws {
    let index = DemandMirror.index(edge)
    try require(front.commit(place, isEmpty: isEmpty), "one page a cursor", "\(place) is committed again")
    if let nearest = edges[index].dropped.last {
      try require(nearest == FrontEnd.PageKey(place), "window", "\(place) comes back before \(nearest)")
      edges[index].dropped.removeLast()
    }
  }

  private mutating func checkResume(_ event: PageEvent, _ place: PagePlace) throws {
    var expected: Bool?
    if !resume.isTold {
      let isThere = resume.place.map { $0.page == place.page && $0.cursor == place.cursor } ?? false
      expected = isThere
      resume.isTold = true
      resume.place = nil
      resume.isElsewhere = isThere && (place.page != 0 || place.cursor != firstCursor)
      if !isThere {
        resume.isCut = false
        edges[1].dropped = []
      }
    }
    try require(event.resumed == expected, "resume", "resumed \(String(describing: event.resumed))")
    let position = expected == true ? scrolledPosition : nil
    try require(event.scrollTo == position, "resume", "scroll to \(String(describing: event.scrollTo))")
  }

  var scrolledPosition: Int? {
    guard let scrolled else { return nil }
    return front.position(of: scrolled)
  }

  // MARK: Content

  /// What is loaded must be an unbroken stretch of the source, and what ends must end where the source does.
  func checkContent(_ added: [Item], at start: Int, _ facts: Facts) throws {
    for item in added {
      try require(item.family == source.family, "stale", "\(item) in a list of query \(source.family)")
    }
    guard isClean, let first = front.items.first, let last = front.items.last else { return }
    try require(last.key - first.key == front.count - 1, "items", "\(front.count) items from \(first) to \(last)")
    for (offset, item) in added.enumerated() {
      let key = first.key + start - front.first + offset
      try require(item.key == key, "items", "\(item) at \(start + offset), expected key \(key)")
    }
    if !facts.hasMore {
      let end = source.shape.isFollowed ? toldEnd : source.end
      try require(last.key == end - 1, "end", "ended at \(last), the source at \(end - 1)")
    }
    if !facts.hasPrevious && !resume.isCut {
      let isAtStart = resume.isElsewhere || front.first == 0 || first.key == source.shape.lowest
      try require(isAtStart, "end", "the start is \(first) at \(front.first)")
      if source.shape.paging == .bothWays {
        try require(first.key == source.shape.lowest, "end", "the start is \(first)")
      }
    }
  }

  // MARK: A page that replaces

  mutating func pageReplaced(_ event: PageEvent) throws {
    guard var lane = lane(.refresh), batch.arrival != nil, batch.pageLane == nil else {
      throw Violation(rule: "order", detail: "\(event) without a refresh and its page")
    }
    let items = gathering.items
    try require(event.generation == lane.generation, "generations", "page of \(event.generation)")
    try require(event.isGathered && event.page == 0 && event.start == 0 && event.edge == .end, "refresh", "\(event)")
    try require(event.added == items.count && event.dropping.isEmpty, "refresh", "\(event) of \(items.count) items")
    try require(event.duplicates == gathering.duplicates, "dedupe", "\(event.duplicates) of \(gathering.duplicates)")
    try require(event.total == gathering.total, "facts", "total \(event.total ?? -1)")
    let carried = gathering.carried ?? carriedNow()
    firstCursor = gathering.firstCursor
    front.begin(generation: lane.generation)
    front.pageOrigin = 0
    for page in gathering.pages {
      front.add(page.items, at: .end, place: page.place)
      let isNew = front.commit(page.place, isEmpty: page.items.isEmpty)
      try require(isNew, "one page a cursor", "\(page.place) twice in a refresh")
    }
    demand.forgetPlaces()
    resetEdges()
    edges[0].emptyRun = gathering.emptyRun
    lane.added = items.count
    lane.duplicates = gathering.duplicates
    lanes[LaneName.refresh.rawValue] = lane
    batch.pageLane = .refresh
    batch.pageRange = front.isEmpty ? nil : 0...0
    try require(event.scrollTo == scrolledPosition, "refresh", "scroll to \(event.scrollTo ?? -1)")
    move(carried)
    let expected: Bool? = resume.isTold ? nil : false
    resume = ResumeState()
    try require(event.resumed == expected, "resume", "resumed \(String(describing: event.resumed))")
    try checkFreshness(lane)
    try checkContent(items, at: 0, event.facts)
    try checkExtent(event.facts)
    try check(event.facts)
  }

  /// What the old list's demand is, by item.
  private func carriedNow() -> Gathering.Carried {
    Gathering.Carried(
      endPosition: demand.furthest[0], end: demand.furthest[0].flatMap { front.item(at: $0) },
      start: demand.furthest[1].flatMap { front.item(at: $0) },
      visible: demand.visible.map { [$0.lowerBound, $0.upperBound].compactMap { front.item(at: $0) } } ?? [])
  }

  private mutating func move(_ carried: Gathering.Carried) {
    guard !front.isEmpty else { return }
    if let item = carried.end, let position = findable(item) {
      demand.furthest[0] = position
    } else if let position = carried.endPosition, position >= front.last {
      demand.furthest[0] = front.last
    }
    if let item = carried.start, let position = findable(item) { demand.furthest[1] = position }
    let shown = carried.visible.compactMap { findable($0) }
    if let low = shown.min(), let high = shown.max() { demand.visible = low...high }
    if let place = scrolledPosition, demand.visible?.contains(place) != true { demand.visible = place...place }
  }

  /// Where an item is by its id; without an id it is not found.
  private func findable(_ item: Item) -> Int? { source.id(of: item).isNone ? nil : front.position(of: item) }

  /// A refresh must show the source as it was when the refresh asked for its first page, and not as it was before.
  private func checkFreshness(_ lane: Lane) throws {
    guard let first = front.items.first, let asked = lane.firstFetch else { return }
    if source.shape.paging == .offset {
      try require(first.key == asked.place.offset - asked.heads, "stale", "a refresh begins at \(first)")
    } else {
      let start = source.startKey(asked.place.cursor)
      let isNear = first.key <= start && first.key >= max(source.shape.lowest, start - source.shape.overlap)
      try require(isNear, "stale", "a refresh begins at \(first), asked at \(start)")
    }
  }

  /// A refresh fetches as much as its extent wants, and not a page more.
  private func checkExtent(_ facts: Facts) throws {
    let wanted = gathering.wants.dropLast().allSatisfy { $0 }
    try require(wanted, "extent", "\(gathering.extent) needed fewer pages: \(gathering.wants)")
    let wasCut = !gathering.items.isEmpty && gathering.bytes > settings.maxEventBytes
    // Where a cursor comes back, or none is named, a refresh ends early.
    let hasStopped = source.shape.cycleAt != nil || source.shape.missingCursorAt != nil
    let isDone = gathering.wants.last == false || !facts.hasMore || wasCut || hasStopped
    try require(isDone, "extent", "\(gathering.extent) wanted more than \(gathering.pages.count) pages")
  }

  /// Whether a refresh wants another page after those that it has.
  func extentWantsMore() -> Bool {
    let run = gathering.emptyRun
    if run > 0 && run >= settings.maxEmptyPages { return false }
    let items = gathering.items
    if items.isEmpty { return true }
    switch gathering.extent {
    case .first: return false
    case .loaded: return items.count < gathering.formerCount
    case .anchor:
      guard let scrolled, gathering.pages.count < gathering.maxPages else { return false }
      return !items.contains(scrolled)
    }
  }

  // MARK: The list is emptied, or cut

  private mutating func resetEdges() { edges = [EdgeState(), EdgeState()] }

  mutating func cleared(_ generation: Int) throws {
    guard let lane = lane(.refresh), case .refresh = batch.cause, lane.generation == generation else {
      throw Violation(rule: "order", detail: "cleared outside the beginning of a refresh")
    }
    if gathering.carried == nil { gathering.carried = carriedNow() }
    gathering.hasCleared = true
    firstCursor = gathering.firstCursor
    front.begin(generation: generation)
    demand.forgetPlaces()
    resetEdges()
    if !resume.isTold { resume.place = nil }
    resume.isElsewhere = false
    resume.isCut = false
  }

  mutating func pagesDropped(_ edge: Edge, _ from: Int, _ to: Int, _ generation: Int) throws {
    let index = DemandMirror.index(edge)
    guard let maxItems = settings.maxItems, batch.pageLane != nil, generation == front.generation,
      let visible = demand.visible ?? batch.pageRange
    else { throw Violation(rule: "window", detail: "dropped \(from) to \(to) without a reason") }
    // Of both edges the further pages go first; told are they edge by edge.
    let isNeeded = front.count > maxItems || !batch.droppedEdges.isEmpty
    try require(isNeeded, "window", "dropped from \(front.count) items, \(maxItems) are allowed")
    let margin = settings.prefetchThreshold + 1
    let touches = from <= visible.upperBound + margin && to >= visible.lowerBound - margin
    try require(!touches, "window", "dropped \(from) to \(to), visible is \(visible)")
    try require(batch.sparedEdge != edge, "window", "dropped the \(edge), where somebody waited for the page")
    try require(!demand.isLoaderVisible[index], "window", "dropped the \(edge), where a loader is visible")
    if let running = lane(at: edge) {
      try require(running.waits.isEmpty && !running.isPinned, "window", "dropped the \(edge), where somebody waits")
    }
    guard let gone = front.drop(edge, from: from, to: to) else {
      throw Violation(rule: "window", detail: "\(from) to \(to) are no whole pages at the \(edge): \(front.pages)")
    }
    let given = lane(at: edge).flatMap { $0.pages == 0 ? $0.former.latch : nil }
    let standing = edges[index].latch ?? given
    if edges[index].dropped.isEmpty, let standing { edges[index].shelved = standing }
    edges[index].dropped += edge == .start ? gone.map(\.key) : gone.reversed().map(\.key)
    edges[index].latch = nil
    edges[index].isPaused = false
    edges[index].isUnseen = false
    edges[index].emptyRun = 0
    demand.dropped(at: edge, first: front.first, last: front.last)
    batch.droppedEdges.insert(LaneName(edge))
  }
}
