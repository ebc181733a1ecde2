import CBenchSupport

/// The counting of a large file's lines, behind its first page.
enum FileIndexWorkload: Workload {
  static let name = "file-index"
  static let summary = "the lines of a log that the page cache holds counted behind its first page, against wc -l"

  static func measure(_ bench: Setting) throws -> [Row] {
    let path = bench.folder + "/index.log"
    let block = Log.block(bytes: 1 << 20)
    let blocks = max(1, bench.logBytes() / block.count)
    let size = blocks * block.count
    let lines = blocks * block.count { $0 == UInt8(ascii: "\n") }
    try Files.write(path, block: block, size: size)
    // The round that is not counted brings the file into the page cache.
    let contest = Contest(
      workload: name, unit: "MB/s", rounds: bench.rounds(9),
      notes: ["\(size / 1_000_000) MB, \(lines) lines, by one thread, from the first page to $/progress end"])
    func rate(_ nanoseconds: Double) -> Double { Double(size) / nanoseconds * 1e3 }
    return try contest.rows(
      Contender(name: "pagewire") {
        Contender.Run {
          let client = try Client(bench)
          let nanoseconds = try count(client, path, lines)
          try client.child.finish()
          return rate(nanoseconds)
        }
      },
      against: [
        Contender(name: "limit: read") { Contender.Run { rate(try Files.timeReading(path, on: bench)) } },
        Contender(name: "wc -l", target: .oursAtLeast(2000)) {
          Contender.Run { rate(try baseline(bench, path, lines)) }
        },
      ])
  }

  /// Nanoseconds from the first page to the end of the count.
  private static func count(_ client: Client, _ path: String, _ lines: Int) throws -> Double {
    let id = client.newID()
    try client.child.send(
      Wire.request(
        id, "open",
        "{\"session\":\"s\",\"source\":{\"type\":\"file\",\"path\":\"\(path)\",\"countTotal\":true},\"workDoneToken\":1}"
      ))
    _ = try client.reader.next { $0.prefix(200).has("\"method\":\"pageAppended\"") }
    let begin = bench_now()
    let body = try client.reader.next { $0.has("\"method\":\"$/progress\"") && $0.has("\"kind\":\"end\"") }
    let end = bench_now()
    guard body.has("\"\(lines) items\"") else {
      throw Misbehaviour(program: client.child.name, what: "counted something else than \(lines) lines: \(body.shown)")
    }
    return Double(end - begin)
  }

  /// Nanoseconds from spawn to the answer, which are some 600,000 too many.
  private static func baseline(_ bench: Setting, _ path: String, _ lines: Int) throws -> Double {
    let begin = bench_now()
    let child = try bench.child(Command(path: "/usr/bin/wc", arguments: ["-l", path]))
    let text = try child.outputText()
    let end = bench_now()
    guard text.has("\(lines) ") else {
      throw Misbehaviour(program: child.name, what: "counted something else than \(lines) lines: \(text.shown)")
    }
    try child.finish()
    return Double(end - begin)
  }
}
