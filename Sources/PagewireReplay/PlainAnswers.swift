import JSONText

/// Answers a front end as a server would that has loaded what a transcript has sent, and finds what no server would bear.
struct PlainAnswers {
  /// A request that is answered when a load is over.
  private struct Waiting {
    let id: JSONNode
    let method: String
    let session: [UInt8]
    /// Whether it joined a load that was wanted before.
    let isJoined: Bool
  }

  /// Words and members that take the place of the plain ones; nil for none.
  private let overrides: JSONNode?
  private var sessions: [(key: [UInt8], session: PlayedSession)] = []
  private var waiting: [Waiting] = []
  /// Ids of requests that are not answered.
  private var inFlight: Set<[UInt8]> = []
  private var tokens = 0

  init(overrides: JSONNode?) { self.overrides = overrides }

  /// Whether a load is wanted in the newest session: the `first`, or one at the `end` or the `start`.
  func isWanted(_ side: String) -> Bool {
    guard let session = sessions.last?.session else { return false }
    if side == "first" { return session.wantsFirst || waiting.contains { $0.method == "refresh" } }
    return PlayedSession.Edge(rawValue: side).map(session.wants) ?? false
  }

  /// A notification as its session wants it: with `itemsAs: "text"` items and ids are strings that hold their text.
  func asTold(_ message: JSONNode) -> JSONNode {
    guard let index = index(of: message["params"]?["session"]), sessions[index].session.isTold(as: "text") else {
      return message
    }
    var message = message
    for name in ["items", "ids"] {
      guard let array = message["params"]?[name] else { continue }
      var writer = JSONWriter()
      writer.beginArray()
      for element in array.elements { if element.kind == .null { writer.null() } else { writer.string(element.text) } }
      writer.endArray()
      message = message.replacing(array, by: writer.bytes)
    }
    guard let id = message["params"]?["scrollTo"]?["id"] else { return message }
    var writer = JSONWriter()
    writer.string(id.text)
    return message.replacing(id, by: writer.bytes)
  }

  /// An answer was sent, so that its id is free again.
  mutating func sent(_ text: String) {
    if let id = JSONNode(parsing: Array(text.utf8))?["id"] { inFlight.remove(id.raw) }
  }

  /// Takes what the transcript has sent; what is to be sent after it.
  mutating func said(_ message: JSONNode) -> [String] {
    guard let method = message["method"]?.string else {
      if let id = message["id"] { inFlight.remove(id.raw) }
      return []
    }
    guard let params = message["params"], let index = index(of: params["session"]) else { return [] }
    sessions[index].session.apply(method: method, params)
    guard method == "loading", params["isLoading"]?.text == "false" else { return [] }
    return loaded(index, kind: params["kind"]?.string ?? "", result: params["result"]?.string ?? "")
  }

  /// The answers to the requests that waited for a load that is over.
  private mutating func loaded(_ index: Int, kind: String, result: String) -> [String] {
    let methods = ["previous": "loadPrevious", "refresh": "refresh"]
    let session = sessions[index].session
    var texts: [String] = []
    for one in waiting where one.session == sessions[index].key && one.method == methods[kind] ?? "loadMore" {
      if result == "failed", let error = session.error(kind) {
        texts += fail(one.id, error.text)
      } else if result == "cancelled" {
        texts += fail(one.id, -32800, "It was cancelled.")
      } else {
        let isPlain = result != "superseded" && result != "paused"
        texts += succeed(one.id, outcome(isPlain ? one.isJoined ? "coalesced" : "loaded" : result, session))
      }
    }
    waiting.removeAll { $0.session == sessions[index].key && $0.method == methods[kind] ?? "loadMore" }
    return texts
  }

  // MARK: What comes

  /// Notes a request that the transcript itself answers.
  mutating func note(_ message: JSONNode) throws(Difference) -> [String] {
    try check(message)
    return []
  }

  /// The plain answer to a message; empty where it needs none now.
  mutating func answer(_ message: JSONNode) throws(Difference) -> [String] {
    try check(message)
    guard let method = message["method"]?.string else { return [] }
    let id = message["id"]
    let params = message["params"].flatMap { $0.kind == .object ? $0 : nil } ?? JSONNode(parsing: Array("{}".utf8))
    guard let params else { return [] }
    switch method {
    case "initialize": return succeed(id, Self.introduction)
    case "initialized", "$/setTrace", "shutdown", "exit": return succeed(id, "null")
    case "$/cancelRequest": return cancel(params["id"], id)
    case "sessions": return succeed(id, "[\(sessions.map(\.session.listed).joined(separator: ","))]")
    case "open": return open(params, id)
    default: break
    }
    guard Self.methods.contains(method) else {
      throw Difference("a method that the protocol does not have\n    got      \(message.shown)")
    }
    guard let index = index(of: params["session"]) else {
      return fail(id, 1001, "There is no session of that name.")
    }
    switch method {
    case "close": return close(index, id)
    case "loadMore": return load(index, .end, method, id)
    case "loadPrevious": return load(index, .start, method, id)
    case "refresh": return wait(index, method, id, isJoined: false)
    case "state":
      tokens += 1
      let token = params["resume"]?.text == "true" ? "kit-\(tokens)" : nil
      return succeed(id, sessions[index].session.state(resume: token))
    case "setScrolledID":
      sessions[index].session.setScrolledID(params["id"])
      let position = params["id"].flatMap(sessions[index].session.position)
      return succeed(id, #"{"position":\#(position.map(String.init) ?? "null")}"#)
    case "adjustOffset": return succeed(id, #"{"offset":0}"#)
    default: return succeed(id, try report(method, params, &sessions[index].session, message))
    }
  }

  private static let methods: Set = [
    "close", "loadMore", "loadPrevious", "refresh", "state", "setScrolledID", "adjustOffset", "itemAppeared",
    "visibleRange", "loaderAppeared", "loaderDisappeared", "scrolled",
  ]

  private static let introduction = #"""
    {"serverInfo":{"name":"pagewire replay","version":"1.0"},"protocolVersion":"1.0","capabilities":{"sources":["client",\#
    "command","file","http","items","sqlite","synthetic"],"triggers":["item","loader","distance"],"limits":{\#
    "maxFrameBytes":67108864,"maxHeaderBytes":8192,"maxDepth":1000,"maxQueuedOutputBytes":67108864,\#
    "maxPageSize":10000000,"maxCursorBytes":65536,"maxParamsBytes":1048576,"maxPendingPageBytes":268435456,\#
    "drainTimeoutMs":10000}}}
    """#

  private mutating func check(_ message: JSONNode) throws(Difference) {
    guard message.kind == .object else {
      throw Difference("a message that is no object\n    got      \(message.shown)")
    }
    guard message["jsonrpc"]?.string == "2.0" else {
      throw Difference("/jsonrpc: not \"2.0\"\n    got      \(message.shown)")
    }
    guard message["method"] != nil else { return }
    if let params = message["params"], params.kind != .object, params.kind != .null {
      throw Difference("/params: not by name\n    got      \(message.shown)")
    }
    guard let id = message["id"] else { return }
    if !inFlight.insert(id.raw).inserted {
      throw Difference("/id: a request under this id is still in flight\n    got      \(message.shown)")
    }
  }

  private func index(of name: JSONNode?) -> Int? {
    guard let key = name?.stringBytes else { return nil }
    return sessions.firstIndex { $0.key == key }
  }

  private mutating func open(_ params: JSONNode, _ id: JSONNode?) -> [String] {
    guard let name = params["session"], let key = name.stringBytes else {
      return fail(id, -32602, "The member session should be a string.")
    }
    guard params["source"]?["type"]?.string != nil else {
      return fail(id, -32602, "The member source should be an object with a type.")
    }
    var texts: [String] = []
    if let index = index(of: name) {
      guard params["ifExists"]?.string == "replace" else {
        return fail(id, 1002, "There is a session of that name.")
      }
      texts = forget(index)
    }
    let session = PlayedSession(name: name, settings: params)
    sessions.append((key, session))
    return texts + succeed(id, session.state(resume: nil))
  }

  private mutating func forget(_ index: Int) -> [String] {
    let key = sessions.remove(at: index).key
    let ended = waiting.filter { $0.session == key }
    waiting.removeAll { $0.session == key }
    return ended.flatMap { fail($0.id, -32800, "The session was closed.") }
  }

  private mutating func close(_ index: Int, _ id: JSONNode?) -> [String] {
    forget(index) + succeed(id, "null")
  }

  private mutating func cancel(_ wanted: JSONNode?, _ id: JSONNode?) -> [String] {
    guard let wanted, let index = waiting.firstIndex(where: { $0.id.raw == wanted.raw }) else {
      return succeed(id, "null")
    }
    return fail(waiting.remove(at: index).id, -32800, "It was cancelled.") + succeed(id, "null")
  }

  private mutating func load(
    _ index: Int, _ edge: PlayedSession.Edge, _ method: String, _ id: JSONNode?
  ) -> [String] {
    if let outcome = sessions[index].session.immediateOutcome(edge) {
      return succeed(id, self.outcome(outcome, sessions[index].session, hasLoaded: false))
    }
    let isJoined = sessions[index].session.isLoading(edge)
    if !isJoined { sessions[index].session.ask(edge) }
    return wait(index, method, id, isJoined: isJoined)
  }

  private mutating func wait(_ index: Int, _ method: String, _ id: JSONNode?, isJoined: Bool) -> [String] {
    if let id { waiting.append(Waiting(id: id, method: method, session: sessions[index].key, isJoined: isJoined)) }
    return []
  }

  /// The result of a report of what is visible.
  private func report(
    _ method: String, _ params: JSONNode, _ session: inout PlayedSession, _ message: JSONNode
  ) throws(Difference) -> String {
    let generation = params["generation"]?.integer
    switch method {
    case "loaderAppeared", "loaderDisappeared":
      let edge = params["edge"]?.string.flatMap(PlayedSession.Edge.init)
      guard let edge else { throw Difference("/params/edge: neither end nor start\n    got      \(message.shown)") }
      return result(session.loader(edge, isVisible: method == "loaderAppeared").decision, nil)
    case "scrolled":
      let numbers = ["offset", "viewport", "content"].map { params[$0].flatMap { Double($0.text) } }
      guard let offset = numbers[0], let viewport = numbers[1], let content = numbers[2] else {
        throw Difference("/params: offset, viewport and content are not all numbers\n    got      \(message.shown)")
      }
      let (end, start) = session.scrolled(offset: offset, viewport: viewport, content: content)
      return result(end.decision, start.decision)
    default: break
    }
    var range: ClosedRange<Int>?
    if method == "visibleRange" {
      guard let first = params["first"]?.integer, let last = params["last"]?.integer, first <= last else {
        throw Difference("/params: no range from first to last\n    got      \(message.shown)")
      }
      range = first...last
    } else if let position = params["position"]?.integer {
      range = position...position
    } else if let id = params["id"] {
      range = session.position(ofID: id).map { $0...$0 }
    } else {
      throw Difference("/params: neither id nor position\n    got      \(message.shown)")
    }
    if let range, generation == session.generation, session.hasNeverHad(range) {
      throw Difference("/params: positions that this generation of the list never had\n    got      \(message.shown)")
    }
    if let generation, generation > session.generation {
      throw Difference(
        "/params/generation: the list's is \(session.generation) still (section 10.1)\n    got      \(message.shown)")
    }
    let (end, start) = session.report(range, replacing: method == "visibleRange", generation: generation)
    let isKnown = !["stale", "unknown", "loading", "empty"].contains(end.decision) || session.loaded != nil
    let position = isKnown && end.decision != "stale" && end.decision != "unknown" ? range?.lowerBound : nil
    return method == "visibleRange"
      ? result(end.decision, start.decision)
      : result(end.decision, start.decision, #","position":\#(position.map(String.init) ?? "null")"#)
  }

  // MARK: Texts

  private func result(_ decision: String, _ previous: String?, _ more: String = "") -> String {
    let decision = overrides?["decision"]?.text ?? "\"\(decision)\""
    let before = previous.map { #","previous":\#(overrides?["previous"]?.text ?? "\"\($0)\"")"# } ?? ""
    return #"{"decision":\#(decision)\#(before)\#(more)\#(members)}"#
  }

  private func outcome(_ word: String, _ session: PlayedSession, hasLoaded: Bool = true) -> String {
    let word = overrides?["outcome"]?.text ?? "\"\(word)\""
    let (added, duplicates) = hasLoaded ? (session.added, session.duplicates) : (0, 0)
    return #"{"outcome":\#(word),"added":\#(added),"duplicates":\#(duplicates),\#(session.facts),"#
      + #""generation":\#(session.generation)\#(members)}"#
  }

  /// Members that the protocol does not have, for each result.
  private var members: String {
    (overrides?["members"]?.members ?? []).map { #","\#($0.name)":\#($0.value.text)"# }.joined()
  }

  private func succeed(_ id: JSONNode?, _ result: String) -> [String] {
    guard let id else { return [] }
    return [#"{"jsonrpc":"2.0","id":\#(id.text),"result":\#(result)}"#]
  }

  private func fail(_ id: JSONNode?, _ code: Int, _ message: String) -> [String] {
    fail(id, #"{"code":\#(code),"message":"\#(message)","data":{}}"#)
  }

  private func fail(_ id: JSONNode?, _ error: String) -> [String] {
    guard let id else { return [] }
    return [#"{"jsonrpc":"2.0","id":\#(id.text),"error":\#(error)}"#]
  }
}
