import CBenchSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A large log in a terminal: to its first screen and to its last.
enum FileViewWorkload: Workload {
  static let name = "file-view"
  static let summary = "a log of 1 GB in a terminal, spawn to its first screen and to its last, against less and lnav"

  private static let ending = "THE-LAST-LINE-OF-THE-LOG"
  /// Part of every line; so many on the screen make a screen.
  private static let part = "worker-"
  private static let screenLines = 25

  static func measure(_ bench: Setting) throws -> [Row] {
    let path = bench.folder + "/view.log"
    let block = Log.block(bytes: 1 << 20)
    let size = bench.logBytes(1000)
    try Files.write(path, block: block, size: size)
    try Files.overwrite(path, at: Files.size(path), Array("2025-11-30T13:59:59.999Z INFO \(ending)\n".utf8))
    // Colours or not, settings of the user's or not, makes a difference; so all have a terminal that is the same and no settings.
    let environment = [("TERM", "xterm-256color"), ("HOME", bench.folder), ("XDG_CONFIG_HOME", bench.folder)]
    let before = environment.map { ($0.0, getenv($0.0).map { String(cString: $0) }) }
    for (name, value) in environment { setenv(name, value, 1) }
    defer { for (name, value) in before { if let value { setenv(name, value, 1) } else { unsetenv(name) } } }

    func contender(_ peer: Peer, _ arguments: [String], rounds: Int, toTheEnd: Bool) -> Contender {
      let command = bench.peers.command(peer, arguments + [path])
      return Contender(name: peer.rawValue, rounds: rounds, install: command == nil ? peer.install : nil) {
        Contender.Run { try time(bench, command ?? Command(path: peer.rawValue), toTheEnd: toTheEnd) }
      }
    }
    func rows(_ place: String, _ source: String, toTheEnd: Bool) throws -> [Row] {
      let ours = Command(path: bench.server, arguments: ["browse", source])
      var contest = Contest(workload: "\(name), \(place)", unit: "ms", rounds: bench.rounds(9))
      contest.notes = ["\(size / 1_000_000) MB, \(TerminalChild.columns) columns, \(TerminalChild.rows) rows"]
      return try contest.rows(
        Contender(name: "pagewire browse") {
          Contender.Run { try time(bench, ours, toTheEnd: toTheEnd) }
        },
        against: [
          contender(.less, [], rounds: 9, toTheEnd: toTheEnd), contender(.lnav, [], rounds: 2, toTheEnd: toTheEnd),
        ])
    }
    let fromEnd = "{\"type\":\"file\",\"path\":\"\(path)\",\"format\":\"lines\",\"from\":\"end\"}"
    return try rows("first screen", path, toTheEnd: false) + rows("last screen", fromEnd, toTheEnd: true)
  }

  /// Milliseconds from spawn to the screen; the key for the end is pressed once there is a first one.
  private static func time(_ bench: Setting, _ command: Command, toTheEnd: Bool) throws -> Double {
    let begin = bench_now()
    let child = try TerminalChild(command, on: bench.serverCPU)
    try child.waitFor(part, times: screenLines)
    if toTheEnd {
      try child.type("G")
      try child.waitFor(ending)
    }
    return Double(bench_now() - begin) / 1e6
  }
}
