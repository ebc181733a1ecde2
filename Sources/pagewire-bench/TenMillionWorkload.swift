import CBenchSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ten million items in one session: what an item costs, and whether looking one up costs more than among a thousand.
enum TenMillionWorkload: Workload {
  static let name = "ten-million"
  static let summary = "ten million items in a session: bytes an item, and itemAppeared by id against a thousand items"

  private static let items = 10_000_000
  private static let page = 10_000
  /// Items loaded before memory is looked at, so that what grows once is not counted.
  private static let warm = 20_000
  private static let operations = 20_000
  private static let small = 1_000

  static func measure(_ bench: Setting) throws -> [Row] {
    bench_pin(bench.serverCPU)
    defer { bench_pin(bench.clientCPU) }
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

    var ours: [Double] = []
    var theirs: [Double] = []
    for round in -1..<bench.rounds(9) {
      Watch.rest()
      let mine = try time(client, "large", among: items - 100, seed: round)
      Watch.rest()
      let his = try time(client, "small", among: small - 100, seed: round)
      if round < 0 { continue }
      ours.append(mine)
      theirs.append(his)
    }
    try client.child.finish()
    return [
      Row(
        workload: "ten-million, an item", unit: "bytes", baseline: "-",
        ours: [Double(growth) * 1024 / Double(items - warm)], theirs: [],
        notes: ["growth of a session from \(warm) to \(items) items with ids, dedupe on"]),
      Row(
        workload: "ten-million, by id", unit: "us", baseline: "1,000 items", ours: ours, theirs: theirs,
        target: .ratioAtMost(1.5)),
    ]
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
  private static func time(_ client: Client, _ session: String, among count: Int, seed: Int) throws -> Double {
    Watch.arm()
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
