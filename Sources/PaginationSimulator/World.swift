import PaginationCore

/// The story of a run, for people.
final class Trace {
  var lines: [String] = []

  /// A value without the names of modules and outer types, which only make it long.
  static func plain(_ value: Any) -> String {
    var text = "\(value)"
    for name in ["PaginationCore.", "PaginationSimulator.", "SessionSettings.", "SourceShape."] {
      text = text.split(separator: name, omittingEmptySubsequences: false).joined()
    }
    return text
  }
}

/// One run: a session, its front end, its source, its shell and its clock, with every promise checked after every step.
struct World {
  /// A call of the source that is neither answered nor cancelled.
  struct Pending {
    let fetch: Fetch
    let source: ModelSource
  }

  let scenario: Scenario
  var settings: SessionSettings
  var session: PaginationSession
  var front: FrontEnd
  var demand: DemandMirror
  var now = 0
  var source: ModelSource
  /// Sources opened for refreshes that have not committed.
  var filed: [Int: ModelSource] = [:]
  var pending: [Pending] = []
  /// Tickets whose answers nobody waits for any more.
  var lateTickets: [Int] = []
  var timers: [Timer: Milliseconds] = [:]
  var oldTimers: [Timer] = []
  var lanes: [Lane?] = [nil, nil, nil]
  var lastTicket = 0
  var lastAllotted: Int
  var lastWaiter = 0
  /// What the core last said of the list.
  var facts: Facts?
  /// What stands at each edge, by what the core has said.
  var edges = [EdgeState(), EdgeState()]
  var refreshFailure: LoadFailure?
  var isDraining = false
  /// The list's content can no longer be told from the items alone.
  var isUnclean = false
  var scrolled: Item?
  /// Where a followed source ended when it was looked at last.
  var toldEnd = 0
  var lastTail: PagePlace?
  /// The cursor of the list's own first page.
  var firstCursor: Cursor?
  var resume = ResumeState()
  var gathering = Gathering()
  /// How far the front end has moved the places of calls that run.
  var pendingMoves: [Int: Int] = [:]
  var isTokenCutBefore = false
  var random = 0.5
  var batch = Batch(cause: .nothing)
  let trace: Trace?
  /// Commands carried out so far.
  var commandCount = 0

  init(_ scenario: Scenario, isTraced: Bool = false) {
    self.scenario = scenario
    settings = scenario.settings
    session = PaginationSession(settings: settings, key: Universe.fingerprintKey)
    front = FrontEnd(generation: 1)
    demand = DemandMirror(settings: settings)
    source = ModelSource(shape: scenario.source, family: 0)
    lastAllotted = 1
    firstCursor = settings.start.firstCursor
    trace = isTraced ? Trace() : nil
  }

  // MARK: Running

  /// Runs the whole schedule, then lets all that runs come to its end.
  mutating func run(_ steps: [Step]) throws {
    try open()
    for step in steps {
      note(step.text)
      try perform(step)
    }
    try settle()
    if scenario.seed % 4 == 0 { try scrollThrough() }
    try close()
  }

  private mutating func open() throws {
    note("open")
    let commands = session.opened(now: now)
    try perform(commands, cause: .opened)
  }

  /// With nobody asking for more, answers and timers must bring everything to rest, and every waiter its answer.
  mutating func settle() throws {
    note("settle")
    var events = 0
    while true {
      events += 1
      try require(events < 5_000, "rest", "still busy after 5,000 events")
      if !pending.isEmpty {
        try deliver(index: 0, outcome: .page)
      } else if let timer = nextTimer {
        try fire(timer)
      } else {
        break
      }
    }
    try require(!session.isBusy, "rest", "nothing runs outside, but the session is busy")
  }

  mutating func close() throws {
    note("close")
    batch = Batch(cause: .close)
    let waiting = lanes.flatMap { $0?.waits.map(\.waiter) ?? [] }
    let commands = session.closed()
    try perform(commands, cause: .close)
    try require(timers.isEmpty, "timers", "after close \(timers) still run")
    try require(pending.isEmpty, "fetches", "after close the source still works")
    try require(batch.cancelled.sorted() == waiting.sorted(), "answers", "close told \(batch.cancelled) of \(waiting)")
    try require(session.closed() == [], "close", "a second close does something")
  }

  // MARK: Helpers

  /// The timer that is due next; of several at one time always the same, so that a run can be repeated.
  var nextTimer: Timer? { timers.min { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }?.key }

  func note(_ line: @autoclosure () -> String) { trace?.lines.append(line()) }

  func require(_ condition: Bool, _ rule: String, _ detail: @autoclosure () -> String) throws {
    if !condition { throw Violation(rule: rule, detail: detail()) }
  }

  func lane(_ name: LaneName) -> Lane? { lanes[name.rawValue] }

  func lane(at edge: Edge) -> Lane? { lanes[LaneName(edge).rawValue] }

  func pending(in name: LaneName) -> Pending? { pending.first { LaneName($0.fetch.kind) == name } }

  func hasMore(at edge: Edge) -> Bool { edge == .end ? session.hasMore : session.hasPrevious }

  /// Whether dedupe looks at an item.
  func dedupes(_ item: Item) -> Bool { settings.dedupe && source.id(of: item).isItemID }

  var isClean: Bool { scenario.source.isDeduped(settings) && !isUnclean }
}
