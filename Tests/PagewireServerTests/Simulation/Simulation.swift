import TestSupport

@testable import PagewireServer

/// Random front ends, random sources, one server and a clock that is moved by hand.
///
/// Whatever the seed leads to, each request has one answer, notifications come in their order, the list that they make is the
/// one that the sources gave, and nothing is kept when all sessions are closed.
struct Simulation {
  /// A request that is not answered.
  struct Asked {
    let method: String
    let session: String
    let params: JSON
    let isInBatch: Bool
    /// For `close` and `open`: requests that waited for the session that ends, and must be answered before.
    var before: [Int] = []
  }

  /// A `fetchPage` that is not answered.
  struct Fetch {
    let id: Int
    let session: String
    let serial: Int
    let params: JSON
    var isCancelled = false
  }

  /// A session as the front end knows it.
  struct Session {
    let serial: Int
    let isOwnSource: Bool
    let dedupes: Bool
  }

  static let names = ["a", "b", "c", "d"]
  static let waiting: Set<String> = ["loadMore", "loadPrevious", "refresh"]

  var random: SeededRandom
  var probe: ServerProbe
  var trace: [String] = []

  var lastID = 0
  var asked: [Int: Asked] = [:]
  /// Sessions that are open now that all that was sent has been handled.
  var sessions: [String: Session] = [:]
  /// Lists as far as the messages have been read.
  var lists: [String: SimulatedList] = [:]
  var sources: [String: SimulatedSource] = [:]
  var fetches: [Fetch] = []
  /// Calls that were answered before it was read that they were cancelled.
  var answeredLate: Set<Int> = []
  var lastSerial = 0

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    var options = ServerOptions()
    options.fetchPauseBytes = 700
    probe = try ServerProbe(options)
  }

  /// Lives a whole life.
  mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      try step()
      // Now and then the client does not read for a while.
      if !random.chance(oneIn: 4) { try read() }
      try checkTables()
    }
    try read()
    try finish()
  }

  // MARK: Reading

  /// Takes in what the server has said.
  mutating func read() throws {
    for message in try probe.take() {
      trace.append("  <- " + brief(message) + (message["params"]["session"].text.map { " of " + $0 } ?? ""))
      if case .array(let answers) = message {
        for answer in answers { try take(answer) }
      } else if message["method"].isAbsent {
        try take(message)
      } else {
        try hear(message)
      }
    }
  }

  private mutating func hear(_ message: JSON) throws(SimulationFault) {
    let method = message["method"].text ?? ""
    let params = message["params"]
    if method == "$/cancelRequest" {
      if let id = params["id"].int, answeredLate.remove(id) != nil { return }
      let index = fetches.firstIndex { $0.id == params["id"].int && !$0.isCancelled }
      guard let index else { throw SimulationFault("cancelled a call that does not run: \(params["id"])") }
      fetches[index].isCancelled = true
      return
    }
    guard let name = params["session"].text, lists[name] != nil else {
      throw SimulationFault("\(method) of a session that is not open")
    }
    if method == "fetchPage" { return try fetchPage(message, name) }
    try lists[name]?.apply(method, params)
  }

  private mutating func fetchPage(_ message: JSON, _ name: String) throws(SimulationFault) {
    guard let id = message["id"].int, let list = lists[name] else { throw SimulationFault("fetchPage without an id") }
    let params = message["params"]
    try require(!fetches.contains { $0.id == id }, "a call's id is used again")
    let isAtStart = list.atStart != nil && params["generation"].int == list.generation
    let running = list.refresh ?? list.atEnd ?? list.atStart
    try require(running != nil, "a page is asked for while no load runs")
    let live = fetches.filter { $0.session == name && !$0.isCancelled }
    try require(live.count < (isAtStart && list.atEnd != nil ? 2 : 1), "two calls for one load")
    fetches.append(Fetch(id: id, session: name, serial: lastSerial, params: params))
  }

  private mutating func take(_ answer: JSON) throws(SimulationFault) {
    guard let id = answer["id"].int, let request = asked.removeValue(forKey: id) else {
      throw SimulationFault("an answer that nobody waits for: \(answer)")
    }
    try require(answer["result"].isAbsent != answer["error"].isAbsent, "neither a result nor an error, or both")
    for earlier in request.before { try require(asked[earlier] == nil, "\(earlier) is not answered before \(id)") }
    let result = answer["result"]
    let error = answer["error"]["code"].int
    switch request.method {
    case "open":
      guard error == nil else { return }
      let former = lists[request.session]?.lastGeneration ?? 0
      lists[request.session] = try SimulatedList(
        name: request.session, state: result, dedupes: request.params["dedupe"] != false,
        isOwnSource: request.params["source"]["type"] == "client", after: former)
    case "close": if error == nil { lists[request.session] = nil }
    case "state" where error == nil && !request.isInBatch: try lists[request.session]?.check(result)
    case "itemAppeared" where error == nil && !request.isInBatch: try check(result, request)
    case "loadMore", "loadPrevious", "refresh":
      try require(
        [nil, -32800, 1001, 1004, 1006, 1007, 1010].contains(error), "\(request.method) answered \(answer)")
      guard !request.isInBatch, let outcome = result["outcome"].text, let list = lists[request.session] else { return }
      try require(
        ["loaded", "ended", "coalesced", "superseded", "disabled", "paused"].contains(outcome), "outcome \(outcome)")
      try require(result["count"].int == list.ids.count, "count \(result["count"]) answered, not \(list.ids.count)")
    default: break
    }
  }

  private func check(_ result: JSON, _ request: Asked) throws(SimulationFault) {
    guard let list = lists[request.session] else { return }
    let decision = result["decision"].text ?? ""
    if let generation = request.params["generation"].int, generation < list.generation {
      return try require(decision == "stale", "\(decision) for an old generation")
    }
    var position = request.params["position"].int
    if let found = position, found < list.first || found >= list.end { position = nil }
    if request.params["position"].isAbsent {
      position = list.position(of: request.params["id"])
      // Of items with the same id any may be found, or none once the one that was found is dropped.
      if !list.dedupes && position != nil { position = result["position"].int ?? position }
      let isFound = position.map { list.ids[$0 - list.first] == request.params["id"] } ?? true
      try require(isFound, "position \(result["position"]) holds another id")
      if !list.dedupes && decision == "unknown" { return }
    }
    try require(result["position"].int == position, "position \(result["position"]), not \(position ?? -999)")
    try require(
      (decision == "unknown") == (position == nil && !list.ids.isEmpty), "\(decision) for position \(position ?? -999)")
  }

  // MARK: Tables

  /// What the server keeps is what is going on.
  func checkTables() throws(SimulationFault) {
    let server = probe.server
    let open = server.sessions.openSlots.map { server.sessions[$0] }
    var asking = 0
    for session in open {
      try require(session.calls.count <= 2, "\(session.calls.count) calls of one session")
      let tickets = session.calls.map(\.ticket)
      for timer in session.timers {
        guard case .delivery(let ticket) = timer.name else { continue }
        try require(tickets.contains(ticket), "a result is kept for no call")
      }
      asking += session.calls.count { if case .frontEnd = $0.way { true } else { false } }
      try require(session.core.isBusy || session.calls.isEmpty, "calls of a session at rest")
      let isRefreshing = session.core.isLoading(.refresh)
      try require(isRefreshing || session.refreshSources.isEmpty, "a source is kept for no refresh")
      try require(isRefreshing || session.gatheredItems.isEmpty, "items are kept for no refresh")
      try require(session.refreshSources.count <= 1, "\(session.refreshSources.count) sources are kept")
    }
    try require(server.frontEndCalls.count == asking, "\(server.frontEndCalls.count) calls are known, \(asking) run")
    try require(server.timers.count == open.count { !$0.timers.isEmpty }, "the timer queue has other sessions")
    try require(server.timers.nextDue == open.compactMap(\.nextDue).min(), "the timer queue has another time")
    try require(server.pending.count == server.pendingByID.count, "the tables of waiting requests differ")
  }
}
