import CBenchSupport

/// Resident memory: at rest, a session's, an item's; and the size of the program's file.
enum MemoryWorkload: Workload {
  static let name = "memory"
  static let summary = "resident memory at rest, a session of 10,000, an item of a million; the size of the binary"

  static func measure(_ bench: Setting) throws -> [Row] {
    try rest(bench) + sessions(bench) + loadedSessions(bench) + [item(bench), size(bench)]
  }

  private static func rest(_ bench: Setting) throws -> [Row] {
    let floor = try bench.baseline("pagewire-bench-answer")
    let contest = Contest(workload: "memory, at rest", unit: "KiB", rounds: bench.rounds(3), warmUp: 0)
    let peers = try MessagePeer.all(bench).map { peer in
      peer.contender(rounds: 3) { command in
        Contender.Run { Double(try peer.start(bench, command).child.memory("VmRSS")) }
      }
    }
    var own = 0
    var rows = try contest.rows(
      Contender(name: "pagewire") {
        Contender.Run {
          let client = try Client(bench)
          let resident = client.child.memory("VmRSS")
          own = client.child.memory("RssAnon")
          try client.child.finish()
          return Double(resident)
        }
      },
      against: [
        Contender(name: "C, one frame", target: .oursAtMost(4 * 1024)) {
          Contender.Run {
            let client = Client(try Child(floor, on: bench.serverCPU))
            try client.child.send(Wire.initialize)
            _ = try client.reader.answer(to: 1)
            return Double(client.child.memory("VmRSS"))
          }
        }
      ] + peers)
    rows[0].notes = [
      "\(own) KiB of it are its own; the rest are the program's file, as much as the system cares to map"
    ]
    return rows
  }

  private static func sessions(_ bench: Setting) throws -> [Row] {
    let count = bench.amount(10_000)
    let names = (0..<count).map { "session-\($0)" }
    let contest = Contest(
      workload: "memory, a session", unit: "bytes", rounds: bench.rounds(1), warmUp: 0,
      notes: [
        "\(count) open sessions without items; a peer's knows its name, its count, its zone and the last position"
      ])
    let peers = try MessagePeer.all(bench).filter { !$0.isLanguageServer }.map { peer in
      peer.contender(rounds: 3, target: peer.isSlow ? .none : .oursAtMost(2048)) { command in
        Contender.Run {
          let client = try peer.start(bench, command)
          return try growth(client, over: names) { try peer.open($0, client) }
        }
      }
    }
    return try contest.rows(
      Contender(name: "pagewire") {
        Contender.Run {
          let client = try Client(bench)
          let bytes = try growth(client, over: names) {
            _ = try client.call(
              "open", "{\"session\":\"\($0)\",\"source\":{\"type\":\"synthetic\",\"count\":100},\"autoload\":false}")
          }
          try client.expect(count: 0, in: names[count - 1])
          try client.child.finish()
          return bytes
        }
      }, against: peers)
  }

  /// By how much resident memory grows for each of these that is opened.
  private static func growth<Name>(_ client: Client, over all: [Name], open: (Name) throws -> Void) throws -> Double {
    let before = client.child.memory("VmRSS")
    for (number, one) in all.enumerated() {
      if number % 1000 == 0 { Watch.arm() }
      try open(one)
    }
    return Double(client.child.memory("VmRSS") - before) * 1024 / Double(all.count)
  }

  private static func loadedSessions(_ bench: Setting) throws -> [Row] {
    let names = (0..<bench.amount(10_000)).map { "session-\($0)" }
    let documents = (0..<bench.amount(100, least: 5)).map { Document(uri: "file:///document-\($0).cpp", lines: 20) }
    let contest = Contest(
      workload: "memory, a session with 20 items", unit: "bytes", rounds: bench.rounds(1), warmUp: 0,
      notes: ["clangd's is one of \(documents.count) open documents with 20 declarations"])
    let peers = try MessagePeer.all(bench).filter { $0.name == Peer.clangd.rawValue }.map { peer in
      peer.contender(rounds: 1) { command in
        Contender.Run {
          let client = try peer.start(bench, command)
          return try growth(client, over: documents) { try $0.open(in: client) }
        }
      }
    }
    return try contest.rows(
      Contender(name: "pagewire") {
        Contender.Run {
          let client = try Client(bench)
          let bytes = try growth(client, over: names) {
            try client.openLoaded($0, source: "{\"type\":\"synthetic\",\"count\":100}")
          }
          try client.expect(count: 20, in: names[names.count - 1])
          try client.child.finish()
          return bytes
        }
      }, against: peers)
  }

  private static func item(_ bench: Setting) throws -> Row {
    let client = try Client(bench)
    let page = 1000
    let items = bench.amount(1_000_000, least: 30 * page)
    Watch.arm()
    try client.openLoaded(
      "s", source: "{\"type\":\"synthetic\",\"count\":null}", settings: "\"pageSize\":\(page)")
    var count = page
    func load(to target: Int) throws {
      while count < target {
        if count % 100_000 == 0 { Watch.arm() }
        _ = try client.call("loadMore", "{\"session\":\"s\"}")
        count += page
      }
    }
    try load(to: 20 * page)
    let before = client.child.memory("VmRSS")
    try load(to: items)
    let growth = client.child.memory("VmRSS") - before
    try client.expect(count: items, in: "s")
    try client.child.finish()
    return Row(
      workload: "memory, an item", unit: "bytes", baseline: "-",
      ours: [Double(growth) * 1024 / Double(items - 20 * page)], theirs: [],
      notes: ["growth of a session from 20,000 to \(items) items with ids"])
  }

  private static func size(_ bench: Setting) -> Row {
    Row(
      workload: "size of the binary", unit: "MB", baseline: "-", ours: [Double(Files.size(bench.server)) / 1e6],
      theirs: [], target: .oursAtMost(7))
  }
}
