import CBenchSupport

/// A server with the little of a front end that the workloads need.
final class Client {
  let child: Child
  let reader: FrameReader
  private var lastID = 1

  init(_ child: Child) {
    self.child = child
    reader = FrameReader(child)
  }

  /// Starts the server under measurement and greets it.
  convenience init(_ bench: Setting) throws {
    self.init(try Child(bench.server, on: bench.serverCPU))
    try greet()
  }

  /// `initialize` and `initialized`.
  func greet() throws {
    Watch.arm()
    try child.send(Wire.initialize)
    let body = try reader.answer(to: 1)
    guard body.has("\"serverInfo\":") else {
      throw Misbehaviour(program: child.name, what: "answered initialize with \(body.shown)")
    }
    try child.send(Wire.request(nil, "initialized"))
  }

  /// A request id not used before.
  func newID() -> Int {
    lastID += 1
    return lastID
  }

  /// Sends a request and reads to its answer.
  func call(_ method: String, _ params: String) throws -> ArraySlice<UInt8> {
    let id = newID()
    try child.send(Wire.request(id, method, params))
    return try reader.answer(to: id)
  }

  /// Opens a session and reads to the end of its first load.
  func openLoaded(_ session: String, source: String, settings: String = "") throws {
    let comma = settings.isEmpty ? "" : ","
    _ = try call("open", "{\"session\":\"\(session)\",\"source\":\(source)\(comma)\(settings)}")
    try readToEndOfLoad(session)
  }

  /// Reads to the end of a session's running load.
  func readToEndOfLoad(_ session: String) throws {
    _ = try reader.next {
      $0.prefix(200).has("\"method\":\"loading\"") && $0.has("\"isLoading\":false")
        && $0.has("\"session\":\"\(session)\"")
    }
  }

  /// How many items a session holds, as `state` says.
  func count(of session: String) throws -> Int {
    let body = try call("state", "{\"session\":\"\(session)\"}")
    guard let count = Wire.integer(body, after: "\"count\":") else {
      throw Misbehaviour(program: child.name, what: "said no count in \(body.shown)")
    }
    return count
  }

  /// Throws unless a session holds so many items.
  func expect(count expected: Int, in session: String) throws {
    let count = try count(of: session)
    guard count == expected else {
      throw Misbehaviour(program: child.name, what: "holds \(count) items in \(session) where \(expected) are due")
    }
  }

  /// Closes a session.
  func close(_ session: String) throws {
    _ = try call("close", "{\"session\":\"\(session)\"}")
  }
}
