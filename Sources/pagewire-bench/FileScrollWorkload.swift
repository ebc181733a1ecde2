import CBenchSupport

/// A large log, paged through to its end.
enum FileScrollWorkload: Workload {
  static let name = "file-scroll"
  static let summary = "a log paged through by 1,000 lines, against a Python loop that frames the same; peak memory"

  private static let pageLines = 1000
  /// Python reads this much of the same log; it is slow, and its pace does not change on the way.
  private static let baselineBytes = 32 << 20

  static func measure(_ bench: Setting) throws -> [Row] {
    let path = bench.folder + "/scroll.log"
    let block = Log.block(bytes: 1 << 20)
    let linesInBlock = block.count { $0 == UInt8(ascii: "\n") }
    let blocks = max(1, bench.logBytes() / block.count)
    let size = blocks * block.count
    try Files.write(path, block: block, size: size)
    let partBlocks = min(blocks, max(1, baselineBytes / block.count))
    let partSize = partBlocks * block.count
    let loop = bench.peers.command(.python, script: "file_loop.py", ["\(partSize)"])

    let contest = Contest(workload: name, unit: "MB/s", rounds: bench.rounds(3), warmUp: 0)
    var notes = ["\(size / 1_000_000) MB, \(blocks * linesInBlock) lines, one loadMore after the other"]
    var rows = try contest.rows(
      Contender(name: "pagewire") {
        Contender.Run {
          let client = try Client(bench)
          let run = try scroll(client, path, lines: blocks * linesInBlock, settings: ",\"maxItems\":10000")
          try client.child.finish()
          if notes.count == 1 { notes.append(run.memory) }
          return Double(size) / run.nanoseconds * 1e3
        }
      },
      against: [
        Contender(name: "limit: read") {
          Contender.Run { Double(size) / (try Files.timeReading(path, on: bench)) * 1e3 }
        },
        Contender(
          name: "Python loop", target: .ratioAtLeast(3), install: loop == nil ? Peer.python.install : nil
        ) {
          Contender.Run {
            let peer = Client(try bench.child(loop ?? Command(path: "python3")))
            let run = try scroll(peer, path, lines: partBlocks * linesInBlock, settings: "")
            try peer.child.finish()
            return Double(partSize) / run.nanoseconds * 1e3
          }
        },
      ])
    rows[0].notes = notes
    return rows
  }

  private static func openRequest(_ id: Int, _ session: String, _ path: String, _ settings: String) -> [UInt8] {
    Wire.request(
      id, "open",
      "{\"session\":\"\(session)\",\"source\":{\"type\":\"file\",\"path\":\"\(path)\",\"format\":\"lines\"},"
        + "\"pageSize\":\(pageLines)\(settings)}")
  }

  /// Pages through the file, and checks that every line came once.
  private static func scroll(
    _ client: Client, _ path: String, lines: Int, settings: String
  ) throws -> (nanoseconds: Double, memory: String) {
    var received = 0
    var early = 0
    let begin = bench_now()
    try client.child.send(openRequest(client.newID(), "s", path, settings))
    // Only a copy of the head of a page is kept: to hold the reader's buffer would make it copy all of it.
    var head = Array(try client.reader.next { $0.prefix(200).has("\"method\":\"pageAppended\"") }.prefix(200))
    while true {
      guard Wire.integer(head[...], after: "\"start\":") == received else {
        throw Misbehaviour(program: client.child.name, what: "sent a page out of place: \(head[...].shown)")
      }
      let id = client.newID()
      try client.child.send(Wire.request(id, "loadMore", "{\"session\":\"s\"}"))
      var pages = 0
      let answer = try client.reader.next {
        if FrameReader.isAnswer($0, to: id) { return true }
        if $0.prefix(200).has("\"method\":\"pageAppended\"") {
          pages += 1
          head = Array($0.prefix(200))
        }
        return false
      }
      try client.reader.refuseErrors(answer)
      received += pageLines
      if received * 10 >= lines && early == 0 { early = client.child.memory("VmHWM") }
      if pages == 0 { break }
      if received % 100_000 == 0 { Watch.arm() }
    }
    let nanoseconds = Double(bench_now() - begin)
    guard let last = Wire.integer(head[...], after: "\"start\":"), last / pageLines == (lines - 1) / pageLines else {
      throw Misbehaviour(program: client.child.name, what: "ended before the file did: \(head[...].shown)")
    }
    let peak = client.child.memory("VmHWM")
    return (nanoseconds, "peak memory \(peak) KiB; it was \(early) KiB after a tenth of the file")
  }
}
