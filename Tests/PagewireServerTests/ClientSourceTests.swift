import Testing

@testable import PagewireServer

/// The front end as the source of its own list: what it may answer to `fetchPage`, and what becomes of it.
@Suite struct ClientSourceTests {
  @Test func fetchPageSaysWhatIsWanted() throws {
    var probe = try ServerProbe()
    probe.request("open", #"{"session":"a","source":{"type":"client","params":{"q":[1.0]}},"pageSize":7}"#)
    let first = try probe.fetch()
    #expect(
      "\(first["params"])"
        == #"{"session":"a","generation":1,"kind":"initial","cursor":null,"page":0,"offset":0,"limit":7,"params":{"q":[1.0]}}"#
    )
    probe.answerFetch(first["id"], #"{"items":[1,2,3],"next":{"c":1.0}}"#)
    probe.notify("loadMore", #"{"session":"a"}"#)
    let second = try probe.fetch()["params"]
    #expect(second["kind"] == "more")
    #expect("\(second["cursor"])" == #"{"c":1.0}"#)
    #expect(second["page"] == 1)
    #expect(second["offset"] == 3)
  }

  @Test func itemsGoThroughByteForByte() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a")
    let items = #"{"id":1.0 , "x":[ 1e2,"\u0041\ud800"]},  -0,"é",{"b":1,"a":2,"a":3}"#
    probe.answerFetch(first, #"{"items":[ \#(items) ],"next":null}"#)
    let text = String(decoding: probe.server.outbox.take(), as: UTF8.self)
    let parts = [#"{"id":1.0 , "x":[ 1e2,"\u0041\ud800"]}"#, "-0", #""é""#, #"{"b":1,"a":2,"a":3}"#]
    #expect(text.contains(#""items":[\#(parts.joined(separator: ","))]"#))
    #expect(text.contains(#""ids":[null,null,null,null]"#))
  }

  @Test func idsAreFoundByPathElseTakenFromTheSourcesOwn() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a", #""idPath":"/k/0""#)
    probe.answerFetch(
      first,
      #"{"items":[{"k":["a"]},{"k":["\u0061"]},{"k":[1]},{"k":["1"]},{"k":[1.5]},{"k":1},5],"ids":[9,9,9,9,8,null,"x"],"#
        + #""next":null}"#)
    let page = try probe.take().first { $0["method"] == "pageAppended" }?["params"] ?? .absent
    #expect(page["ids"] == ["a", 1, "1", 8, nil, "x"])
    #expect(page["duplicates"] == 1)
    #expect(try probe.call("itemAppeared", #"{"session":"a","id":"x"}"#)["result"]["position"] == 5)
    #expect(try probe.call("itemAppeared", #"{"session":"a","id":8}"#)["result"]["position"] == 3)
    #expect(try probe.call("itemAppeared", #"{"session":"a","id":9}"#)["result"]["decision"] == "unknown")
  }

  @Test(arguments: [
    "7", "[]", "null", #""x""#, "{}", #"{"items":{}}"#, #"{"items":null}"#, #"{"items":[1],"ids":[]}"#,
    #"{"items":[1],"ids":3}"#, #"{"items":[],"hasMore":"yes"}"#, #"{"items":[],"total":1.5}"#,
    #"{"items":[],"total":-1}"#,
  ])
  func whatIsNoPageIsABadPage(result: String) throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a")
    let waiting = probe.request("loadMore", #"{"session":"a"}"#)
    probe.answerFetch(first, result)
    let messages = try probe.take()
    #expect(
      messages.map(brief) == [
        #"loadFailed "initial" 1010 try 1"#, #"loaded "initial": "failed""#, "error 1010 to \(waiting)",
      ])
    #expect(messages.first?["params"]["error"] == messages.last?["error"])
    #expect(try probe.state()["error"]["initial"]["data"]["name"] == "badPage")
  }

  @Test(arguments: [
    #""result":{"items":[]},"error":{"code":1,"message":"x"}"#, #""error":{"code":"1","message":"x"}"#,
    #""error":{"code":1}"#,
    #""error":7"#, #""error":null"#,
  ])
  func whatIsNoResponseIsABadPage(members: String) throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a")
    probe.send(#"{"jsonrpc":"2.0","id":\#(first),\#(members)}"#)
    #expect(try probe.lines().first == #"loadFailed "initial" 1010 try 1"#)
    #expect(probe.server.frontEndCalls.isEmpty)
  }

  @Test func anErrorIsRetriedAndKeptAsTheCause() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a", #""retry":{"retries":1,"initialDelayMs":40,"jitter":0}"#)
    let waiting = probe.request("loadMore", #"{"session":"a"}"#)
    probe.failFetch(first, #"{"code":7,"message":"q\u0041","data":[1.0]}"#)
    let failed = try #require(try probe.take().first)
    #expect(brief(failed) == #"loadFailed "initial" 1004 try 1, again in 40"#)
    #expect("\(failed["params"]["error"]["data"]["cause"])" == #"{"code":7,"message":"qA","data":[1.0]}"#)
    #expect(failed["params"]["error"]["message"].text?.contains("qA") == true)
    #expect(try probe.state()["pendingRetryInMs"] == 40)
    probe.advance(by: 39)
    #expect(try probe.take().isEmpty)
    probe.advance(by: 1)
    probe.failFetch(try probe.fetch()["id"])
    #expect(
      try probe.lines() == [
        #"loadFailed "initial" 1004 try 2"#, #"loaded "initial": "failed""#, "error 1004 to \(waiting)",
      ])
    #expect(try probe.state()["phase"] == "failedFirst")
  }

  @Test func theSourceSaysWhetherAndWhenToTryAgain() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a", #""retry":{"maxDelayMs":1000}"#)
    probe.failFetch(first, #"{"code":1,"message":"","data":{"retryAfterMs":777}}"#)
    #expect(try probe.lines() == [#"loadFailed "initial" 1004 try 1, again in 777"#])
    probe.advance(by: 777)
    probe.failFetch(try probe.fetch()["id"], #"{"code":1,"message":"","data":{"retryAfterMs":-5,"retryable":null}}"#)
    #expect(try probe.lines() == [#"loadFailed "initial" 1004 try 2, again in 0"#])
    probe.advance(by: 1)
    probe.failFetch(try probe.fetch()["id"], #"{"code":1,"message":"","data":{"retryAfterMs":1001}}"#)
    let long = try probe.take()
    #expect(long.first.map(brief) == #"loadFailed "initial" 1004 try 3"#)
    #expect(long.first?["params"]["error"]["data"]["retryAfterMs"] == 1001)
    probe.notify("loadMore", #"{"session":"a"}"#)
    probe.failFetch(try probe.fetch()["id"], #"{"code":1,"message":"","data":{"retryable":false}}"#)
    #expect(try probe.lines().first == #"loadFailed "initial" 1004 try 1"#)
  }

  @Test func aTimeOutEndsTheCallAndALateAnswerIsIgnored() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a", #""timeoutMs":100,"retry":{"initialDelayMs":10,"jitter":0}"#)
    probe.advance(by: 100)
    #expect(try probe.lines() == ["$/cancelRequest", #"loadFailed "initial" 1007 try 1, again in 10"#])
    probe.answerFetch(first, #"{"items":[1],"next":null}"#)
    #expect(try probe.lines().isEmpty)
    probe.advance(by: 10)
    let second = try probe.fetch()["id"]
    probe.answerFetch(first, #"{"items":[1],"next":null}"#)
    #expect(try probe.lines().isEmpty)
    probe.answerFetch(second, #"{"items":[2],"next":null}"#)
    #expect(try probe.lines().first == "pageAppended 0 [null]")
  }

  @Test(arguments: ["7", "0", "-1", #""1""#, "null", "1.0", "1e0", "18446744073709551617", #"{"a":1}"#, "true"])
  func aResponseToNoCallSaysNothing(id: String) throws {
    var probe = try ServerProbe()
    _ = try probe.openClient("a")
    probe.send(#"{"jsonrpc":"2.0","id":\#(id),"result":{"items":[]}}"#)
    probe.send(#"{"jsonrpc":"2.0","result":{"items":[]}}"#)
    #expect(try probe.take().isEmpty)
    #expect(probe.server.frontEndCalls.count == 1)
  }

  @Test func aPageIsAnsweredOnce() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a")
    probe.answerFetch(first, #"{"items":[1],"next":"n"}"#)
    _ = try probe.take()
    probe.answerFetch(first, #"{"items":[2],"next":"m"}"#)
    probe.failFetch(first)
    #expect(try probe.take().isEmpty)
  }

  @Test func aSlotThatIsUsedAgainIsNotReachedByOldAnswers() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a")
    _ = try probe.call("close", #"{"session":"a"}"#)
    _ = try probe.openClient("b")
    probe.answerFetch(first, #"{"items":[1],"next":null}"#)
    #expect(try probe.take().isEmpty)
    #expect(try probe.state("b")["count"] == 0)
  }

  @Test func aPageThatNoFrameCarriesIsRefusedWithItsIDsCounted() throws {
    var options = ServerOptions()
    options.maxFrameBytes = 200_000
    var probe = try ServerProbe(options)
    let first = try probe.openClient("a")
    // The items fit, but with their ids beside them they do not.
    let id = String(repeating: "x", count: 80_000)
    probe.answerFetch(first, #"{"items":[{"id":"\#(id)"}],"next":null}"#)
    let failed = try #require(try probe.take().first)
    #expect(brief(failed) == #"loadFailed "initial" 1008 try 1"#)
    #expect(failed["params"]["error"]["data"]["limit"] == .number("\(200_000 - 65_536 - 3)"))
    #expect(try probe.state()["count"] == 0)
  }
}
