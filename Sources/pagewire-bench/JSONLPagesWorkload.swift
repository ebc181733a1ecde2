import CBenchSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Items out of a file of JSON lines.
enum JSONLPagesWorkload: Workload {
  static let name = "jsonl-pages"
  static let summary = "pages of 1,000 items out of a jsonl file, against cat moving the same file"

  static let pageItems = 1000
  static let pages = 96
  /// So many sessions page through the file at the same time, as one alone waits for its own answers.
  private static let sessions = 4

  static func measure(_ bench: Setting) throws -> [Row] {
    let path = bench.folder + "/items.jsonl"
    let size = try write(path)
    func rate(_ nanoseconds: Double) -> Double { Double(size * sessions) / nanoseconds * 1e3 }
    let cat = try ClientPagesWorkload.catPath()
    let contest = Contest(
      workload: name, unit: "MB/s", rounds: bench.rounds(15),
      notes: ["\(size / pages / pageItems) bytes a line, \(sessions) sessions at a time, default pipes"])
    return try contest.rows(
      Contender(name: "pagewire") {
        let client = try Client(bench)
        var round = 0
        return Contender.Run(
          round: {
            round += 1
            return rate(try time(client, path, size: size, round: round))
          }, finish: { try client.child.finish() })
      },
      against: [
        Contender(name: "limit: cat", target: .ratioAtLeast(1)) {
          Contender.Run { rate(try timeCopy(cat, path, bytes: size * sessions, isWide: false, bench)) }
        },
        Contender(name: "cat, 1 MiB pipes", target: .ratioAtLeast(0.4)) {
          Contender.Run { rate(try timeCopy(cat, path, bytes: size * sessions, isWide: true, bench)) }
        },
      ] + peers(bench, path, size: size))
  }

  /// Writes the file; how many bytes it has.
  private static func write(_ path: String) throws -> Int {
    let newline = UInt8(ascii: "\n")
    let text = (0..<pages).flatMap { Items.page($0, count: pageItems, separator: newline) + [newline] }
    try Files.write(path, block: text, size: text.count)
    return text.count
  }

  /// Nanoseconds from the first `open` to the last page of the last session.
  private static func time(_ client: Client, _ path: String, size: Int, round: Int) throws -> Double {
    let child = client.child
    let names = (0..<sessions).map { "r\(round)s\($0)" }
    var left = [Int](repeating: pages, count: sessions)
    var received = 0
    let begin = bench_now()
    for name in names {
      let source = "{\"type\":\"file\",\"path\":\"\(path)\",\"format\":\"jsonl\"}"
      try child.send(
        Wire.request(
          client.newID(), "open",
          "{\"session\":\"\(name)\",\"source\":\(source),\"pageSize\":\(pageItems)}"))
    }
    while left.contains(where: { $0 > 0 }) {
      let body = try client.reader.next()
      let head = body.prefix(200)
      guard head.has("\"method\":\"pageAppended\"") else {
        try client.reader.refuseErrors(body)
        continue
      }
      guard let name = Wire.text(head, after: "\"session\":\"", upTo: [UInt8(ascii: "\"")]),
        let session = names.firstIndex(of: name)
      else { throw Misbehaviour(program: child.name, what: "sent \(body.shown)") }
      received += body.count
      left[session] -= 1
      if left[session] > 0 {
        try child.send(Wire.request(client.newID(), "loadMore", "{\"session\":\"\(name)\"}"))
      }
    }
    let end = bench_now()
    guard received >= size * sessions else {
      throw Misbehaviour(program: child.name, what: "sent \(received) bytes of pages where \(size * sessions) are due")
    }
    for name in names {
      try client.expect(count: pages * pageItems, in: name)
      try client.close(name)
    }
    return Double(end - begin)
  }

  /// Nanoseconds in which `cat` writes the file as often as there are sessions, its start left out as far as it can be.
  private static func timeCopy(
    _ cat: String, _ path: String, bytes: Int, isWide: Bool, _ bench: Setting
  ) throws -> Double {
    let child = try Child(cat, ["-"] + [String](repeating: path, count: sessions), on: bench.serverCPU)
    if isWide { try child.widenPipes() }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var left = bytes
    let begin = bench_now()
    child.closeInput()
    while left > 0 {
      let got = read(child.output, &buffer, buffer.count)
      if got < 0 && errno == EINTR && !Watch.expired { continue }
      guard got > 0 else { throw child.failure("closed its output") }
      left -= got
    }
    let end = bench_now()
    try child.finish()
    return Double(end - begin)
  }
}
