import CBenchSupport

/// How latency and memory grow, drawn and as data.
enum GrowthWorkload: Workload {
  static let name = "growth"
  static let summary =
    "how latency and memory grow, drawn into --plots DIR: sessions items page-size item-size file-size"
  static let isOnlyByName = true

  /// The axes, by their names on the command line.
  static var axes: [(name: String, measure: (Setting) throws -> GrowthAxis)] {
    [
      ("sessions", GrowthBySessions.measure), ("items", GrowthByItems.measure), ("page-size", GrowthByPageSize.measure),
      ("item-size", GrowthByItemSize.measure), ("file-size", GrowthByFileSize.measure),
    ]
  }

  static func measure(_ bench: Setting) throws -> [Row] {
    // All on one CPU: a wake-up across CPUs would hide what is measured.
    bench_pin(bench.serverCPU)
    defer { bench_pin(bench.clientCPU) }
    if let folder = bench.options.plots { try Files.makeFolder(folder) }
    var rows: [Row] = []
    let chosen = axes.filter { bench.options.axes.isEmpty || bench.options.axes.contains($0.name) }
    for axis in chosen {
      let measured = try axis.measure(bench)
      if let folder = bench.options.plots { try measured.write(to: folder) }
      rows += measured.rows
    }
    return rows
  }
}

/// A clock and the drawing of numbers, for what is measured operation by operation.
struct GrowthDice {
  private var state: UInt64

  init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// A number below `limit`, all as likely.
  mutating func draw(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(limit))
  }
}

extension Client {
  /// Sends a request and reads to its answer; the microseconds that took.
  func timedCall(_ method: String, _ params: String) throws -> Double {
    let id = newID()
    let request = Wire.request(id, method, params)
    let begin = bench_now()
    try child.send(request)
    _ = try reader.answer(to: id)
    return Double(bench_now() - begin) / 1e3
  }

  /// Reports an item and expects it to be at a position and to start nothing; the microseconds to the answer.
  func timedAppearance(_ session: String, _ item: String, at position: Int) throws -> Double {
    let id = newID()
    let request = Wire.request(id, "itemAppeared", "{\"session\":\"\(session)\",\(item)}")
    let begin = bench_now()
    try child.send(request)
    let answer = try reader.answer(to: id)
    let taken = Double(bench_now() - begin) / 1e3
    guard answer.has("\"decision\":\"idle\""), answer.has("\"position\":\(position)") else {
      throw Misbehaviour(program: child.name, what: "answered itemAppeared with \(answer.shown)")
    }
    return taken
  }

  /// Opens a session; the microseconds to its first page.
  func timedOpen(_ session: String, source: String, settings: String) throws -> Double {
    let request = Wire.request(
      newID(), "open", "{\"session\":\"\(session)\",\"source\":\(source),\(settings)}")
    let begin = bench_now()
    try child.send(request)
    let page = try reader.next { $0.prefix(200).has("\"method\":\"pageAppended\"") }
    let taken = Double(bench_now() - begin) / 1e3
    guard page.prefix(400).has("\"session\":\"\(session)\"") else {
      throw Misbehaviour(program: child.name, what: "sent a page of another session: \(page.shown)")
    }
    try readToEndOfLoad(session)
    return taken
  }

  /// Memory of the server's own, in bytes.
  var ownBytes: Double { Double(child.memory("RssAnon")) * 1024 }
  /// What the server has resident, its program with it, in bytes.
  var residentBytes: Double { Double(child.memory("VmRSS")) * 1024 }
}
