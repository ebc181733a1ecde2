import CBenchSupport

/// Resident memory: at rest, a session's, an item's.
enum MemoryWorkload: Workload {
  static let name = "memory"
  static let summary = "resident memory after the first answer, bytes a session of 10,000, bytes an item of a million"

  private static let sessions = 10_000
  private static let items = 1_000_000

  static func measure(_ bench: Setting) throws -> [Row] {
    try [rest(bench), sessionRow(bench, loaded: false), sessionRow(bench, loaded: true), itemRow(bench)]
  }

  private static func rest(_ bench: Setting) throws -> Row {
    let client = try Client(bench)
    let mine = client.child.memory("VmRSS")
    let own = client.child.memory("RssAnon")
    try client.child.finish()
    let floor = Client(try Child(try bench.baseline("pagewire-bench-answer"), on: bench.serverCPU))
    Watch.arm()
    try floor.child.send(Wire.initialize)
    _ = try floor.reader.answer(to: 1)
    let his = floor.child.memory("VmRSS")
    try floor.child.finish()
    return Row(
      workload: "memory, at rest", unit: "KiB", baseline: "C, one frame", ours: [Double(mine)], theirs: [Double(his)],
      notes: ["\(own) KiB of it are its own; the rest are the program's file, as much as the system cares to map"])
  }

  private static func sessionRow(_ bench: Setting, loaded: Bool) throws -> Row {
    let client = try Client(bench)
    let before = client.child.memory("VmRSS")
    for number in 0..<sessions {
      if number % 1000 == 0 { Watch.arm() }
      let session = "session-\(number)"
      let source = "{\"type\":\"synthetic\",\"count\":100}"
      if loaded {
        try client.openLoaded(session, source: source)
      } else {
        _ = try client.call("open", "{\"session\":\"\(session)\",\"source\":\(source),\"autoload\":false}")
      }
    }
    let growth = client.child.memory("VmRSS") - before
    try client.expect(count: loaded ? 20 : 0, in: "session-\(sessions - 1)")
    try client.child.finish()
    return Row(
      workload: loaded ? "memory, a session with 20 items" : "memory, a session", unit: "bytes", baseline: "-",
      ours: [Double(growth) * 1024 / Double(sessions)], theirs: [])
  }

  private static func itemRow(_ bench: Setting) throws -> Row {
    let client = try Client(bench)
    let page = 1000
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
      notes: ["growth of a session from 20,000 to 1,000,000 items with ids"])
  }
}
