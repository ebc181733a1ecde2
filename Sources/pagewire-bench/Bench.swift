import CBenchSupport

/// The command: chooses the workloads, runs them, prints the table.
enum Bench {
  static var workloads: [any Workload.Type] {
    [
      StartWorkload.self, RoundTripWorkload.self, NotificationsWorkload.self, ClientPagesWorkload.self,
      FilePageWorkload.self, FileScrollWorkload.self, FileIndexWorkload.self, FileGzipWorkload.self,
      SQLiteKeysetWorkload.self, HTTPPagesWorkload.self, MemoryWorkload.self, TenMillionWorkload.self,
      GrowthWorkload.self,
    ]
  }

  /// Runs what the arguments ask for, and returns the exit status: 0, 1 where a program misbehaved, 2 for bad usage.
  static func run(arguments: [String]) -> Int32 {
    let options: Options
    do {
      options = try Options(
        arguments: arguments, known: workloads.map { $0.name }, axes: GrowthWorkload.axes.map(\.name))
    } catch {
      complain("pagewire-bench: \(error.message)\n\(Options.usage)")
      return 2
    }
    if options.help {
      print(Options.usage)
      for workload in workloads { print("  \(pad(workload.name, 18))\(workload.summary)") }
      return 0
    }
    bench_prepare_signals()
    do {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let bench = try Setting(options: options, folder: folder.path)
      bench.describe()
      var rows: [Row] = []
      var failed = false
      let named = options.workloads
      for workload in workloads where named.isEmpty ? !workload.isOnlyByName : named.contains(workload.name) {
        do {
          rows += try workload.measure(bench)
        } catch let error as Misbehaviour {
          failed = true
          complain("pagewire-bench: \(workload.name): \(error.program): \(error.what)")
          rows.append(Row(workload: workload.name, failure: error.what))
        }
        Watch.disarm()
        if bench_interrupted() != 0 { return 128 + bench_interrupted() }
      }
      Row.printTable(rows)
      return failed ? 1 : 0
    } catch {
      complain("pagewire-bench: \(error)")
      return 1
    }
  }
}
