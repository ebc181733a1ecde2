import CBenchSupport

/// Spawn to answered `initialize`, and to the first page of a file.
enum StartWorkload: Workload {
  static let name = "start"
  static let summary = "spawn to answered initialize, and to the first page of a file"

  static func measure(_ bench: Setting) throws -> [Row] {
    let floor = try bench.baseline("pagewire-bench-answer")
    #if !DEBUG
      // The Swift driver links it; the flags that keep the Swift runtime out must have worked, or the floor lies.
      guard !Files.bytes(floor)[...].has("libswiftCore") else {
        throw Misbehaviour(program: floor, what: "is linked to the Swift runtime, so it is no floor")
      }
    #endif
    return try greeting(bench, floor) + firstPage(bench, floor)
  }

  private static func greeting(_ bench: Setting, _ floor: String) throws -> [Row] {
    let nothing = try bench.baseline("pagewire-bench-noop")
    let contest = Contest(workload: name, unit: "ms", rounds: bench.rounds(61), warmUp: 2)
    let peers = try MessagePeer.all(bench).map { peer in
      peer.contender(rounds: 9, target: peer.isLSPType ? .aheadAtLeast(50) : .none) { command in
        Contender.Run { try time(try bench.child(command)) }
      }
    }
    return try contest.rows(
      Contender(name: "pagewire") { Contender.Run { try timeToTheEnd(bench, bench.server) } },
      against: [
        Contender(name: "limit: exec and exit") { Contender.Run { try timeNothing(bench, nothing) } },
        Contender(name: "C, one frame", target: .ratioAtMost(1.3)) {
          Contender.Run { try timeToTheEnd(bench, floor) }
        },
      ] + peers)
  }

  private static func firstPage(_ bench: Setting, _ floor: String) throws -> [Row] {
    let path = bench.folder + "/first.log"
    try Files.write(path, block: Log.block(bytes: 10_000), size: 1)
    let source = "{\"type\":\"file\",\"path\":\"\(path)\"}"
    let contest = Contest(workload: "start, first page", unit: "ms", rounds: bench.rounds(61), warmUp: 2)
    return try contest.rows(
      Contender(name: "pagewire") { Contender.Run { try FilePageWorkload.time(bench, source: source) } },
      against: [
        Contender(name: "C, one frame", target: .ratioAtMost(2)) { Contender.Run { try timeToTheEnd(bench, floor) } }
      ])
  }

  /// Milliseconds to the answer of one of our own, which must end well when its input does.
  private static func timeToTheEnd(_ bench: Setting, _ path: String) throws -> Double {
    let begin = bench_now()
    let child = try Child(path, on: bench.serverCPU)
    let milliseconds = try time(child, since: begin)
    try child.finish()
    return milliseconds
  }

  /// Milliseconds to the answer.
  private static func time(_ child: @autoclosure () throws -> Child, since begin: Int64 = bench_now()) throws -> Double
  {
    let child = try child()
    try child.send(Wire.initialize)
    let answer = try FrameReader(child, capacity: 8192).peersAnswer(to: 1)
    let end = bench_now()
    guard answer[...].has("\"result\":") else {
      throw Misbehaviour(program: child.name, what: "answered initialize with \(answer[...].shown)")
    }
    return Double(end - begin) / 1e6
  }

  /// Milliseconds to the end of a program that does nothing, as its closed output shows it.
  private static func timeNothing(_ bench: Setting, _ path: String) throws -> Double {
    let begin = bench_now()
    let child = try Child(path, on: bench.serverCPU)
    _ = try child.drain()
    let end = bench_now()
    try child.finish()
    return Double(end - begin) / 1e6
  }
}
