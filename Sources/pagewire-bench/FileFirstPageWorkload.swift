import CBenchSupport

/// The first page of a huge file and of a small one.
enum FileFirstPageWorkload: Workload {
  static let name = "file-first-page"
  static let summary = "spawn to the first page of a 10 GB file, against a 10 KB file with the same server"

  private static let lines = 50

  static func measure(_ bench: Setting) throws -> [Row] {
    let huge = bench.folder + "/huge.log"
    let small = bench.folder + "/small.log"
    let block = Log.block(bytes: 1 << 20)
    try Files.write(huge, block: block, size: 8 << 20, length: 10_000_000_000)
    var kept = Array(block.prefix(10_240))
    while kept.last != UInt8(ascii: "\n") { kept.removeLast() }
    try Files.write(small, block: kept, size: kept.count)

    var ours: [Double] = []
    var theirs: [Double] = []
    for round in -2..<bench.rounds(41) {
      Watch.rest()
      let mine = try time(bench, huge)
      Watch.rest()
      let his = try time(bench, small)
      if round < 0 { continue }
      ours.append(mine)
      theirs.append(his)
    }
    let difference = Statistics.median(zip(ours, theirs).map { $0 - $1 })
    return [
      Row(
        workload: name, unit: "ms", baseline: "10 KB file", ours: ours, theirs: theirs, target: .ratioAtMost(1.1),
        notes: ["the 10 GB file takes \(fixed(difference, 3)) ms longer (median of the differences)"])
    ]
  }

  /// Milliseconds from spawn to the first `pageAppended`.
  private static func time(_ bench: Setting, _ path: String) throws -> Double {
    Watch.arm()
    let begin = bench_now()
    let child = try Child(bench.server, on: bench.serverCPU)
    let reader = FrameReader(child, capacity: 1 << 15)
    try child.send(
      Wire.request(
        2, "open",
        "{\"session\":\"s\",\"source\":{\"type\":\"file\",\"path\":\"\(path)\",\"format\":\"lines\"},\"pageSize\":\(lines)}"
      ))
    let page = try reader.next { $0.prefix(200).has("\"method\":\"pageAppended\"") }
    let end = bench_now()
    guard Wire.integer(page, after: "\"count\":") == lines else {
      throw Misbehaviour(program: child.name, what: "sent a first page that is not \(lines) lines: \(page.shown)")
    }
    try child.finish()
    return Double(end - begin) / 1e6
  }
}
