import Testing

@testable import PagewireServer

/// Timers as sessions use them: each fires at its own time, whatever else of the session fires or is set meanwhile.
@Suite struct TimerTests {
  @Test func aTimerIsNotPutOffByALaterOneThatIsSetWhenAnEarlierFires() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a", #""timeoutMs":50000,"retry":{"initialDelayMs":100,"jitter":0}"#)
    probe.answerFetch(first, #"{"items":[{"id":1}],"next":"n","previous":"p"}"#)
    _ = try probe.take()
    probe.notify("loadMore", #"{"session":"a"}"#)
    probe.failFetch(try probe.fetch()["id"])
    probe.advance(by: 50)
    probe.notify("loadPrevious", #"{"session":"a"}"#)
    probe.failFetch(try probe.fetch()["id"])
    _ = try probe.take()
    probe.advance(by: 50)
    #expect(try probe.lines() == [#"fetchPage "more" "n" 1/1"#])
    probe.advance(by: 50)
    #expect(try probe.lines() == [#"fetchPage "previous" "p" -1/0"#])
  }

  @Test func twoSlowPagesOfASessionComeAtTheirOwnTimes() throws {
    var probe = try ServerProbe()
    try probe.open("a", #"{"type":"synthetic","start":10,"latencyMs":100}"#, #""pageSize":2"#)
    probe.advance(by: 100)
    _ = try probe.take()
    probe.notify("loadMore", #"{"session":"a"}"#)
    probe.advance(by: 50)
    probe.notify("loadPrevious", #"{"session":"a"}"#)
    probe.notify("itemAppeared", #"{"session":"a","position":1}"#)
    _ = try probe.take()
    probe.advance(by: 50)
    #expect(try probe.lines().first == "pageAppended 2 [12,13]")
    probe.advance(by: 50)
    #expect(try probe.lines().first == "pagePrepended -2 [8,9]")
  }

  @Test func retriesWithoutDelayLeaveTheLoopToOthers() throws {
    var probe = try ServerProbe()
    try probe.open(
      "a", #"{"type":"synthetic","fail":[{"page":0,"times":9007199254740992}]}"#,
      #""retry":{"retries":9007199254740992,"initialDelayMs":0,"maxDelayMs":0}"#)
    for _ in 0..<100 {
      probe.server.now += 1
      probe.server.fireTimers()
      probe.server.deliverReady()
    }
    #expect(try probe.lines().count <= 100)
    _ = try probe.call("close", #"{"session":"a"}"#)
    #expect(probe.isAtRest)
  }

  @Test func whatIsOverdueFiresInTheOrderOfTime() throws {
    var probe = try ServerProbe()
    try probe.open("a", #"{"type":"synthetic","latencyMs":300}"#, #""timeoutMs":200,"retry":{"retries":0}"#)
    probe.oversleep(1_000)
    #expect(try probe.lines() == [#"loadFailed "initial" 1007 try 1"#, #"loaded "initial": "failed""#])
  }

  @Test func theLongestDelaysDoNotOverflow() throws {
    var probe = try ServerProbe()
    let most = 9_007_199_254_740_992
    try probe.open(
      "a",
      #"{"type":"synthetic","latencyMs":\#(most),"jitterMs":\#(most)}"#, #""timeoutMs":\#(most)"#)
    _ = try probe.call("close", #"{"session":"a"}"#)
    let first = try probe.openClient(
      "a",
      #""timeoutMs":\#(most),"retry":{"retries":\#(most),"initialDelayMs":\#(most),"maxDelayMs":\#(most),"jitter":1}"#)
    probe.failFetch(first, #"{"code":1,"message":"","data":{"retryAfterMs":\#(most)}}"#)
    #expect(try probe.state()["pendingRetryInMs"] == .number("\(most)"))
    _ = try probe.call("close", #"{"session":"a"}"#)
    #expect(probe.isAtRest)
  }
}
