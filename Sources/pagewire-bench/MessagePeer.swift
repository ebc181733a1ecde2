/// A program that answers JSON-RPC in frames: our own C server, servers on the usual frameworks, and language servers.
struct MessagePeer {
  var name: String
  var command: Command?
  var install: String?
  /// Whether it is of the kind that front ends talk to in this manner already.
  var isLSPType = false
  /// Whether it knows nothing of sessions.
  ///
  /// Such a server is sent `$/itemAppeared` instead. LSP has servers ignore unknown notifications of that form and answer
  /// such requests by MethodNotFound, which is the least they can do for a message: they only read it.
  var isLanguageServer = false
  var isSlow = true
  /// How many notifications it is sent in a round where it is slow; some take a millisecond for each.
  var messages = 20_000
  /// Whether it can pass pages on.
  var takesPages = false

  /// The method that says that an item appeared.
  var itemAppeared: String { isLanguageServer ? "$/itemAppeared" : "itemAppeared" }

  /// All of them, those that are not installed too.
  static func all(_ bench: Setting) throws -> [MessagePeer] {
    let server = try bench.baseline("pagewire-bench-server")
    var all = [MessagePeer(name: "C server", command: Command(path: server), isSlow: false)]
    func add(
      _ peer: Peer, script: String = "", isLSPType: Bool = true, isLanguageServer: Bool = false,
      messages: Int = 20_000, takesPages: Bool = false
    ) {
      all.append(
        MessagePeer(
          name: peer.rawValue, command: bench.peers.command(peer, script: script), install: peer.install,
          isLSPType: isLSPType, isLanguageServer: isLanguageServer, messages: messages, takesPages: takesPages))
    }
    add(.clangd, isLanguageServer: true)
    add(.sourcekitLSP, isLanguageServer: true, messages: 2_000)
    add(.pygls, script: "server_pygls.py", messages: 2_000)
    add(.pythonLSP, script: "server_jsonrpc.py")
    add(.node, script: "server.js", isLSPType: false, takesPages: true)
    add(.python, script: "server.py", isLSPType: false, takesPages: true)
    return all
  }

  /// Its turn in a contest; `rounds` are how many it gets where it is slow.
  func contender(
    rounds: Int, target: Row.Target = .none, _ start: @escaping (Command) throws -> Contender.Run
  ) -> Contender {
    Contender(
      name: name, target: target, rounds: isSlow ? rounds : .max, install: command == nil ? install : nil,
      start: { try start(command ?? Command(path: name)) })
  }

  /// Starts it and sees it answer `initialize`.
  func start(_ bench: Setting, _ command: Command) throws -> Client {
    let client = Client(try bench.child(command))
    try client.child.send(Wire.initialize)
    let answer = try client.reader.peersAnswer(to: 1)
    guard answer[...].has("\"result\":") else {
      throw Misbehaviour(program: name, what: "answered initialize with \(answer[...].shown)")
    }
    if isLanguageServer { try client.child.send(Wire.request(nil, "initialized")) }
    return client
  }

  /// Starts it with so many sessions open; language servers have none.
  func start(_ bench: Setting, _ command: Command, sessions: [String]) throws -> Client {
    let client = try start(bench, command)
    guard !isLanguageServer else { return client }
    for session in sessions { try open(session, client) }
    return client
  }

  /// Opens a session.
  func open(_ session: String, _ client: Client) throws {
    let id = client.newID()
    try client.child.send(Wire.request(id, "open", "{\"session\":\"\(session)\"}"))
    _ = try client.reader.peersAnswer(to: id)
  }
}
