import CBenchSupport

/// A compressed log, paged through to its end.
enum FileGzipWorkload: Workload {
  static let name = "file-gzip"
  static let summary = "a compressed log paged through by 1,000 lines, against zcat, both in bytes of the text"

  private static let pageLines = 1000
  private static let textBytes = 128 << 20

  static func measure(_ bench: Setting) throws -> [Row] {
    let plain = bench.folder + "/packed.log"
    // A block large enough that it does not repeat within what deflate looks back on.
    let block = Log.block(bytes: 16 << 20)
    let blocks = bench.amount(textBytes) / block.count + 1
    let lines = blocks * block.count { $0 == UInt8(ascii: "\n") }
    let size = blocks * block.count
    try Files.write(plain, block: block, size: size)
    Watch.arm()
    try bench.child(Command(path: "/bin/gzip", arguments: ["-6", "-f", plain])).finish()
    let path = plain + ".gz"
    let contest = Contest(
      workload: name, unit: "MB/s", rounds: bench.rounds(3), warmUp: 0,
      notes: [
        "\(size / 1_000_000) MB of text in \(Files.size(path) / 1_000_000) MB, one loadMore of \(pageLines) lines after the other"
      ])
    return try contest.rows(
      Contender(name: "pagewire") {
        Contender.Run {
          let client = try Client(bench)
          let nanoseconds = try scroll(client, path, lines)
          try client.child.finish()
          return Double(size) / nanoseconds * 1e3
        }
      },
      against: [
        Contender(name: "limit: zcat") { Contender.Run { Double(size) / (try baseline(bench, path, size)) * 1e3 } }
      ])
  }

  private static func scroll(_ client: Client, _ path: String, _ lines: Int) throws -> Double {
    let begin = bench_now()
    try client.openLoaded(
      "s", source: "{\"type\":\"file\",\"path\":\"\(path)\"}", settings: "\"pageSize\":\(pageLines),\"maxItems\":10000")
    var loaded = pageLines
    while loaded < lines {
      Watch.arm()
      let answer = try client.call("loadMore", "{\"session\":\"s\"}")
      guard let added = Wire.integer(answer, after: "\"added\":"), added > 0 else {
        throw Misbehaviour(program: client.child.name, what: "ended after \(loaded) of \(lines) lines: \(answer.shown)")
      }
      loaded += added
    }
    return Double(bench_now() - begin)
  }

  private static func baseline(_ bench: Setting, _ path: String, _ size: Int) throws -> Double {
    let begin = bench_now()
    let child = try bench.child(Command(path: "/bin/zcat", arguments: [path]))
    let count = try child.drain()
    let end = bench_now()
    guard count == size else {
      throw Misbehaviour(program: child.name, what: "wrote \(count) bytes where \(size) are due")
    }
    try child.finish()
    return Double(end - begin)
  }
}
