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

    return try places.flatMap { (place, from) in
      var contest = Contest(workload: "\(name), \(place)", unit: "ms", rounds: bench.rounds(41), warmUp: 2)
      contest.notes = ["the 10 GB file is sparse: 8 MB of lines at its start, in its middle and at its end"]
      return try contest.rows(
        Contender(name: "10 GB file") { Contender.Run { try time(bench, huge, from) } },
        against: [
          Contender(name: "10 KB file", target: .excessAtMost(2)) { Contender.Run { try time(bench, small, from) } }
        ])
    }
  }

  private static func time(_ bench: Setting, _ path: String, _ from: String) throws -> Double {
    let source = "{\"type\":\"file\",\"path\":\"\(path)\",\"format\":\"lines\",\"from\":\(from)}"
    return try time(bench, source: source)
  }

  /// Milliseconds from spawn to the first `pageAppended` of a source, which has a page of 50 lines.
  static func time(_ bench: Setting, source: String) throws -> Double {
    let begin = bench_now()
    let child = try Child(bench.server, on: bench.serverCPU)
    let reader = FrameReader(child, capacity: 1 << 15)
    try child.send(
      Wire.request(2, "open", "{\"session\":\"s\",\"source\":\(source),\"pageSize\":\(lines)}"))
    let page = try reader.next { $0.prefix(200).has("\"method\":\"pageAppended\"") }
    let end = bench_now()
    guard Wire.integer(page, after: "\"count\":") == lines else {
      throw Misbehaviour(program: child.name, what: "sent a page that is not \(lines) lines: \(page.shown)")
    }
    try child.finish()
    return Double(end - begin) / 1e6
  }
}
