import Testing

@testable import PagewireClient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

struct ServerProcessTests {
  private func start(_ words: [String], _ errors: ServerProcess.ErrorOutput = .inherited) throws -> ServerProcess {
    try ServerProcess(try #require(ServerCommand(arguments: words)), errorOutput: errors)
  }

  private func readAll(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
    defer { chunk.deallocate() }
    while waitUntilReady(descriptor, events: Int32(POLLIN), milliseconds: 10_000) {
      guard case .moved(let count) = readOnce(descriptor, into: chunk) else { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func aProgramThatDoesNotExistIsOneClearError() {
    let expected = ClientError(
      .cannotStart, "cannot start the server \"/no/such/program\": No such file or directory")
    #expect(throws: expected) { try start(["/no/such/program"]) }
    #expect(throws: ClientError.self) { try start(["/"]) }
  }

  @Test func bytesGoThroughBothPipes() throws {
    let process = try start(["cat"])
    #expect(Array("hello".utf8).withUnsafeBytes { writeOnce(process.input, $0) } == .moved(5))
    process.closeInput()
    #expect(readAll(process.output) == "hello")
    #expect(process.waitForExit(milliseconds: 10_000) == .exited(0))
  }

  @Test func theChildSeesOnlyItsOwnEnds() throws {
    // With an end of another child's pipe inherited, that child's `cat` would never see the end of its input.
    let first = try start(["cat"])
    let second = try start(["cat"])
    first.closeInput()
    #expect(readAll(first.output) == "")
    #expect(first.waitForExit(milliseconds: 10_000) == .exited(0))
    #expect(second.stop() == .exited(0))
  }

  @Test func theWayAChildEndsIsKnown() throws {
    #expect(try start(["sh", "-c", "exit 7"]).waitForExit(milliseconds: 10_000) == .exited(7))
    #expect(try start(["sh", "-c", "kill -9 $$"]).waitForExit(milliseconds: 10_000) == .signalled(9))
    #expect(ExitStatus.exited(7).text == "exited with status 7")
  }

  @Test func aCapturedErrorOutputIsReadApart() throws {
    let process = try start(["sh", "-c", "echo out; echo err >&2"], .captured)
    #expect(readAll(process.output) == "out\n")
    #expect(readAll(process.errors) == "err\n")
    #expect(process.waitForExit(milliseconds: 10_000) == .exited(0))
  }

  @Test func aChildThatIgnoresItsEndIsForced() throws {
    let process = try start(["sh", "-c", "trap '' TERM; echo up; while :; do sleep 1; done"])
    var byte: UInt8 = 0
    #expect(waitUntilReady(process.output, events: Int32(POLLIN), milliseconds: 10_000))
    #expect(withUnsafeMutableBytes(of: &byte) { readOnce(process.output, into: $0) } == .moved(1))
    #expect(process.stop(graceMilliseconds: 10) == .signalled(SIGKILL))
  }

  @Test func theChildHasDefaultSignals() throws {
    signal(SIGPIPE, SIG_IGN)
    let process = try start(["sh", "-c", "kill -PIPE $$; exit 3"])
    #expect(process.waitForExit(milliseconds: 10_000) == .signalled(SIGPIPE))
  }
}
