import CBenchSupport

/// A flood of `itemAppeared` notifications over many sessions.
enum NotificationsWorkload: Workload {
  static let name = "notifications"
  static let summary = "itemAppeared notifications through a pipe over 1,000 sessions, against C that only cuts frames"

  private static let sessions = 1000
  private static let messages = 400_000

  static func measure(_ bench: Setting) throws -> [Row] {
    let client = try Client(bench)
    let names = (0..<sessions).map(sessionName)
    for session in names {
      try client.openLoaded(session, source: "{\"type\":\"synthetic\",\"count\":1000}", settings: "\"pageSize\":100")
    }
    try checkThatNotificationsCount(client, names[0])
    let flood = makeFlood(names)
    let floor = Client(try Child(try bench.baseline("pagewire-bench-parse"), on: bench.serverCPU))

    var ours: [Double] = []
    var theirs: [Double] = []
    for round in -1..<bench.rounds(11) {
      Watch.rest()
      let mine = try time(client, flood, closing: names[0])
      Watch.rest()
      let his = try time(floor, flood, closing: names[0])
      if round < 0 { continue }
      ours.append(mine)
      theirs.append(his)
    }
    try client.expect(count: 200, in: names[0])
    try client.expect(count: 100, in: names[sessions - 1])
    try client.child.finish()
    try floor.child.finish()
    let size = fixed(Double(flood.count) / Double(messages), 0)
    return [
      Row(
        workload: name, unit: "M/s", baseline: "C, frames only", ours: ours, theirs: theirs, target: .oursAtLeast(4.0),
        notes: ["\(size) bytes a message, header included; the floor only cuts frames and looks for an \"id\""])
    ]
  }

  /// A name of 36 bytes, as long as a UUID.
  private static func sessionName(_ number: Int) -> String {
    let digits = String(number)
    return "5e55-4a7b-000000000003-c0ffee-" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// A notification within the zone must load a page, or the server drops what the flood is made of.
  private static func checkThatNotificationsCount(_ client: Client, _ session: String) throws {
    Watch.arm()
    try client.child.send(Wire.request(nil, "itemAppeared", "{\"session\":\"\(session)\",\"position\":99}"))
    try client.readToEndOfLoad(session)
    try client.expect(count: 200, in: session)
  }

  /// The notifications, sessions and positions in a scattered order, none within a zone.
  private static func makeFlood(_ names: [String]) -> [UInt8] {
    var flood: [UInt8] = []
    flood.reserveCapacity(messages * 150)
    var random: UInt64 = 0x9e37_79b9_7f4a_7c15
    for _ in 0..<messages {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let session = names[Int((random >> 33) % UInt64(names.count))]
      let position = Int((random >> 20) % 90)
      flood += Wire.request(nil, "itemAppeared", "{\"session\":\"\(session)\",\"position\":\(position)}")
    }
    return flood
  }

  /// Millions of notifications a second: from the first byte written to the answer to a request behind them.
  private static func time(_ client: Client, _ flood: [UInt8], closing session: String) throws -> Double {
    Watch.arm()
    let request = Wire.request(1, "itemAppeared", "{\"session\":\"\(session)\",\"position\":10}")
    let begin = bench_now()
    try client.child.send(flood)
    try client.child.send(request)
    _ = try client.reader.answer(to: 1)
    return Double(messages) / (Double(bench_now() - begin) / 1e3)
  }
}
