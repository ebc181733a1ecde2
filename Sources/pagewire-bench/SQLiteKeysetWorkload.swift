import CBenchSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The last pages of a million rows and the first.
enum SQLiteKeysetWorkload: Workload {
  static let name = "sqlite-keyset"
  static let summary = "pages up to number 50,000 of a million rows, against the first pages of the same table"

  private static let pageRows = 20
  private static let pages = 50
  private static let rows = 1_000_000

  static func measure(_ bench: Setting) throws -> [Row] {
    let places: [String] = ["/usr/bin/python3", "/usr/local/bin/python3", "/bin/python3"]
    guard let python = places.first(where: { place in access(place, X_OK) == 0 }) else {
      throw Misbehaviour(program: "python3", what: "is not here, and makes the database")
    }
    let path = bench.folder + "/million.db"
    Watch.arm()
    try Child(python, ["-c", makeDatabase, path, "\(rows)"], on: bench.serverCPU).finish()

    let before = rows - pages * pageRows
    var ours: [Double] = []
    var theirs: [Double] = []
    for round in -2..<bench.rounds(41) {
      Watch.rest()
      let client = try Client(bench)
      let late = try time(
        client, "late", path, startingAt: ",\"startAt\":{\"after\":[\"i:\(before / 10)\",\"i:\(before)\"]}")
      let early = try time(client, "early", path, startingAt: "")
      try client.child.finish()
      if round < 0 { continue }
      ours.append(late)
      theirs.append(early)
    }
    return [
      Row(
        workload: name, unit: "ms/page", baseline: "the first pages", ours: ours, theirs: theirs,
        target: .ratioAtMost(1.2),
        notes: [
          "\(pages - 1) pages of \(pageRows) rows, one loadMore after the other, by an indexed column and the row id"
        ])
    ]
  }

  /// Milliseconds a page takes, of those after the first.
  private static func time(
    _ client: Client, _ session: String, _ path: String, startingAt start: String
  ) throws -> Double {
    Watch.arm()
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

  /// Ten rows have one value of the key, so that pages begin within them.
  private static let makeDatabase = """
    import sqlite3, sys
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    connection.execute("PRAGMA journal_mode=OFF")
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("BEGIN")
    connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, made INTEGER, name TEXT)")
    connection.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + sys.argv[2] + ") "
      "INSERT INTO t SELECT i, i / 10, 'row ' || i FROM n")
    connection.execute("CREATE INDEX by_made ON t(made)")
    connection.execute("COMMIT")
    """
}
