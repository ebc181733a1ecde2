import CBenchSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program in a terminal of its own, of which we see what it draws.
///
/// It is killed when nobody holds this any more.
final class TerminalChild {
  static let columns: Int32 = 200
  static let rows: Int32 = 50

  private let name: String
  private let pid: pid_t
  private var terminal: Int32 = -1
  /// What it has drawn, without control sequences.
  private var text: [UInt8] = []
  private var sequence = Sequence.none

  /// Where in a control sequence the last byte was.
  private enum Sequence {
    case none, escape, control, operatingSystem, charset
  }

  init(_ command: Command, on cpu: Int32) throws {
    name = String(command.path.split(separator: "/").last ?? "?")
    var strings = ([command.path] + command.arguments).map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    pid = bench_spawn_in_terminal(command.path, &strings, Self.columns, Self.rows, cpu, &terminal)
    guard pid > 0 else {
      throw Misbehaviour(program: name, what: "cannot be started in a terminal: \(String(cString: strerror(-pid)))")
    }
  }

  deinit {
    // Its whole session, and what it may have started in it.
    kill(-pid, SIGKILL)
    kill(pid, SIGKILL)
    while waitpid(pid, nil, 0) < 0 && errno == EINTR {}
    close(terminal)
  }

  /// Presses keys.
  func type(_ keys: String) throws {
    guard writeAll(terminal, Array(keys.utf8)) else { throw Misbehaviour(program: name, what: "takes no keys") }
  }

  /// Reads what it draws until some text has been drawn so many times.
  func waitFor(_ wanted: String, times: Int = 1) throws {
    var left = times
    var from = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      while let at = Wire.offset(of: wanted, in: text[from...]) {
        left -= 1
        from = at + wanted.utf8.count
        if left == 0 { return }
      }
      let got = read(terminal, &buffer, buffer.count)
      if got < 0 && errno == EINTR && !Watch.expired { continue }
      guard got > 0 else {
        let shown = String(decoding: text.suffix(200), as: UTF8.self)
        let what = Watch.expired ? "did not draw \(wanted) in time" : "ended before it drew \(wanted)"
        throw Misbehaviour(program: name, what: "\(what); the last it drew: \(shown)")
      }
      for byte in buffer[..<got] { take(byte) }
    }
  }

  /// Keeps text and leaves out what moves the cursor or colours.
  private func take(_ byte: UInt8) {
    switch sequence {
    case .none:
      if byte == 0x1b { sequence = .escape } else if byte >= 0x20 { text.append(byte) }
    case .escape:
      sequence =
        switch byte {
        case UInt8(ascii: "["): .control
        case UInt8(ascii: "]"), UInt8(ascii: "P"): .operatingSystem
        case UInt8(ascii: "("), UInt8(ascii: ")"): .charset
        default: .none
        }
    case .control:
      if (0x40...0x7e).contains(byte) { sequence = .none }
    case .operatingSystem:
      if byte == 0x07 { sequence = .none } else if byte == 0x1b { sequence = .charset }
    case .charset: sequence = .none
    }
  }
}
