import TestSupport

@testable import PagewireServer

// What happens next.
extension Simulation {
  mutating func step() throws {
    switch random.below(20) {
    case 0: try openOrClose()
    case 1..<8: answerFetch(isPlain: false)
    case 8..<10: advance()
    case 10: batch()
    case 11: cancel()
    default:
      if sessions.isEmpty { try openOrClose() } else { say(random.chance(oneIn: 5), isInBatch: false) }
    }
  }

  // MARK: Speaking

  /// Makes a request and hands it over, or returns it for a batch.
  @discardableResult
  private mutating func request(
    _ method: String, _ session: String, _ members: String, isNotification: Bool = false, isInBatch: Bool = false,
    before: [Int] = []
  ) -> String {
    let params = #"{"session":"\#(session)"\#(members.isEmpty ? "" : ",")\#(members)}"#
    var body = #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#
    if !isNotification {
      lastID += 1
      body = #"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(params)}"#
      asked[lastID] = Asked(
        method: method, session: session, params: (try? JSONDecoder.decode(params)) ?? .absent, isInBatch: isInBatch,
        before: before)
    }
    trace.append((isInBatch ? "in a batch " : "") + body)
    if !isInBatch { probe.send(body) }
    return body
  }

  private mutating func openOrClose() throws {
    let name = pick(Self.names)
    let waiting = asked.filter { $0.value.session == name && !$0.value.isInBatch }.keys.sorted()
    if sessions[name] != nil && random.chance(oneIn: 2) {
      request("close", name, "", before: waiting)
      sessions[name] = nil
      return
    }
    let isReplacing = random.chance(oneIn: 3)
    let isTaken = sessions[name] != nil && !isReplacing
    let source = SimulatedSource(&random)
    let isOwnSource = !random.chance(oneIn: 4)
    let dedupes = !random.chance(oneIn: 4)
    let id = lastID + 1
    request(
      "open", name, settings(isOwnSource: isOwnSource, dedupes: dedupes, isReplacing: isReplacing),
      before: isTaken ? [] : waiting)
    // Its list is made when its answer is read; what follows needs it then.
    if !isTaken {
      lastSerial += 1
      sessions[name] = Session(serial: lastSerial, isOwnSource: isOwnSource, dedupes: dedupes)
      try read()
      sources[name] = source
      try require(asked[id] == nil, "open is not answered at once")
    }
  }

  private mutating func settings(isOwnSource: Bool, dedupes: Bool, isReplacing: Bool) -> String {
    let count = random.below(60)
    var source = #"{"type":"client"}"#
    if !isOwnSource {
      source =
        #"{"type":"synthetic","count":\#(count),"start":\#(random.below(count + 1)),"latencyMs":\#(random.below(3) * 40),"#
        + #""fail":[{"page":\#(random.below(4)),"times":\#(random.below(4))}],"emptyPages":[\#(random.below(5))],"#
        + #""shortPages":[\#(random.below(5))]}"#
    }
    var members = [
      #""source":\#(source)"#, #""pageSize":\#(1 + random.below(6))"#, #""dedupe":\#(dedupes)"#,
      #""prefetchThreshold":\#(random.below(6))"#, #""autoload":\#(!random.chance(oneIn: 5))"#,
      #""canLoadMore":\#(!random.chance(oneIn: 10))"#, #""canRefresh":\#(!random.chance(oneIn: 10))"#,
      #""rearmOnAppear":\#(random.chance(oneIn: 3))"#, #""timeoutMs":\#(100 + random.below(300))"#,
      #""maxEmptyPages":\#(1 + random.below(3))"#, #""maxUnseenPages":\#(1 + random.below(3))"#,
      #""retry":{"retries":\#(random.below(3)),"initialDelayMs":\#(random.below(80)),"jitter":0.5}"#,
      #""trigger":\#(pick([#""item""#, #""item""#, #""loader""#, #"{"distance":{"absolute":5}}"#]))"#,
      #""refresh":{"mode":"\#(pick(["keep", "clear"]))","extent":"\#(pick(["first", "loaded", "anchor"]))"}"#,
    ]
    if random.chance(oneIn: 3) { members.append(#""maxItems":\#(1 + random.below(12))"#) }
    if isReplacing { members.append(#""ifExists":"replace""#) }
    return members.joined(separator: ",")
  }

  /// Something about a session that is open, or now and then about one that is not.
  @discardableResult
  private mutating func say(_ isNotification: Bool, isInBatch: Bool) -> String {
    let open = sessions.keys.sorted()
    let name = open.isEmpty || random.chance(oneIn: 40) ? pick(Self.names) : pick(open)
    let (method, members) = utterance(about: name)
    return request(method, name, members, isNotification: isNotification, isInBatch: isInBatch)
  }

  private mutating func utterance(about name: String) -> (String, String) {
    let list = lists[name]
    let first = list?.first ?? 0
    let end = list?.end ?? 0
    let position = first - 2 + random.below(max(1, end - first) + 4)
    let generation = random.chance(oneIn: 3) ? #","generation":\#((list?.generation ?? 1) - random.below(2))"# : ""
    switch random.below(14) {
    case 0..<3: return ("itemAppeared", #""position":\#(position)\#(generation)"#)
    case 3:
      let id = list?.ids.isEmpty == false ? "\(pick(list?.ids ?? []))" : "3"
      return ("itemAppeared", #""id":\#(random.chance(oneIn: 4) ? #""x""# : id)\#(generation)"#)
    case 4: return ("visibleRange", #""first":\#(position),"last":\#(position + random.below(6))\#(generation)"#)
    case 5: return (pick(["loaderAppeared", "loaderDisappeared"]), #""edge":"\#(pick(["end", "start"]))""#)
    case 6:
      let offset = random.below(60) - 5
      return ("scrolled", #""offset":\#(offset),"viewport":10,"content":\#(10 + random.below(60))"#)
    case 7, 8: return ("loadMore", "")
    case 9: return ("loadPrevious", "")
    case 10: return ("refresh", refreshMembers(name))
    case 11:
      let id = list?.ids.isEmpty == false && !random.chance(oneIn: 5) ? "\(pick(list?.ids ?? []))" : "null"
      return ("setScrolledID", #""id":\#(id)"#)
    case 12: return ("state", #""resume":\#(random.chance(oneIn: 2))"#)
    default: return ("state", "")
    }
  }

  private mutating func refreshMembers(_ name: String) -> String {
    var members: [String] = []
    if random.chance(oneIn: 2) { members.append(#""mode":"\#(pick(["keep", "clear"]))""#) }
    if random.chance(oneIn: 2) { members.append(#""extent":"\#(pick(["first", "loaded", "anchor"]))""#) }
    if sessions[name]?.isOwnSource == true {
      if random.chance(oneIn: 4) { members.append(#""source":{"type":"client","params":\#(random.below(100))}"#) }
      if random.chance(oneIn: 4), let place = sources[name]?.place(&random) { members.append(#""from":\#(place)"#) }
    }
    return members.joined(separator: ",")
  }

  private mutating func batch() {
    if sessions.isEmpty { return }
    let bodies = (0..<(1 + random.below(4))).map { _ in say(random.chance(oneIn: 4), isInBatch: true) }
    probe.send("[" + bodies.joined(separator: ",") + "]")
  }

  private mutating func cancel() {
    let waiting = asked.filter { Self.waiting.contains($0.value.method) }.keys.sorted()
    let id = waiting.isEmpty || random.chance(oneIn: 8) ? random.below(lastID + 2) : pick(waiting)
    trace.append("cancel \(id)")
    probe.notify("$/cancelRequest", #"{"id":\#(id)}"#)
  }

  // MARK: Sources

  /// Answers some `fetchPage`, in any order.
  mutating func answerFetch(isPlain: Bool) {
    if fetches.isEmpty { return }
    let index = isPlain ? 0 : random.below(fetches.count)
    let fetch = fetches.remove(at: index)
    // The server cancels what it no longer wants; what it has not been told of that yet, it no longer waits for either.
    let isWanted = probe.server.frontEndCalls[fetch.id] != nil
    if !isWanted && !fetch.isCancelled { answeredLate.insert(fetch.id) }
    let way = isPlain ? 9 : random.below(10)
    trace.append("answer fetchPage \(fetch.id) of \(fetch.session), way \(way)\(isWanted ? "" : ", late")")
    switch way {
    case 0: probe.failFetch(.number("\(fetch.id)"))
    case 1: probe.failFetch(.number("\(fetch.id)"), #"{"code":5,"message":"x","data":{"retryable":false}}"#)
    case 2 where random.chance(oneIn: 3): probe.answerFetch(.number("\(fetch.id)"), #"{"items":3}"#)
    case 3 where random.chance(oneIn: 3):
      probe.failFetch(.number("\(fetch.id)"), #"{"code":5,"message":"x","data":{"retryAfterMs":\#(random.below(90))}}"#)
    default:
      guard let (text, page) = sources[fetch.session]?.answer(fetch.params, &random, isPlain: way > 4) else { return }
      if isWanted {
        if fetch.params["kind"] == "refresh" {
          lists[fetch.session]?.gathered.append(page)
        } else {
          lists[fetch.session]?.answered.append(page)
        }
      }
      probe.answerFetch(.number("\(fetch.id)"), text)
    }
  }

  private mutating func advance() {
    let milliseconds = pick([1, 20, 60, 150, 500])
    trace.append("advance \(milliseconds)")
    probe.advance(by: milliseconds)
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[random.below(elements.count)] }

  // MARK: The end

  /// Lets everything come to rest, ends it in one of the ways there are, and looks at what is left.
  mutating func finish() throws {
    let way = random.below(4)
    if way == 0 { try comeToRest() }
    trace.append("the end, way \(way)")
    switch way {
    case 0:
      for name in sessions.keys.sorted() { request("close", name, "") }
    case 1:
      lastID += 1
      asked[lastID] = Asked(method: "shutdown", session: "", params: .null, isInBatch: false)
      probe.send(#"{"jsonrpc":"2.0","id":\#(lastID),"method":"shutdown"}"#)
    case 2: probe.notify("exit")
    default:
      probe.server.endInput()
      probe.turn()
      try read()
      let asking = probe.server.sessions.openSlots.filter { sessionAsks(probe.server.sessions[$0]) }
      try require(asking.isEmpty && probe.server.frontEndCalls.isEmpty, "the front end is waited for after its input")
      for _ in 0..<100 where !probe.hasFinished {
        probe.advance(by: 100)
        try read()
      }
      try require(probe.hasFinished, "what runs does not come to its end after the input")
      try require(asked.isEmpty, "not answered after the end of the input: \(asked.keys.sorted())")
      probe.server.closeAllSessions()
    }
    try read()
    try require(asked.isEmpty, "never answered: \(asked.keys.sorted())")
    probe.turn()
    try require(probe.isAtRest, "something is kept after the end")
    try require(try probe.take().isEmpty, "something is said after the end")
  }

  private func sessionAsks(_ session: HostedSession) -> Bool {
    session.calls.contains { if case .frontEnd = $0.way { true } else { false } }
  }

  private mutating func comeToRest() throws {
    for _ in 0..<2_000 {
      try read()
      if fetches.isEmpty && asked.isEmpty && !probe.server.isBusy { return }
      if fetches.isEmpty { probe.advance(by: 100) } else { answerFetch(isPlain: true) }
      try checkTables()
    }
    throw SimulationFault("the server does not come to rest; \(asked.count) requests wait")
  }
}
