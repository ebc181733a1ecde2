import CBenchSupport

/// Ten million items in one session: what an item costs, and whether looking one up costs more than among a thousand.
enum TenMillionWorkload: Workload {
  static let name = "ten-million"
  static let summary = "ten million items in a session: bytes an item, and itemAppeared by id against a thousand items"

  private static let page = 10_000
  /// Items loaded before memory is looked at, so that what grows once is not counted.
  private static let warm = 20_000
  private static let operations = 20_000
  private static let small = 1_000

  static func measure(_ bench: Setting) throws -> [Row] {
    bench_pin(bench.serverCPU)
    defer { bench_pin(bench.clientCPU) }
    let items = bench.amount(10_000_000)
    let client = try Client(bench)
    Watch.arm()
    try client.openLoaded(
      "small", source: "{\"type\":\"synthetic\",\"count\":null}", settings: "\"pageSize\":\(small)")
    try client.openLoaded(
      "large", source: "{\"type\":\"synthetic\",\"count\":null}", settings: "\"pageSize\":\(page)")
    try load(client, from: page, to: warm)
    let before = client.child.memory("VmRSS")
    try load(client, from: warm, to: items)
    let growth = client.child.memory("VmRSS") - before
    try client.expect(count: items, in: "large")

    let perItem = Row(
      workload: "ten-million, an item", unit: "bytes", baseline: "-",
      ours: [Double(growth) * 1024 / Double(items - warm)], theirs: [], target: .oursAtMost(32),
      notes: ["growth of a session from \(warm) to \(items) items with ids, dedupe on"])
    let contest = Contest(workload: "ten-million, by id", unit: "us", rounds: bench.rounds(9))
    let operations = bench.amount(operations)
    // The same ids in each round of either.
    func turns(_ session: String, among count: Int) -> () throws -> Contender.Run {
      var round = 0
      return {
        Contender.Run {
          round += 1
          return try time(client, session, among: count - 100, seed: round, times: operations)
        }
      }
    }
    let byID = try contest.rows(
      Contender(name: "ten million items", start: turns("large", among: items)),
      against: [
        Contender(name: "1,000 items", target: .ratioAtMost(1.5), start: turns("small", among: small))
      ])
    try client.child.finish()
    return [perItem] + byID
  }

  private static func load(_ client: Client, from start: Int, to end: Int) throws {
    var count = start
    while count < end {
      if count % 100_000 == 0 { Watch.arm() }
      _ = try client.call("loadMore", "{\"session\":\"large\"}")
      count += page
    }
  }

  /// The median time of an `itemAppeared` by an id drawn evenly, in microseconds.
  private static func time(
    _ client: Client, _ session: String, among count: Int, seed: Int, times operations: Int
  ) throws -> Double {
    var state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 | 1
    var times: [Double] = []
    times.reserveCapacity(operations)
    for number in 0..<operations {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      let id = 10 + Int(state % UInt64(count - 10))
      let request = Wire.request(number + 100_000, "itemAppeared", "{\"session\":\"\(session)\",\"id\":\(id)}")
      let begin = bench_now()
      try client.child.send(request)
      let answer = try client.reader.answer(to: number + 100_000)
      times.append(Double(bench_now() - begin) / 1e3)
      guard answer.has("\"position\":\(id)") else {
        throw Misbehaviour(program: client.child.name, what: "answered itemAppeared with \(answer.shown)")
      }
    }
    return Statistics.median(times)
  }
}
