import Testing

@testable import PageSources

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct ChildProcessTests {
  private func shell(_ script: String, in directory: String? = nil, environment: [String] = []) -> Program {
    Program(
      path: Array("/bin/sh".utf8), arguments: ["sh", "-c", script].map { Array($0.utf8) },
      environment: environment.map { Array($0.utf8) }, directory: directory.map { Array($0.utf8) })
  }

  /// Everything that a child writes until it closes its output.
  private func output(of child: ChildProcess) -> String {
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    let flag = CancellationFlag()
    while true {
      var waiting = [pollfd(fd: child.output, events: Int16(POLLIN), revents: 0)]
      _ = flag.wait(for: &waiting)
      let count = bytes.withUnsafeMutableBytes { read(child.output, $0.baseAddress, $0.count) }
      if count == 0 { return String(decoding: text, as: UTF8.self) }
      if count > 0 { text += bytes[..<count] }
    }
  }

  /// How a child ends; ten seconds at most.
  private func end(of child: ChildProcess) -> ProcessEnd? {
    var waiting = [pollfd(fd: child.endDescriptor, events: Int16(POLLIN), revents: 0)]
    poll(&waiting, 1, 10_000)
    return child.end
  }

  @Test func outputErrorsAndStatusOfAProgramAreKnown() throws {
    let child = try ChildProcess.start(shell("echo out; echo first >&2; printf 'last words' >&2; exit 3"))
    #expect(output(of: child) == "out\n")
    #expect(end(of: child) == .exited(3))
    #expect(child.errorTail.lastLine == "last words")
    #expect(String(decoding: child.errorTail.text, as: UTF8.self) == "first\nlast words")
    child.stop()
    #expect(endsSoon(child.id))
  }

  @Test func aProgramGetsNothingOfOursButWhatItIsGiven() throws {
    // Descriptors without close-on-exec and ignored signals would all be inherited.
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let script =
      "ls -l /proc/self/fd | wc -l; readlink /proc/self/fd/0; grep -E '^Sig(Ign|Blk)' /proc/self/status; env; pwd"
    let program = shell(script, in: "/", environment: ["A=b", "PATH=/usr/bin:/bin"])
    let lines = output(of: try ChildProcess.start(program)).split(separator: "\n")
    // 0, 1, 2, the directory itself, and a line of its own that `ls` writes.
    #expect(lines.first == "5")
    #expect(lines.dropFirst().first == "/dev/null")
    #expect(lines.contains("SigBlk:\t0000000000000000"))
    let ignored = lines.first { $0.hasPrefix("SigIgn:") }?.dropFirst(8)
    #expect((Int(ignored ?? "", radix: 16) ?? -1) & 0x7FFF_FFFF == 0, "a signal below 32 is ignored")
    #expect(lines.contains("A=b"))
    #expect(lines.last == "/")
  }

  @Test func aSignalThatEndsAProgramIsNamed() throws {
    let child = try ChildProcess.start(shell("kill -KILL $$"))
    #expect(end(of: child) == .signalled(SIGKILL))
    #expect(child.end?.description == "was ended by signal SIGKILL")
    child.stop()
  }

  @Test func stoppingEndsTheWholeGroup() throws {
    let child = try ChildProcess.start(shell("sleep 1000 & echo $!; wait", environment: ["PATH=/usr/bin:/bin"]))
    var bytes = [UInt8](repeating: 0, count: 64)
    var waiting = [pollfd(fd: child.output, events: Int16(POLLIN), revents: 0)]
    poll(&waiting, 1, 10_000)
    let count = read(child.output, &bytes, bytes.count)
    let inner = try #require(pid_t(String(decoding: bytes[..<max(0, count - 1)], as: UTF8.self)))
    #expect(kill(inner, 0) == 0)
    child.stop()
    #expect(endsSoon(child.id))
    #expect(endsSoon(inner))
  }

  @Test func aProgramThatDoesNotListenIsKilled() throws {
    let child = try ChildProcess.start(
      shell("trap '' TERM; echo ready; while :; do sleep 1; done", environment: ["PATH=/usr/bin:/bin"]))
    var waiting = [pollfd(fd: child.output, events: Int16(POLLIN), revents: 0)]
    poll(&waiting, 1, 10_000)
    child.stop(graceMilliseconds: 50)
    #expect(end(of: child) == .signalled(SIGKILL))
    #expect(endsSoon(child.id))
  }

  @Test func whatCannotBeStartedSaysWhy() {
    let missing = Program(path: Array("/no/such".utf8), arguments: [Array("such".utf8)], environment: [])
    #expect(fault(missing) == "Cannot start \"such\": No such file or directory")
    let directory = Program(path: Array("/".utf8), arguments: [Array("/".utf8)], environment: [])
    #expect(fault(directory) == "Cannot start \"/\": Permission denied")
    #expect(
      fault(shell("true", in: "/no/such")) == "Cannot run \"sh\" in the directory /no/such: No such file or directory")
  }

  private func fault(_ program: Program) -> String? {
    do throws(StartFault) {
      _ = try ChildProcess.start(program)
      return nil
    } catch {
      return "\(error.what): \(error.reason)"
    }
  }

  @Test func endlessErrorsNeitherBlockNorAreKept() throws {
    let child = try ChildProcess.start(
      shell("yes xxxxxxx | head -c 3000000 >&2; echo end >&2", environment: ["PATH=/usr/bin:/bin"]))
    #expect(end(of: child) == .exited(0))
    #expect(child.errorTail.text.count <= ProcessLimits.errorTailBytes)
    #expect(child.errorTail.lastLine == "end")
    child.stop()
  }
}
