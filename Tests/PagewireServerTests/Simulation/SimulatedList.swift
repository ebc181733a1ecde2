/// A front end's view of one session: the list that the notifications make, and what they may be.
struct SimulatedList {
  /// A load that runs at an edge.
  struct Running: Equatable {
    let kind: String
    let generation: Int
    var hasFailedForGood = false
  }

  let name: String
  let dedupes: Bool
  /// Whether the source is the front end's own, so that each page is known beforehand.
  let isOwnSource: Bool
  var isOrderKnown = true

  private(set) var generation: Int
  private(set) var lastGeneration: Int
  private(set) var first = 0
  private(set) var ids: [JSON] = []
  var end: Int { first + ids.count }

  private(set) var atEnd: Running?
  private(set) var atStart: Running?
  private(set) var refresh: Running?
  private(set) var facts: JSON = .absent

  /// Pages that were answered and must come next, the oldest first.
  var answered: [SimulatedSource.Page] = []
  /// Pages that a refresh gathers.
  var gathered: [SimulatedSource.Page] = []

  /// Loaded pages with items: where in the source, and how many items they added.
  private var pages: [(range: Range<Int>, count: Int)] = []
  private var droppedAtStart: [Range<Int>] = []
  private var droppedAtEnd: [Range<Int>] = []
  private var rawStart = 0
  private var rawEnd = 0
  private var isFirstPageKnown = false

  init(name: String, state: JSON, dedupes: Bool, isOwnSource: Bool, after former: Int) throws(SimulationFault) {
    self.name = name
    self.dedupes = dedupes
    self.isOwnSource = isOwnSource
    generation = state["generation"].int ?? 0
    lastGeneration = generation
    try require(generation > former, "generation \(generation) comes after \(former)")
    try require(state["count"] == 0 && state["first"] == nil, "a new session has items: \(state)")
  }

  // MARK: Notifications

  mutating func apply(_ method: String, _ params: JSON) throws(SimulationFault) {
    switch method {
    case "loading": try params["isLoading"] == true ? began(params) : ended(params)
    case "pageAppended": try params["replaces"] == true ? replaced(params) : appended(params)
    case "pagePrepended": try prepended(params)
    case "pagesDropped": try dropped(params)
    case "cleared": try cleared(params)
    case "loadFailed": try failed(params)
    default: throw SimulationFault("an unknown notification \(method)")
    }
    if !params["count"].isAbsent { try note(params) }
    if !isOwnSource {
      // The items of `synthetic` are numbered in their order.
      let numbers = ids.map { $0.int ?? 0 }
      for (one, next) in zip(numbers, numbers.dropFirst()) {
        try require(next == one + 1, "item \(next) follows \(one)")
      }
    }
  }

  private mutating func note(_ params: JSON) throws(SimulationFault) {
    facts = params
    try require(params["count"].int == ids.count, "count is \(params["count"]), not \(ids.count)")
    try require((params["phase"] == "items") == !ids.isEmpty, "phase \(params["phase"]) with \(ids.count) items")
  }

  private mutating func began(_ params: JSON) throws(SimulationFault) {
    let running = Running(kind: params["kind"].text ?? "", generation: params["generation"].int ?? 0)
    try require(refresh == nil, "a load begins while a refresh runs")
    switch running.kind {
    case "initial", "more":
      try require(atEnd == nil, "a second load at the end")
      try require(running.generation == generation, "a load of another generation")
      try require((running.kind == "initial") == ids.isEmpty, "\(running.kind) with \(ids.count) items")
      atEnd = running
    case "previous":
      try require(atStart == nil, "a second load at the start")
      try require(running.generation == generation, "a load of another generation")
      atStart = running
    case "refresh":
      try require(atEnd == nil && atStart == nil, "a refresh begins beside a load")
      try require(running.generation > lastGeneration, "a refresh has a number that was used")
      lastGeneration = running.generation
      refresh = running
      gathered = []
    default: throw SimulationFault("kind \(running.kind)")
    }
  }

  private mutating func ended(_ params: JSON) throws(SimulationFault) {
    let kind = params["kind"].text ?? ""
    let running = running(kind)
    try require(running?.generation == params["generation"].int, "the end of a \(kind) that did not run")
    let result = params["result"].text ?? ""
    try require(
      ["loaded", "failed", "cancelled", "superseded", "paused"].contains(result), "result \(result)")
    try require((result == "failed") == (running?.hasFailedForGood == true), "\(kind) ended as \(result)")
    switch kind {
    case "previous": atStart = nil
    case "refresh":
      if result == "loaded" || result == "paused" {
        try require(generation == running?.generation, "a refresh ended without its page")
      }
      refresh = nil
      gathered = []
    default: atEnd = nil
    }
  }

  private func running(_ kind: String) -> Running? {
    switch kind {
    case "previous": atStart
    case "refresh": refresh
    default: atEnd?.kind == kind ? atEnd : nil
    }
  }

  private mutating func failed(_ params: JSON) throws(SimulationFault) {
    let kind = params["kind"].text ?? ""
    let isFinal = params["willRetry"] == false
    try require(params["retryInMs"].isAbsent == isFinal, "willRetry and retryInMs disagree")
    if refresh != nil && kind != "refresh" {
      // The page of a refresh that names a cursor again latches the list that it makes.
      try require(isFinal && params["generation"].int == generation, "a failed \(kind) beside a refresh")
      refresh?.hasFailedForGood = false
      return
    }
    try require(running(kind)?.generation == params["generation"].int, "a failed \(kind) that does not run")
    switch kind {
    case "previous": atStart?.hasFailedForGood = isFinal
    case "refresh": refresh?.hasFailedForGood = isFinal
    default: atEnd?.hasFailedForGood = isFinal
    }
  }

  private mutating func cleared(_ params: JSON) throws(SimulationFault) {
    try require(refresh?.generation == params["generation"].int, "cleared without a refresh")
    start(over: params["generation"].int ?? 0)
  }

  private mutating func start(over generation: Int) {
    self.generation = generation
    first = 0
    ids = []
    pages = []
    droppedAtStart = []
    droppedAtEnd = []
    isFirstPageKnown = false
  }

  // MARK: Pages

  private mutating func appended(_ params: JSON) throws(SimulationFault) {
    try require(atEnd?.generation == params["generation"].int, "a page without a load")
    try require(params["start"].int == end, "a page starts at \(params["start"]), not at \(end)")
    if isOwnSource {
      let page = try nextAnswered()
      try compare(params, with: [page])
      try follow(page)
      if params["ids"].elements.isEmpty == false { pages.append((page.range, params["ids"].elements.count)) }
    }
    ids += params["ids"].elements
  }

  private mutating func follow(_ page: SimulatedSource.Page) throws(SimulationFault) {
    if !page.isHonest { isOrderKnown = false }
    guard isOrderKnown else { return }
    if !isFirstPageKnown {
      isFirstPageKnown = true
      (rawStart, rawEnd) = (page.range.lowerBound, page.range.upperBound)
    } else if let reopened = droppedAtEnd.popLast() {
      try require(
        page.range.lowerBound == reopened.lowerBound, "\(page.range) opens again instead of \(reopened) at the end")
    } else {
      try require(page.range.lowerBound == rawEnd, "\(page.range) follows what ended at \(rawEnd)")
      rawEnd = page.range.upperBound
    }
  }

  private mutating func prepended(_ params: JSON) throws(SimulationFault) {
    try require(atStart?.generation == params["generation"].int, "a page without a load")
    let count = params["ids"].elements.count
    try require((params["start"].int ?? 0) + count == first, "a page at \(params["start"]) ends not before \(first)")
    if isOwnSource {
      let page = try nextAnswered()
      try compare(params, with: [page])
      if !page.isHonest { isOrderKnown = false }
      if isOrderKnown {
        if let reopened = droppedAtStart.popLast() {
          try require(page.range.lowerBound == reopened.lowerBound, "\(page.range) opens again instead of \(reopened)")
        } else {
          try require(page.range.upperBound == rawStart, "\(page.range) precedes what begins at \(rawStart)")
          rawStart = page.range.lowerBound
        }
      }
      if count > 0 { pages.insert((page.range, count), at: 0) }
    }
    first -= count
    ids.insert(contentsOf: params["ids"].elements, at: 0)
  }

  private mutating func replaced(_ params: JSON) throws(SimulationFault) {
    try require(refresh?.generation == params["generation"].int, "a page of a refresh that does not run")
    try require(params["start"] == 0, "a new list starts at \(params["start"])")
    start(over: params["generation"].int ?? 0)
    if isOwnSource {
      try compare(params, with: gathered)
      isOrderKnown = gathered.allSatisfy(\.isHonest)
      isFirstPageKnown = true
      rawStart = gathered.first?.range.lowerBound ?? 0
      rawEnd = gathered.last?.range.upperBound ?? 0
      var seen: Set<Int> = []
      for page in gathered {
        let count = dedupes ? page.ids.filter { seen.insert($0).inserted }.count : page.ids.count
        if count > 0 { pages.append((page.range, count)) }
      }
      gathered = []
    }
    ids = params["ids"].elements
  }

  private mutating func nextAnswered() throws(SimulationFault) -> SimulatedSource.Page {
    try require(!answered.isEmpty, "a page that nobody answered")
    return answered.removeFirst()
  }

  /// A page holds what was answered, without what is there already.
  private func compare(_ params: JSON, with pages: [SimulatedSource.Page]) throws(SimulationFault) {
    let all = pages.flatMap(\.ids).map { JSON.number("\($0)") }
    var wanted = all
    if dedupes {
      var seen = Set(ids.map(\.description))
      wanted = all.filter { seen.insert($0.description).inserted }
    }
    try require(params["ids"] == .array(wanted), "ids \(params["ids"]) instead of \(wanted)")
    try require(params["items"].elements.map { $0["id"] } == wanted, "items differ from ids")
    try require(params["duplicates"].int == all.count - wanted.count, "duplicates \(params["duplicates"])")
  }

  private mutating func dropped(_ params: JSON) throws(SimulationFault) {
    try require(atEnd != nil || atStart != nil || refresh != nil, "pages dropped while nothing runs")
    guard let from = params["from"].int, let to = params["to"].int, from <= to else {
      throw SimulationFault("from \(params["from"]) to \(params["to"])")
    }
    var count = to - from + 1
    try require(count < ids.count, "all is dropped")
    if params["edge"] == "start" {
      try require(from == first, "dropped from \(from), not \(first)")
      ids.removeFirst(count)
      first = to + 1
    } else {
      try require(to == end - 1, "dropped to \(to), not \(end - 1)")
      ids.removeLast(count)
    }
    guard isOwnSource else { return }
    while count > 0, !pages.isEmpty {
      let page = params["edge"] == "start" ? pages.removeFirst() : pages.removeLast()
      count -= page.count
      if params["edge"] == "start" { droppedAtStart.append(page.range) } else { droppedAtEnd.append(page.range) }
    }
    try require(count == 0, "a page is dropped in part")
  }

  // MARK: Answers

  func position(of id: JSON) -> Int? { ids.firstIndex(of: id).map { first + $0 } }

  /// What `state` must say.
  func check(_ state: JSON) throws(SimulationFault) {
    try require(state["generation"].int == generation, "generation \(state["generation"]), not \(generation)")
    try require(state["count"].int == ids.count, "count \(state["count"]), not \(ids.count)")
    try require(state["first"].int == (ids.isEmpty ? nil : first), "first \(state["first"]), not \(first)")
    try require(state["last"].int == (ids.isEmpty ? nil : end - 1), "last \(state["last"]), not \(end - 1)")
    for kind in ["initial", "more", "previous", "refresh"] {
      try require(
        state["loading"][kind] == .bool(running(kind) != nil), "loading.\(kind) is \(state["loading"][kind])")
    }
    guard !facts.isAbsent, atEnd == nil, atStart == nil, refresh == nil else { return }
    for name in ["hasMore", "hasPrevious"] {
      try require(state[name] == facts[name], "\(name) is \(state[name]), and was \(facts[name])")
    }
  }
}
