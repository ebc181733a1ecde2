import CBenchSupport

/// A page of a huge file and of a small one: the first, the last, and the one in the middle.
enum FilePageWorkload: Workload {
  static let name = "file-page"
  static let summary = "spawn to the first, the last and the middle page of a 10 GB file, against a 10 KB file"

  private static let lines = 50
  private static let hugeBytes = 10_000_000_000
  private static let places = [
    ("first", "\"start\""), ("last", "\"end\""), ("middle", "{\"fraction\":0.5}"),
  ]

  static func measure(_ bench: Setting) throws -> [Row] {
    let huge = bench.folder + "/huge.log"
    let small = bench.folder + "/small.log"
    let block = Log.block(bytes: 1 << 20)
    // Lines at the start, in the middle and at the end, and holes between them.
    try Files.write(huge, block: block, size: 8 << 20, length: hugeBytes)
    for middle in stride(from: hugeBytes / 2 - 4 * block.count, to: hugeBytes / 2 + 4 * block.count, by: block.count) {
      try Files.overwrite(huge, at: middle, block)
    }
    for end in stride(from: hugeBytes - 8 * block.count, to: hugeBytes, by: block.count) {
      try Files.overwrite(huge, at: end, block)
    }
    var kept = Array(block.prefix(10_240))
    while kept.last != UInt8(ascii: "\n") { kept.removeLast() }
    try Files.write(small, block: kept, size: kept.count)

    return try places.map { (place, from) in
      var ours: [Double] = []
      var theirs: [Double] = []
      for round in -2..<bench.rounds(41) {
        Watch.rest()
        let mine = try time(bench, huge, from)
        Watch.rest()
        let his = try time(bench, small, from)
        if round < 0 { continue }
        ours.append(mine)
        theirs.append(his)
      }
      let difference = Statistics.median(zip(ours, theirs).map { $0 - $1 })
      return Row(
        workload: "\(name) \(place)", unit: "ms", baseline: "10 KB file", ours: ours, theirs: theirs,
        target: .excessAtMost(2),
        notes: ["the 10 GB file takes \(fixed(difference, 3)) ms longer (median of the differences)"])
    }
  }

  /// Milliseconds from spawn to the first `pageAppended`.
  private static func time(_ bench: Setting, _ path: String, _ from: String) throws -> Double {
    Watch.arm()
    let begin = bench_now()
    let child = try Child(bench.server, on: bench.serverCPU)
    let reader = FrameReader(child, capacity: 1 << 15)
    try child.send(
      Wire.request(
        2, "open",
        "{\"session\":\"s\",\"source\":{\"type\":\"file\",\"path\":\"\(path)\",\"format\":\"lines\",\"from\":\(from)},"
          + "\"pageSize\":\(lines)}"))
    let page = try reader.next { $0.prefix(200).has("\"method\":\"pageAppended\"") }
    let end = bench_now()
    guard Wire.integer(page, after: "\"count\":") == lines else {
      throw Misbehaviour(program: child.name, what: "sent a page that is not \(lines) lines: \(page.shown)")
    }
    try child.finish()
    return Double(end - begin) / 1e6
  }
}
