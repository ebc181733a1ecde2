import CBenchSupport

/// The last pages of a million rows: against the first, and against what one would write in Python.
enum SQLiteKeysetWorkload: Workload {
  static let name = "sqlite-keyset"
  static let summary = "the last pages of a million rows, against the first pages and against Python's sqlite3"

  private static let pageRows = 20
  private static let pages = 50

  static func measure(_ bench: Setting) throws -> [Row] {
    guard let maker = bench.peers.command(.python, script: "make_database.py") else {
      return [Row(workload: name, baseline: Peer.python.rawValue, install: Peer.python.install)]
    }
    let path = bench.folder + "/million.db"
    let rows = bench.amount(1_000_000, least: 2 * pages * pageRows)
    Watch.arm()
    try bench.child(Command(path: maker.path, arguments: maker.arguments + [path, "\(rows)"])).finish()

    let before = rows - pages * pageRows
    let contest = Contest(
      workload: name, unit: "ms", rounds: bench.rounds(41), warmUp: 2,
      notes: [
        "a page of \(pageRows) rows, the mean of \(pages - 1), by an indexed column and the row id; "
          + "Python's are in its own process and made into JSON"
      ])
    func python(_ name: String, _ way: String) -> Contender {
      let script = bench.peers.command(.python, script: "sqlite_pages.py", [path, way])
      return Contender(name: name, rounds: 9) {
        let peer = try ScriptPeer(bench, script ?? maker)
        return Contender.Run { try time(peer, before) }
      }
    }
    let client = try Client(bench)
    return try contest.rows(
      Contender(name: "pagewire") {
        Contender.Run(
          round: { try time(client, path, ",\"startAt\":{\"after\":[\"i:\(before / 10)\",\"i:\(before)\"]}") },
          finish: { try client.child.finish() })
      },
      against: [
        Contender(name: "the first pages", target: .ratioAtMost(1.2)) {
          Contender.Run { try time(client, path, "") }
        },
        python("Python, LIMIT OFFSET", "offset"), python("Python, by key", "key"),
      ])
  }

  /// Milliseconds a page takes, of those after the first.
  private static func time(_ client: Client, _ path: String, _ start: String) throws -> Double {
    let session = "s"
    try client.openLoaded(
      session, source: "{\"type\":\"sqlite\",\"path\":\"\(path)\",\"table\":\"t\",\"key\":[{\"column\":\"made\"}]}",
      settings: "\"pageSize\":\(pageRows)\(start)")
    let begin = bench_now()
    for _ in 1..<pages { _ = try client.call("loadMore", "{\"session\":\"\(session)\"}") }
    let end = bench_now()
    try client.expect(count: pages * pageRows, in: session)
    try client.close(session)
    return Double(end - begin) / 1e6 / Double(pages - 1)
  }

  /// The same by a script.
  private static func time(_ peer: ScriptPeer, _ before: Int) throws -> Double {
    let figures = try peer.round("\(before) \(pages) \(pageRows)")
    guard figures.count == 2, figures[0] == Double(pages * pageRows) else {
      throw Misbehaviour(
        program: "sqlite_pages.py", what: "gave \(figures) instead of \(pages * pageRows) rows and a time")
    }
    return figures[1] / 1e6 / Double(pages)
  }
}
