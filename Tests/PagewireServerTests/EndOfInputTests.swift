import Testing

@testable import PagewireServer

@Suite struct EndOfInputTests {
  @Test func whatRunsIsFinishedAndNothingElseBegins() throws {
    var probe = try ServerProbe()
    try probe.open("a", #"{"type":"synthetic","latencyMs":50}"#, #""pageSize":5"#)
    probe.notify("itemAppeared", #"{"session":"a","position":0}"#)
    let waiting = probe.request("loadMore", #"{"session":"a"}"#)
    probe.server.endInput()
    #expect(!probe.hasFinished)
    probe.advance(by: 50)
    #expect(
      try probe.lines() == [
        "pageAppended 0 [0,1,2,3,4]", #"loaded "initial": "loaded""#, "answer to \(waiting): coalesced",
      ])
    #expect(probe.hasFinished)
    probe.advance(by: 10_000)
    #expect(try probe.take().isEmpty)
  }

  @Test func retriesAreAwaited() throws {
    var probe = try ServerProbe()
    try probe.open(
      "a", #"{"type":"synthetic","count":1,"fail":[{"page":0,"times":2}]}"#,
      #""retry":{"initialDelayMs":10,"jitter":0}"#)
    probe.server.endInput()
    probe.advance(by: 10)
    #expect(!probe.hasFinished)
    probe.advance(by: 20)
    #expect(try probe.lines().last == #"loaded "initial": "loaded""#)
    #expect(probe.hasFinished)
  }

  @Test func theFrontEndsOwnPagesFailAtOnceAndInOrder() throws {
    var probe = try ServerProbe()
    for name in ["a", "b", "c", "d"] { _ = try probe.openClient(name) }
    probe.server.endInput()
    probe.turn()
    let failed = try probe.take().filter { $0["method"] == "loadFailed" }
    #expect(failed.map { $0["params"]["session"] } == ["a", "b", "c", "d"])
    #expect(failed.allSatisfy { $0["params"]["willRetry"] == false && $0["params"]["error"]["code"] == 1004 })
    #expect(probe.hasFinished)
  }

  @Test func aRetryOfTheFrontEndsOwnPageFailsToo() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a", #""retry":{"initialDelayMs":10,"jitter":0}"#)
    probe.failFetch(first)
    probe.server.endInput()
    probe.advance(by: 10)
    #expect(try probe.lines().suffix(2) == [#"loadFailed "initial" 1004 try 2"#, #"loaded "initial": "failed""#])
    #expect(probe.hasFinished)
  }

  @Test func whatIsNotFinishedInTimeIsCancelledAndAnswered() throws {
    var probe = try ServerProbe()
    try probe.open("a", #"{"type":"synthetic","latencyMs":50000}"#)
    let waiting = probe.request("loadMore", #"{"session":"a"}"#)
    probe.server.endInput()
    probe.advance(by: 10_000)
    probe.server.closeAllSessions()
    #expect(try probe.lines() == ["error -32800 to \(waiting)"])
    #expect(probe.isAtRest)
  }

  @Test func inputThatEndsInAFrameIsReported() throws {
    var probe = try ServerProbe()
    probe.server.handleTruncatedInput()
    let message = try #require(try probe.take().first)
    #expect(message["id"] == nil)
    #expect(message["error"]["code"] == -32700)
  }
}
