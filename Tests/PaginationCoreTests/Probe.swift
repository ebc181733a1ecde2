import PaginationCore
import PaginationSimulator

/// A session under test, with the little of a shell that it needs: what was asked of the source, and a clock.
struct Probe {
  static let key = FingerprintKey(0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)

  var session: PaginationSession
  var now = 0
  var random = 0.5
  /// Fetches that are neither answered nor cancelled, oldest first.
  private(set) var fetches: [Fetch] = []
  /// Timers that run, with the time at which they are due.
  private(set) var timers: [Timer: Milliseconds] = [:]
  /// What the last event led to.
  private(set) var commands: [Command] = []

  init(generation: Int = 1, _ configure: (inout SessionSettings) -> Void = { _ in }) {
    var settings = SessionSettings()
    settings.retry.jitter = 0
    configure(&settings)
    session = PaginationSession(settings: settings, generation: generation, key: Probe.key)
  }

  // MARK: What came of it

  /// The last event's commands, without timers.
  var lines: [String] { lines(facts: false) }

  /// The same, with the facts that events carry.
  var linesWithFacts: [String] { lines(facts: true) }

  /// What the front end hears of the last event.
  var news: [String] {
    lines.filter { !$0.hasPrefix("fetch") && !$0.hasPrefix("source") && !$0.hasPrefix("gather") }
      .filter { !$0.hasPrefix("cancel fetch") }
  }

  var facts: String { String(CommandText.factsText(session.facts).dropFirst(3)) }

  private func lines(facts: Bool) -> [String] {
    commands.compactMap { command in
      switch command {
      case .setTimer, .cancelTimer: nil
      default: CommandText.line(command, facts: facts)
      }
    }
  }

  // MARK: Events

  mutating func open() { note(session.opened(now: now)) }

  @discardableResult
  mutating func appear(_ position: Int, generation: Int? = nil) -> Appearance {
    let (appearance, commands) = session.itemAppeared(.position(position), generation: generation, now: now)
    note(commands)
    return appearance
  }

  @discardableResult
  mutating func appear(id: Int, generation: Int? = nil) -> Appearance {
    let (appearance, commands) = session.itemAppeared(.id(Probe.id(id)), generation: generation, now: now)
    note(commands)
    return appearance
  }

  @discardableResult
  mutating func show(_ first: Int, _ last: Int, generation: Int? = nil) -> Appearance {
    let (appearance, commands) = session.visibleRangeChanged(first: first, last: last, generation: generation, now: now)
    note(commands)
    return appearance
  }

  @discardableResult
  mutating func loaderAppears(at edge: Edge = .end) -> Decision {
    let (decision, commands) = session.loaderAppeared(at: edge, now: now)
    note(commands)
    return decision
  }

  @discardableResult
  mutating func loaderDisappears(at edge: Edge = .end) -> Decision {
    let (decision, commands) = session.loaderDisappeared(at: edge)
    note(commands)
    return decision
  }

  @discardableResult
  mutating func scroll(to offset: Double, content: Double, viewport: Double = 100) -> Appearance {
    let (appearance, commands) = session.scrolled(offset: offset, viewport: viewport, content: content, now: now)
    note(commands)
    return appearance
  }

  mutating func loadMore(_ waiter: Int? = nil) {
    note(session.loadMoreRequested(waiter: waiter.map { Waiter($0) }, now: now))
  }

  mutating func loadPrevious(_ waiter: Int? = nil) {
    note(session.loadPreviousRequested(waiter: waiter.map { Waiter($0) }, now: now))
  }

  mutating func refresh(
    _ waiter: Int? = nil, mode: SessionSettings.RefreshMode? = nil, extent: SessionSettings.RefreshExtent? = nil,
    from cursor: String? = nil, ownSource: Bool = false
  ) {
    let request = PaginationSession.RefreshRequest(
      mode: mode, extent: extent, firstCursor: cursor.map { Array($0.utf8) }, hasOwnSource: ownSource)
    note(session.refreshRequested(request, waiter: waiter.map { Waiter($0) }, now: now))
  }

  mutating func cancel(_ waiter: Int) { note(session.waitCancelled(Waiter(waiter))) }

  mutating func close() { note(session.closed()) }

  /// Answers a fetch, the oldest where none is named, with items of these ids.
  mutating func arrive(
    _ ids: [Int], next: CursorField = .absent, previous: CursorField = .absent, hasMore: Bool? = nil,
    total: Int? = nil, bytes: Int = 0, ticket: Int? = nil
  ) {
    let arrival = PageArrival(
      ids: ids.map { Probe.id($0) }, next: next, previous: previous, hasMore: hasMore, total: total, byteCount: bytes)
    arrive(arrival, ticket: ticket)
  }

  mutating func arrive(
    _ ids: Range<Int>, next: CursorField = .absent, previous: CursorField = .absent, hasMore: Bool? = nil,
    total: Int? = nil, bytes: Int = 0, ticket: Int? = nil
  ) {
    arrive(
      Array(ids), next: next, previous: previous, hasMore: hasMore, total: total, bytes: bytes, ticket: ticket)
  }

  mutating func arrive(_ arrival: PageArrival, ticket: Int? = nil) {
    let ticket = ticket ?? fetches.first?.ticket ?? -1
    fetches.removeAll { $0.ticket == ticket }
    note(session.pageArrived(ticket: ticket, arrival, now: now, random: random))
  }

  /// A look at the tail, or at another place, found that the source has grown.
  mutating func grow(_ arrival: PageArrival, at place: PagePlace? = nil, generation: Int? = nil) {
    let place = place ?? session.tail ?? PagePlace(page: -1)
    note(session.sourceGrew(at: place, generation: generation ?? session.generation, arrival, now: now))
  }

  /// A look at the tail found that the source cannot be followed any more.
  mutating func failFollowing(at place: PagePlace? = nil) {
    let place = place ?? session.tail ?? PagePlace(page: -1)
    let failure = LoadFailure(reason: .source(error: Array("changed".utf8)), isRetryable: false)
    note(session.followingFailed(at: place, generation: session.generation, failure, now: now))
  }

  /// Answers a fetch with an error.
  mutating func fail(
    _ error: String = "down", retryable: Bool = true, retryAfter: Int? = nil, ticket: Int? = nil
  ) {
    let ticket = ticket ?? fetches.first?.ticket ?? -1
    fetches.removeAll { $0.ticket == ticket }
    let failure = LoadFailure(
      reason: .source(error: Array(error.utf8)), isRetryable: retryable, retryAfterMs: retryAfter)
    note(session.fetchFailed(ticket: ticket, failure, now: now, random: random))
  }

  /// Fails a fetch for good.
  mutating func failForGood(_ error: String = "gone") { fail(error, retryable: false) }

  /// Lets a timer run out that is due next.
  mutating func fireNextTimer() {
    guard let (timer, due) = timers.min(by: { $0.value < $1.value }) else { return note([]) }
    now = max(now, due)
    timers[timer] = nil
    note(session.timerFired(timer, now: now, random: random))
  }

  /// Lets a certain timer run out, whether it runs or not.
  mutating func fire(_ timer: Timer) {
    timers[timer] = nil
    note(session.timerFired(timer, now: now, random: random))
  }

  private mutating func note(_ commands: [Command]) {
    self.commands = commands
    for command in commands {
      switch command {
      case .fetch(let fetch): fetches.append(fetch)
      case .cancelFetch(let ticket): fetches.removeAll { $0.ticket == ticket }
      case .setTimer(let timer, let delay): timers[timer] = now + delay
      case .cancelTimer(let timer): timers[timer] = nil
      default: break
      }
    }
  }

  // MARK: Making things

  /// The id of item number `number`, found in the item.
  static func id(_ number: Int) -> Fingerprint {
    let text = Array(String(number).utf8)
    return Fingerprint.of(text.span, from: 0, to: text.count, tag: 1, isItemID: true, key: key)
  }

  /// A cursor, or an earlier one's end.
  static func cursor(_ text: String) -> CursorField { .value(Array(text.utf8)) }

  /// The numbers of the items that are loaded, as far as they lie in `universe`.
  func loaded(among universe: Range<Int>) -> [Int] {
    guard let first = session.first, let last = session.last else { return [] }
    var numbers: [Fingerprint: Int] = [:]
    for number in universe { numbers[Probe.id(number)] = number }
    return (first...last).map { position in session.id(at: position).flatMap { numbers[$0] } ?? Int.min }
  }

  /// A session with its first page of `count` items, 0 on, loaded.
  static func loaded(
    _ count: Int = 20, next: CursorField = .absent, previous: CursorField = .absent, hasMore: Bool? = true,
    _ configure: (inout SessionSettings) -> Void = { _ in }
  ) -> Probe {
    var probe = Probe(configure)
    probe.open()
    if !probe.session.settings.autoload { probe.loadMore() }
    probe.arrive(0..<count, next: next, previous: previous, hasMore: hasMore)
    return probe
  }
}
