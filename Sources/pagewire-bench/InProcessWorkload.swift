import CBenchSupport

/// The same list within a front end, as one writes it in JavaScript where there is no server.
enum InProcessWorkload: Workload {
  static let name = "in-process"
  static let summary =
    "a list of 96 pages of 1,000 items to its end, against infinite scroll written in JavaScript in Node"

  private static let pages = 96
  private static let pageItems = 1000

  static func measure(_ bench: Setting) throws -> [Row] {
    let path = bench.folder + "/items.jsonl"
    let pages = bench.amount(pages, least: 4)
    let newline = UInt8(ascii: "\n")
    var text: [UInt8] = []
    for page in 0..<pages { text += Items.page(page, count: pageItems, separator: newline) + [newline] }
    try Files.write(path, block: text, size: text.count)
    let node = bench.peers.command(.node, script: "infinite-scroll.js", [path, "\(pageItems)"])
    var appearance: [Double] = []
    let contest = Contest(workload: "\(name), a page", unit: "us", rounds: bench.rounds(9))
    var rows = try contest.rows(
      Contender(name: "pagewire") {
        let client = try Client(bench)
        return Contender.Run(
          round: { try scroll(client, path, pages: pages) / 1e3 }, finish: { try client.child.finish() })
      },
      against: [
        Contender(name: "Node, in process", install: node == nil ? Peer.node.install : nil) {
          let script = try ScriptPeer(bench, node ?? Command(path: "node"))
          return Contender.Run {
            let figures = try script.round("go")
            guard figures.count == 3, figures[0] == Double(pages * pageItems) else {
              throw Misbehaviour(program: "infinite-scroll.js", what: "gave \(figures)")
            }
            appearance.append(figures[2])
            return figures[1] / 1e3
          }
        }
      ])
    rows[0].notes = [
      "\(pageItems) items of \(text.count / pages / pageItems) bytes a page; ours from a jsonl file through two pipes, as bytes that "
        + "a front end has yet to parse; Node's from text in memory, parsed"
    ]
    if !appearance.isEmpty {
      rows[0].notes.append(
        "an appearance outside the zone is a call of \(fixed(Statistics.median(appearance), 1)) ns there; here it is a message, "
          + "see notifications and roundtrip")
    }
    return rows
  }

  /// Nanoseconds that a page takes, one `loadMore` after the other.
  private static func scroll(_ client: Client, _ path: String, pages: Int) throws -> Double {
    let session = "s"
    let begin = bench_now()
    try client.openLoaded(
      session, source: "{\"type\":\"file\",\"path\":\"\(path)\",\"format\":\"jsonl\"}",
      settings: "\"pageSize\":\(pageItems)")
    for _ in 1..<pages { _ = try client.call("loadMore", "{\"session\":\"\(session)\"}") }
    let end = bench_now()
    try client.expect(count: pages * pageItems, in: session)
    try client.close(session)
    return Double(end - begin) / Double(pages)
  }
}
