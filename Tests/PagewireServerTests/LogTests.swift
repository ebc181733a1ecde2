import Testing

@testable import PagewireServer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct LogTests {
  /// A path in the temporary folder that nothing else uses.
  private func path(_ name: String) -> String { "/tmp/pagewire-log-\(getpid())-\(name)" }

  @Test func aReaderThatDoesNotKeepUpIsNotWaitedFor() throws {
    let path = path("fifo")
    unlink(path)
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let log = try #require(Log(path: path, level: .debug))
    for _ in 0..<100 { log.write(.info, String(repeating: "x", count: 100_000)) }
    var bytes = [UInt8](repeating: 0, count: 9)
    #expect(bytes.withUnsafeMutableBytes { SystemCalls.read(reader, $0) } == 9)
    #expect(bytes == Array("pagewire:".utf8))
  }

  @Test func onlyWhatMattersEnoughIsMade() throws {
    let path = path("file")
    unlink(path)
    defer { unlink(path) }
    let log = try #require(Log(path: path, level: .warning))
    log.write(.error, "one")
    log.write(.warning, "two")
    log.write(.info, "three")
    log.write(.debug, "four")
    let reader = open(path, O_RDONLY)
    defer { close(reader) }
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = bytes.withUnsafeMutableBytes { SystemCalls.read(reader, $0) }
    #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "pagewire: error: one\npagewire: warning: two\n")
  }

  @Test func aFileThatCannotBeWrittenIsNoLog() {
    #expect(Log(path: "/", level: .error) == nil)
    #expect(Log(path: "/none/none", level: .error) == nil)
  }
}
