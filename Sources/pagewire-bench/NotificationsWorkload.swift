import CBenchSupport

/// A flood of `itemAppeared` notifications over many sessions.
enum NotificationsWorkload: Workload {
  static let name = "notifications"
  static let summary = "a flood of itemAppeared notifications through a pipe, over 1,000 sessions"

  private static let sessions = 1000

  static func measure(_ bench: Setting) throws -> [Row] {
    let names = (0..<sessions).map(sessionName)
    let messages = bench.amount(400_000)
    let flood = makeFlood(names, messages, "itemAppeared")
    let frames = try bench.baseline("pagewire-bench-parse")
    let size = fixed(Double(flood.count) / Double(messages), 0)
    let contest = Contest(
      workload: name, unit: "M/s", rounds: bench.rounds(11),
      notes: ["\(size) bytes a message, header included; of \(messages) slow peers get 20,000 or 2,000"]
    )
    let peers = try MessagePeer.all(bench).map { peer in
      peer.contender(rounds: 3, target: peer.isSlow ? .none : .ratioAtLeast(1.2)) { command in
        let client = try peer.start(bench, command, sessions: names)
        let count = peer.isSlow ? bench.amount(peer.messages) : messages
        let flood = peer.isSlow ? makeFlood(names, count, peer.itemAppeared) : flood
        return Contender.Run { try time(client, flood, count, peer.itemAppeared, closing: names[0]) }
      }
    }
    return try contest.rows(
      Contender(name: "pagewire") {
        let client = try Client(bench)
        for session in names {
          try client.openLoaded(
            session, source: "{\"type\":\"synthetic\",\"count\":1000}", settings: "\"pageSize\":100")
        }
        try checkThatNotificationsCount(client, names[0])
        return Contender.Run(
          round: { try time(client, flood, messages, "itemAppeared", closing: names[0]) },
          finish: {
            try client.expect(count: 200, in: names[0])
            try client.expect(count: 100, in: names[sessions - 1])
            try client.child.finish()
          })
      },
      against: [
        Contender(name: "limit: C, frames only") {
          let client = Client(try Child(frames, on: bench.serverCPU))
          return Contender.Run(
            round: { try time(client, flood, messages, "itemAppeared", closing: names[0]) },
            finish: { try client.child.finish() })
        }
      ] + peers)
  }

  /// A name of 36 bytes, as long as a UUID.
  private static func sessionName(_ number: Int) -> String {
    let digits = String(number)
    return "5e55-4a7b-000000000003-c0ffee-" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// A notification within the zone must load a page, or the server drops what the flood is made of.
  private static func checkThatNotificationsCount(_ client: Client, _ session: String) throws {
    try client.child.send(Wire.request(nil, "itemAppeared", "{\"session\":\"\(session)\",\"position\":99}"))
    try client.readToEndOfLoad(session)
    try client.expect(count: 200, in: session)
  }

  /// The notifications, sessions and positions in a scattered order, none within a zone.
  private static func makeFlood(_ names: [String], _ messages: Int, _ method: String) -> [UInt8] {
    var flood: [UInt8] = []
    flood.reserveCapacity(messages * 150)
    var random: UInt64 = 0x9e37_79b9_7f4a_7c15
    for _ in 0..<messages {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let session = names[Int((random >> 33) % UInt64(names.count))]
      let position = Int((random >> 20) % 90)
      flood += Wire.request(nil, method, "{\"session\":\"\(session)\",\"position\":\(position)}")
    }
    return flood
  }

  /// Millions of notifications a second: from the first byte written to the answer to a request behind them.
  private static func time(
    _ client: Client, _ flood: [UInt8], _ messages: Int, _ method: String, closing session: String
  ) throws -> Double {
    let request = Wire.request(1, method, "{\"session\":\"\(session)\",\"position\":10}")
    let begin = bench_now()
    try client.child.send(flood)
    try client.child.send(request)
    _ = try client.reader.peersAnswer(to: 1)
    return Double(messages) / (Double(bench_now() - begin) / 1e3)
  }
}
