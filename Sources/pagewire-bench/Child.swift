import CBenchSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program under measurement: its process and our ends of its standard input and output.
///
/// It is killed when nobody holds this any more, so that no failure leaves one running.
final class Child {
  let name: String
  let pid: pid_t
  private(set) var input: Int32
  let output: Int32
  private var ended = false
  private let errors: String?

  /// Starts a program, pinned to a CPU; what it says on standard error goes into the file `errors` where that is given.
  init(_ path: String, _ arguments: [String] = [], on cpu: Int32, errors: String? = nil) throws {
    self.errors = errors
    name = String(path.split(separator: "/").last ?? "?")
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    guard bench_pipe(&toChild) == 0, bench_pipe(&fromChild) == 0 else {
      throw Misbehaviour(program: path, what: "no pipes can be made: errno \(errno)")
    }
    var strings = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    let error = errors.map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) } ?? -1
    defer { if error >= 0 { close(error) } }
    pid = bench_spawn(path, &strings, toChild[0], fromChild[1], error, cpu)
    close(toChild[0])
    close(fromChild[1])
    input = toChild[1]
    output = fromChild[0]
    guard pid > 0 else {
      throw Misbehaviour(program: path, what: "cannot be started: \(String(cString: strerror(-pid)))")
    }
  }

  deinit { end() }

  /// Gives both its pipes room for a megabyte, as our server does for itself.
  func widenPipes() throws {
    for descriptor in [input, output] {
      let failure = bench_pipe_size(descriptor, 1 << 20)
      guard failure == 0 else {
        throw Misbehaviour(program: name, what: "cannot get pipes of a megabyte: errno \(failure)")
      }
    }
  }

  /// Writes a frame or several.
  func send(_ bytes: [UInt8]) throws {
    guard writeAll(input, bytes) else { throw failure("cannot be written to") }
  }

  /// Reads one line of what it writes, without its end.
  func line() throws -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let got = read(output, &byte, 1)
      if got < 0 && errno == EINTR && !Watch.expired { continue }
      guard got == 1 else { throw failure("closed its output") }
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
  }

  /// Reads what it writes to the end; how many bytes that were.
  func drain() throws -> Int { try readAll { _ in } }

  /// What it writes, to the end.
  func outputText() throws -> ArraySlice<UInt8> {
    var text: [UInt8] = []
    _ = try readAll { text += $0 }
    return text[...]
  }

  private func readAll(_ take: (ArraySlice<UInt8>) -> Void) throws -> Int {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var total = 0
    while true {
      let count = read(output, &buffer, buffer.count)
      if count == 0 { return total }
      if count < 0 {
        if errno == EINTR && !Watch.expired { continue }
        throw failure("could not be read from")
      }
      take(buffer[..<count])
      total += count
    }
  }

  /// Closes its standard input, and waits until it has ended; throws unless that is with status 0.
  func finish() throws {
    closeInput()
    Watch.arm()
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
      if errno == EINTR && !Watch.expired { continue }
      throw Misbehaviour(program: name, what: "did not end within a minute of the end of its input")
    }
    forget()
    if status != 0 { throw Misbehaviour(program: name, what: Child.describe(status: status)) }
  }

  /// Ends it at once.
  func end() {
    guard !ended else { return }
    kill(pid, SIGKILL)
    while waitpid(pid, nil, 0) < 0 && errno == EINTR {}
    closeInput()
    forget()
  }

  /// What to report where reading or writing failed: a time-out, its death, or `otherwise`, and what it said last.
  func failure(_ otherwise: String) -> Misbehaviour {
    var failure = cause(otherwise)
    if let last = errors.flatMap({ Files.lines($0).last }) { failure.what += ": \(last.prefix(200))" }
    return failure
  }

  private func cause(_ otherwise: String) -> Misbehaviour {
    if bench_interrupted() != 0 { return Misbehaviour(program: name, what: "was given up on a signal") }
    if Watch.expired { return Misbehaviour(program: name, what: "gave no answer in time (\(otherwise))") }
    var status: Int32 = 0
    for _ in 0..<100 where !ended {
      if waitpid(pid, &status, WNOHANG) == pid {
        closeInput()
        forget()
        return Misbehaviour(program: name, what: "\(Child.describe(status: status)) (\(otherwise))")
      }
      usleep(10_000)
    }
    return Misbehaviour(program: name, what: otherwise)
  }

  /// A field of `/proc/PID/status` in KiB, such as `VmRSS` or `VmHWM`; 0 where there is none.
  func memory(_ field: String) -> Int {
    for line in Files.lines("/proc/\(pid)/status") where line.hasPrefix(field + ":") {
      return Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1]) ?? 0
    }
    return 0
  }

  private static func describe(status: Int32) -> String {
    let signal = status & 0x7f
    return signal != 0 ? "was killed by signal \(signal)" : "ended with status \((status >> 8) & 0xff)"
  }

  /// Ends its standard input.
  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  private func forget() {
    guard !ended else { return }
    ended = true
    close(output)
  }
}
