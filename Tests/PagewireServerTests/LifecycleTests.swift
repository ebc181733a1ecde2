import Testing

@testable import PagewireServer

@Suite struct LifecycleTests {
  @Test func initializeSaysWhatThereIsOnce() throws {
    var options = ServerOptions()
    options.allowedSources = ["items", "client"]
    options.maxDepth = 77
    var probe = try ServerProbe(options)
    let result = try probe.call("initialize", #"{"processId":null,"clientInfo":{"name":"x"}}"#)["result"]
    #expect(result["protocolVersion"] == "1.0")
    #expect(result["serverInfo"]["name"] == "pagewire")
    #expect(result["capabilities"]["sources"] == ["items", "client"])
    #expect(result["capabilities"]["triggers"] == ["item", "loader", "distance"])
    #expect(result["capabilities"]["limits"]["maxDepth"] == 77)
    #expect(try probe.call("initialize")["error"]["code"] == -32600)
  }

  @Test func aFailedInitializeIsNoInitialize() throws {
    var probe = try ServerProbe()
    #expect(try probe.call("initialize", #"{"processId":1.5}"#)["error"]["code"] == -32602)
    #expect(try probe.call("initialize", #"{"processId":4711}"#)["error"].isAbsent)
    #expect(probe.server.watchedProcess == 4711)
  }

  @Test func whatMustBeARequestHasNoEffectAsANotification() throws {
    var probe = try ServerProbe()
    probe.notify("open", #"{"session":"a","source":{"type":"client"}}"#)
    probe.notify("initialize")
    probe.notify("shutdown")
    #expect(try probe.take().isEmpty)
    #expect(try probe.call("sessions")["result"] == [])
    #expect(try probe.call("initialize")["error"].isAbsent)
  }

  @Test func afterShutdownOnlyExitIsServed() throws {
    var probe = try ServerProbe()
    _ = try probe.openClient("a")
    let waiting = probe.request("loadMore", #"{"session":"a"}"#)
    let shutdown = probe.request("shutdown")
    let messages = try probe.take()
    #expect(
      messages.map(brief) == ["$/cancelRequest", "error -32800 to \(waiting)", "answer to \(shutdown)"])
    for method in ["sessions", "shutdown", "initialize", "none", "$/none", "itemAppeared", "initialized"] {
      #expect(try probe.call(method)["error"]["code"] == -32600, "\(method)")
      probe.notify(method)
    }
    #expect(try probe.take().isEmpty)
    probe.notify("exit")
    #expect(probe.server.phase == .exiting(status: 0))
    #expect(probe.isAtRest)
  }

  @Test func exitWithoutShutdownAnswersWhoWaits() throws {
    var probe = try ServerProbe()
    _ = try probe.openClient("a")
    let waiting = probe.request("refresh", #"{"session":"a"}"#)
    _ = try probe.take()
    probe.notify("exit")
    #expect(try probe.lines() == ["$/cancelRequest", "error -32800 to \(waiting)"])
    #expect(probe.server.phase == .exiting(status: 1))
  }

  @Test func dollarMethodsAreIgnoredAsNotificationsOnly() throws {
    var probe = try ServerProbe()
    probe.notify("$/progress")
    probe.notify("$/setTrace", #"{"value":"off"}"#)
    probe.notify("initialized")
    #expect(try probe.take().isEmpty)
    #expect(try probe.call("$/progress")["error"]["code"] == -32601)
    #expect(try probe.call("$/setTrace")["result"] == nil)
  }

  @Test func anUnknownMethodIsNamed() throws {
    var probe = try ServerProbe()
    let error = try probe.call(#"lo\u0061dMore\n"#)["error"]
    #expect(error["code"] == -32601)
    #expect(error["data"]["method"] == "loadMore\n")
  }

  // MARK: Cancelling

  @Test(arguments: ["loadMore", "refresh"])
  func cancellingTheLastWantCancelsTheSourcesCall(method: String) throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a")
    probe.answerFetch(first, #"{"items":[1],"next":"n"}"#)
    let one = probe.request(method, #"{"session":"a"}"#)
    let two = probe.request(method, #"{"session":"a"}"#)
    _ = try probe.take()
    probe.notify("$/cancelRequest", #"{"id":\#(one)}"#)
    #expect(try probe.lines() == ["error -32800 to \(one)"])
    probe.notify("$/cancelRequest", #"{"id":\#(one)}"#)
    probe.notify("$/cancelRequest", #"{"id":"\#(two)"}"#)
    probe.notify("$/cancelRequest", #"{"id":{"a":[1]}}"#)
    probe.notify("$/cancelRequest", "{}")
    #expect(try probe.lines().isEmpty)
    probe.notify("$/cancelRequest", #"{"id":\#(two)}"#)
    let kind = method == "refresh" ? "refresh" : "more"
    #expect(
      try probe.lines() == ["$/cancelRequest", #"loaded "\#(kind)": "cancelled""#, "error -32800 to \(two)"])
    #expect(probe.server.pending.isEmpty)
    #expect(probe.server.frontEndCalls.isEmpty)
    #expect(probe.server.timers.nextDue == nil)
  }

  @Test func anIDInFlightIsRefusedWithoutHarmToTheFirst() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a")
    probe.send(#"{"jsonrpc":"2.0","id":1.0,"method":"loadMore","params":{"session":"a"}}"#)
    probe.send(#"{"jsonrpc":"2.0","id":1.0,"method":"sessions"}"#)
    let refused = try probe.take()
    #expect(refused.map { $0["id"] } == [nil])
    #expect(refused.first?["error"]["code"] == -32600)
    // Another way to write the number is another id.
    probe.send(#"{"jsonrpc":"2.0","id":1,"method":"sessions"}"#)
    #expect(try probe.take().map { $0["id"] } == [1])
    probe.answerFetch(first, #"{"items":[],"next":null}"#)
    #expect(try probe.take().last?["id"] == .number("1.0"))
  }

  @Test func anIDOfAnyLengthIsRefusedInAShortMessage() throws {
    var probe = try ServerProbe()
    _ = try probe.openClient("a")
    let id = String(repeating: #"\""#, count: 100_000)
    let body = #"{"jsonrpc":"2.0","id":"\#(id)","method":"loadMore","params":{"session":"a"}}"#
    probe.send(body)
    probe.send(body)
    #expect(probe.server.outbox.pendingBytes < 1_000)
  }
}
