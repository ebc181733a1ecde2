import CBenchSupport

/// Spawn to answered `initialize`.
enum StartWorkload: Workload {
  static let name = "start"
  static let summary = "spawn to answered initialize, against a C program that answers one frame"

  static func measure(_ bench: Setting) throws -> [Row] {
    let floor = try bench.baseline("pagewire-bench-answer")
    #if !DEBUG
      // The Swift driver links it; the flags that keep the Swift runtime out must have worked, or the floor lies.
      guard !Files.bytes(floor)[...].has("libswiftCore") else {
        throw Misbehaviour(program: floor, what: "is linked to the Swift runtime, so it is no floor")
      }
    #endif
    var ours: [Double] = []
    var theirs: [Double] = []
    for round in -2..<bench.rounds(61) {
      Watch.rest()
      let mine = try time(bench.server, bench)
      Watch.rest()
      let his = try time(floor, bench)
      if round < 0 { continue }
      ours.append(mine)
      theirs.append(his)
    }
    return [
      Row(
        workload: name, unit: "ms", baseline: "C, one frame", ours: ours, theirs: theirs, target: .ratioAtMost(2.0))
    ]
  }

  private static func time(_ program: String, _ bench: Setting) throws -> Double {
    Watch.arm()
    let begin = bench_now()
    let child = try Child(program, on: bench.serverCPU)
    try child.send(Wire.initialize)
    let body = try FrameReader(child, capacity: 8192).answer(to: 1)
    let end = bench_now()
    guard body.has("\"serverInfo\":") else {
      throw Misbehaviour(program: child.name, what: "answered initialize with \(body.shown)")
    }
    try child.finish()
    return Double(end - begin) / 1e6
  }
}
