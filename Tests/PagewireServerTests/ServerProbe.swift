import JSONText
import PageSources
import Testing

@testable import PagewireServer

/// A server without descriptors, threads or a clock of its own, and a client that says what a test says.
struct ServerProbe {
  var server: Server
  private var lastID = 0

  /// One of each for all tests: they hold descriptors, and nothing of them shows in what a server does.
  private static let log = Log(path: "/dev/null", level: .debug)
  private static let pool = WorkerPool()

  init(_ options: ServerOptions = ServerOptions()) throws {
    let log = try #require(Self.log)
    let pool = try #require(Self.pool)
    server = Server(options: options, log: log, pool: pool, streams: nil)
    server.now = 1_000
  }

  // MARK: Speaking

  /// Hands over a body.
  mutating func send(_ body: String) { send(Array(body.utf8)) }

  /// Behind the body there is more, as in a buffer that holds several frames.
  mutating func send(_ body: [UInt8]) {
    let buffer = body + [UInt8](repeating: UInt8(ascii: "}"), count: 64)
    server.handle(buffer.span, JSONSlice(start: 0, end: body.count))
  }

  /// Sends a request; its id.
  @discardableResult
  mutating func request(_ method: String, _ params: String = "{}") -> Int {
    lastID += 1
    send(#"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(params)}"#)
    return lastID
  }

  mutating func notify(_ method: String, _ params: String = "{}") {
    send(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
  }

  /// Sends a request and returns its answer, with all that came beside it left out.
  mutating func call(_ method: String, _ params: String = "{}") throws -> JSON {
    let id = request(method, params)
    return try answer(to: id)
  }

  /// The answer to a request, which must be there.
  mutating func answer(to id: Int) throws -> JSON {
    let answers = try take().filter { $0["id"] == .number("\(id)") && $0["method"].isAbsent }
    try #require(answers.count == 1, "\(answers.count) answers to request \(id)")
    return answers[0]
  }

  /// Answers a `fetchPage`.
  mutating func answerFetch(_ id: JSON, _ result: String) {
    send(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#)
  }

  mutating func failFetch(_ id: JSON, _ error: String = #"{"code":-1,"message":"no"}"#) {
    send(#"{"jsonrpc":"2.0","id":\#(id),"error":\#(error)}"#)
  }

  // MARK: Listening

  /// What the server has to say: whole frames, in the one form in which it may write them.
  mutating func take() throws -> [JSON] {
    let bytes = server.outbox.take()
    var messages: [JSON] = []
    var offset = 0
    let start = Array("Content-Length: ".utf8)
    while offset < bytes.count {
      try #require(bytes[offset...].starts(with: start), "a frame begins with its header")
      offset += start.count
      var length = 0
      while offset < bytes.count, bytes[offset] != 0x0D {
        length = length * 10 + Int(bytes[offset]) - 0x30
        offset += 1
      }
      try #require(bytes[offset...].starts(with: [0x0D, 0x0A, 0x0D, 0x0A]), "an empty line follows")
      offset += 4
      try #require(offset + length <= bytes.count, "the body is all there")
      messages.append(try JSONDecoder.decode(Array(bytes[offset..<offset + length])))
      offset += length
    }
    return messages
  }

  /// What the server has to say, each as a short line: see ``brief(_:)``.
  mutating func lines() throws -> [String] { try take().map(brief) }

  /// Lets the loop turn until nothing is ready any more.
  mutating func turn() {
    repeat {
      server.deliverReady()
      server.startHeldFetches()
    } while !server.ready.isEmpty
  }

  /// Moves the clock, turn by turn from one timer to the next.
  mutating func advance(by milliseconds: Int) {
    let end = server.now + milliseconds
    turn()
    while let due = server.timers.nextDue, due <= end {
      server.now = max(server.now, due)
      server.fireTimers()
      turn()
    }
    server.now = end
  }

  /// Lets time pass while the loop sleeps, as when the process is stopped.
  mutating func oversleep(_ milliseconds: Int) {
    server.now += milliseconds
    server.fireTimers()
    turn()
  }

  // MARK: Sessions

  /// Opens a session and lets what starts with it come to its end; all that is said of it is dropped.
  mutating func open(_ name: String = "a", _ source: String, _ rest: String = "") throws {
    let answer = try call(
      "open", #"{"session":"\#(name)","source":\#(source)\#(rest.isEmpty ? "" : ",")\#(rest)}"#)
    try #require(!answer["result"].isAbsent, "open failed: \(answer)")
    turn()
    _ = server.outbox.take()
  }

  /// Opens a session of the front end's own source; the id of its first `fetchPage`.
  mutating func openClient(_ name: String = "a", _ rest: String = "") throws -> JSON {
    request("open", #"{"session":"\#(name)","source":{"type":"client"}\#(rest.isEmpty ? "" : ",")\#(rest)}"#)
    return try fetch()["id"]
  }

  /// The `fetchPage` among what the server has to say, which must be there, once.
  mutating func fetch() throws -> JSON {
    let fetches = try take().filter { $0["method"] == "fetchPage" }
    try #require(fetches.count == 1, "\(fetches.count) fetchPage requests")
    return fetches[0]
  }

  mutating func state(_ name: String = "a") throws -> JSON {
    try call("state", #"{"session":"\#(name)"}"#)["result"]
  }

  /// Whether all that was asked for before the end of the input is finished.
  var hasFinished: Bool {
    var server = server
    return server.hasFinished()
  }

  /// Whether nothing is kept for sessions, requests, calls or timers any more.
  var isAtRest: Bool {
    server.sessions.count == 0 && server.pending.isEmpty && server.pendingByID.isEmpty
      && server.frontEndCalls.isEmpty && server.timers.nextDue == nil && server.held.isEmpty
  }
}

/// A message as a line: what kind it is and what tells it from others.
func brief(_ message: JSON) -> String {
  let params = message["params"]
  guard let method = message["method"].text else {
    let error = message["error"]["code"]
    if !error.isAbsent { return "error \(error) to \(message["id"])" }
    let outcome = message["result"]["outcome"].text ?? message["result"]["decision"].text
    return "answer to \(message["id"])" + (outcome.map { ": \($0)" } ?? "")
  }
  switch method {
  case "loading":
    return params["isLoading"] == true
      ? "loading \(params["kind"])" : "loaded \(params["kind"]): \(params["result"])"
  case "pageAppended", "pagePrepended":
    return "\(method) \(params["start"]) \(params["ids"])" + (params["replaces"] == true ? " replaces" : "")
  case "loadFailed":
    return "loadFailed \(params["kind"]) \(params["error"]["code"]) try \(params["attempt"])"
      + (params["willRetry"] == true ? ", again in \(params["retryInMs"])" : "")
  case "fetchPage": return "fetchPage \(params["kind"]) \(params["cursor"]) \(params["page"])/\(params["offset"])"
  default: return method
  }
}
