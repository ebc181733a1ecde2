import Testing

@testable import PagewireServer

@Suite struct ServerArgumentsTests {
  private func options(_ arguments: [String]) throws -> ServerOptions {
    guard case .serve(let options) = try ServerArguments.parse(arguments) else {
      throw ServerArguments.UsageError(message: "does not serve")
    }
    return options
  }

  @Test func valuesComeWithAnEqualsSignOrAfterABlank() throws {
    let one = try options([
      "--stdio", "--allow=items,client", "--drain-timeout=5", "--max-frame=131072", "--max-header=64", "--max-depth=8",
      "--max-queued-output=65536", "--log=/x=y", "--log-level=debug",
    ])
    let other = try options([
      "--allow", "items,client", "--drain-timeout", "5", "--max-frame", "131072", "--max-header", "64", "--max-depth",
      "8", "--max-queued-output", "65536", "--log", "/x=y", "--log-level", "debug",
    ])
    for options in [one, other] {
      #expect(options.allowedSources == ["items", "client"])
      #expect(options.drainTimeoutMs == 5)
      #expect(options.maxFrameBytes == 131_072)
      #expect(options.maxHeaderBytes == 64)
      #expect(options.maxDepth == 8)
      #expect(options.maxQueuedOutputBytes == 65_536)
      #expect(options.logPath == "/x=y")
      #expect(options.logLevel == .debug)
    }
  }

  @Test func unknownOptionsOfEditorsArePassedOver() throws {
    _ = try options(["--clientProcessId=4711", "--node-ipc", "--socket=1", "--"])
  }

  @Test func versionAndHelpAreAnsweredWhateverElseIsThere() throws {
    guard case .version = try ServerArguments.parse(["--max-depth=9", "--version"]) else {
      Issue.record("no version")
      return
    }
    for help in ["--help", "-h"] {
      guard case .help = try ServerArguments.parse([help, "nonsense"]) else {
        Issue.record("no help")
        return
      }
    }
  }

  @Test(arguments: [
    ["serve"], ["-x"], [""], ["--max-frame"], ["--max-frame="], ["--max-frame=131071"], ["--max-frame=1e9"],
    ["--max-frame", "-1"], ["--max-frame=99999999999999999999"], ["--max-header=63"], ["--max-depth=7"],
    ["--max-depth=1000001"], ["--drain-timeout=-1"], ["--max-queued-output=65535"], ["--log"], ["--log="],
    ["--log-level=loud"], ["--log-level"], ["--allow="], ["--allow"],
  ])
  func whatIsWrongIsSaidInOneLine(arguments: [String]) {
    let error = #expect(throws: ServerArguments.UsageError.self) { try ServerArguments.parse(arguments) }
    #expect(error?.message.contains("\n") == false)
    #expect(error?.message.isEmpty == false)
  }
}
