import CBenchSupport

/// The command: chooses the workloads, runs them, prints the tables.
enum Bench {
  /// Workloads that make one table.
  struct Group {
    var title: String
    var workloads: [any Workload.Type]
  }

  static var groups: [Group] {
    [
      Group(title: "Start", workloads: [StartWorkload.self]),
      Group(title: "Round trip", workloads: [RoundTripWorkload.self]),
      Group(title: "Notifications", workloads: [NotificationsWorkload.self]),
      Group(title: "Pages", workloads: [ClientPagesWorkload.self, JSONLPagesWorkload.self, InProcessWorkload.self]),
      Group(
        title: "Files",
        workloads: [
          FilePageWorkload.self, FileScrollWorkload.self, FileIndexWorkload.self, FileGzipWorkload.self,
          FileViewWorkload.self,
        ]),
      Group(title: "Databases and APIs", workloads: [SQLiteKeysetWorkload.self, HTTPPagesWorkload.self]),
      Group(title: "Memory and size", workloads: [MemoryWorkload.self, TenMillionWorkload.self]),
      Group(title: "Growth", workloads: [GrowthWorkload.self]),
    ]
  }

  /// Runs what the arguments ask for, and returns the exit status: 0, 1 where a program misbehaved, 2 for bad usage.
  static func run(arguments: [String]) -> Int32 {
    let options: Options
    do {
      options = try Options(
        arguments: arguments, known: groups.flatMap { $0.workloads.map { $0.name } },
        axes: GrowthWorkload.axes.map(\.name))
    } catch {
      complain("pagewire-bench: \(error.message)\n\(Options.usage)")
      return 2
    }
    if options.help {
      print(Options.usage)
      return 0
    }
    bench_prepare_signals()
    do {
      if options.list {
        printList(Peers(options: options))
        return 0
      }
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      return try run(Setting(options: options, folder: folder.path))
    } catch {
      complain("pagewire-bench: \(error)")
      return 1
    }
  }

  private static func run(_ bench: Setting) throws -> Int32 {
    let wanted = bench.options.workloads
    bench.describe()
    var tables: [(title: String, rows: [Row])] = []
    for group in groups {
      let workloads = group.workloads.filter { wanted.isEmpty ? !$0.isOnlyByName : wanted.contains($0.name) }
      if workloads.isEmpty { continue }
      var rows: [Row] = []
      for workload in workloads {
        rows += outcome(of: workload, bench).filter { $0.install == nil || !bench.options.own }
        if bench_interrupted() != 0 { return 128 + bench_interrupted() }
      }
      Report.printTable(group.title, rows)
      tables.append((group.title, rows))
    }
    let rows = tables.flatMap { $0.rows }
    if !bench.options.smoke { Report.printTargets(rows) }
    Report.printAbsent(rows)
    if let path = bench.options.json {
      try Files.write(path, text: JSONReport.text(tables, about: bench.facts))
    }
    return rows.contains { $0.failure != nil } ? 1 : 0
  }

  private static func outcome(of workload: any Workload.Type, _ bench: Setting) -> [Row] {
    defer { Watch.disarm() }
    do {
      return try workload.measure(bench)
    } catch {
      let failure = error as? Misbehaviour ?? Misbehaviour(program: "pagewire-bench", what: "\(error)")
      complain("pagewire-bench: \(workload.name): \(failure.program): \(failure.what)")
      return [Row(workload: workload.name, failure: failure.what)]
    }
  }

  private static func printList(_ peers: Peers) {
    for group in groups {
      print("\(group.title)")
      for workload in group.workloads { print("  \(pad(workload.name, 20))\(workload.summary)") }
    }
    print("Peers")
    for peer in Peer.allCases {
      let state = peers.command(peer).map { $0.path } ?? "not installed: \(peer.install)"
      print("  \(pad(peer.rawValue, 20))\(peer.summary)\n  \(pad("", 20))\(state)")
    }
  }
}
