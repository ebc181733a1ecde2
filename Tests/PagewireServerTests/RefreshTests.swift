import Testing

@testable import PagewireServer

/// Refreshes that bring a source or a place to start along.
@Suite struct RefreshTests {
  private func opened() throws -> ServerProbe {
    var probe = try ServerProbe()
    try probe.open("a", #"{"type":"synthetic","count":3}"#)
    return probe
  }

  @Test func theNewSourceIsTheListsFromTheCommitOn() throws {
    var probe = try opened()
    let id = probe.request("refresh", #"{"session":"a","source":{"type":"client"}}"#)
    let fetch = try probe.fetch()
    #expect(fetch["params"]["generation"] == 2)
    #expect(fetch["params"]["kind"] == "refresh")
    #expect(try probe.state()["source"]["type"] == "synthetic")
    probe.answerFetch(fetch["id"], #"{"items":[{"id":7}],"next":"n"}"#)
    #expect(
      try probe.lines() == [
        "pageAppended 0 [7] replaces", #"loaded "refresh": "loaded""#, #"answer to \#(id): loaded"#,
      ])
    let state = try probe.state()
    #expect(state["source"]["type"] == "client")
    #expect(state["settings"]["source"]["type"] == "client")
    #expect(probe.server.sessions[0].refreshSources.isEmpty)
    probe.notify("loadMore", #"{"session":"a"}"#)
    #expect(try probe.fetch()["params"]["cursor"] == "n")
  }

  @Test func aFailedRefreshLeavesTheSource() throws {
    var probe = try opened()
    _ = probe.request("refresh", #"{"session":"a","source":{"type":"client"}}"#)
    probe.failFetch(try probe.fetch()["id"], #"{"code":1,"message":"","data":{"retryable":false}}"#)
    _ = try probe.take()
    #expect(try probe.state()["source"]["type"] == "synthetic")
    #expect(try probe.state()["count"] == 3)
    #expect(probe.server.sessions[0].refreshSources.isEmpty)
  }

  @Test func aCancelledRefreshGivesItsSourceUp() throws {
    var probe = try opened()
    let id = probe.request("refresh", #"{"session":"a","source":{"type":"client"}}"#)
    probe.notify("$/cancelRequest", #"{"id":\#(id)}"#)
    #expect(probe.server.sessions[0].refreshSources.isEmpty)
    #expect(probe.server.frontEndCalls.isEmpty)
  }

  @Test func aNewerRefreshTakesTheQueryOver() throws {
    var probe = try opened()
    let one = probe.request("refresh", #"{"session":"a","source":{"type":"client"}}"#)
    _ = try probe.take()
    let two = probe.request("refresh", #"{"session":"a"}"#)
    let messages = try probe.take()
    #expect(
      messages.map(brief) == [
        "$/cancelRequest", #"loaded "refresh": "superseded""#, #"loading "refresh""#, #"fetchPage "refresh" null 0/0"#,
      ])
    #expect(messages.last?["params"]["generation"] == 3)
    probe.answerFetch(messages.last?["id"] ?? .absent, #"{"items":[{"id":7}],"next":null}"#)
    #expect(try probe.lines().suffix(2) == ["answer to \(one): coalesced", "answer to \(two): loaded"])
    #expect(try probe.state()["source"]["type"] == "client")
    #expect(probe.server.sessions[0].refreshSources.isEmpty)
  }

  @Test func aNewerSourceReplacesTheOneThatWaits() throws {
    var probe = try opened()
    _ = probe.request("refresh", #"{"session":"a","source":{"type":"client"}}"#)
    _ = probe.request("refresh", #"{"session":"a","source":{"type":"synthetic","count":2}}"#)
    #expect(probe.server.sessions[0].refreshSources.count == 1)
    probe.turn()
    _ = try probe.take()
    #expect(try probe.state()["count"] == 2)
    #expect(probe.server.sessions[0].refreshSources.isEmpty)
  }

  @Test func clearMakesTheSourceTheListsAtOnce() throws {
    var probe = try opened()
    _ = probe.request("refresh", #"{"session":"a","source":{"type":"client"},"mode":"clear"}"#)
    let fetch = try #require(try probe.take().last)
    #expect(try probe.state()["source"]["type"] == "client")
    #expect(try probe.state()["generation"] == 2)
    probe.failFetch(fetch["id"], #"{"code":1,"message":"","data":{"retryable":false}}"#)
    _ = try probe.take()
    #expect(try probe.state()["phase"] == "failedFirst")
  }

  @Test func aSourceThatCannotBeOpenedChangesNothing() throws {
    var probe = try opened()
    let before = try probe.state()
    #expect(try probe.call("refresh", #"{"session":"a","source":{"type":"none"}}"#)["error"]["code"] == 1003)
    #expect(try probe.state() == before)
  }

  @Test func aSessionThatMayNotRefreshOpensNoSource() throws {
    var probe = try ServerProbe()
    try probe.open("a", #"{"type":"synthetic","count":3}"#, #""canRefresh":false"#)
    let answer = try probe.call("refresh", #"{"session":"a","source":{"type":"client"}}"#)
    #expect(answer["result"]["outcome"] == "disabled")
    #expect(probe.server.sessions[0].refreshSources.isEmpty)
  }

  @Test func closingDuringARefreshClosesAll() throws {
    var probe = try opened()
    let id = probe.request("refresh", #"{"session":"a","source":{"type":"client"}}"#)
    _ = try probe.take()
    let close = probe.request("close", #"{"session":"a"}"#)
    #expect(try probe.lines() == ["$/cancelRequest", "error -32800 to \(id)", "answer to \(close)"])
    #expect(probe.isAtRest)
  }

  // MARK: From

  @Test func fromIsACursorWhereTheFrontEndKnowsThem() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a")
    probe.answerFetch(first, #"{"items":[1],"next":"n"}"#)
    _ = probe.request("refresh", #"{"session":"a","from":{"at":5}}"#)
    #expect("\(try probe.fetch()["params"]["cursor"])" == #"{"at":5}"#)
    _ = probe.request("refresh", #"{"session":"a","from":"z","source":{"type":"client","params":1}}"#)
    let fetch = try probe.fetch()["params"]
    #expect(fetch["cursor"] == "z")
    #expect(fetch["params"] == 1)
  }

  @Test func sourcesWithoutAPlaceToStartSaySo() throws {
    var probe = try opened()
    let answer = try probe.call("refresh", #"{"session":"a","from":3}"#)
    #expect(answer["error"]["data"]["pointer"] == "/from")
    #expect(probe.server.sessions[0].refreshSources.isEmpty)
  }

  @Test func fromIsTheSourcesOwnElsewhere() throws {
    // A file that is there wherever tests run: this one.
    var probe = try ServerProbe()
    try probe.open("a", #"{"type":"file","path":"\#(#filePath)","format":"lines"}"#, #""autoload":false"#)
    _ = probe.request("refresh", #"{"session":"a","from":{"offset":20}}"#)
    #expect(probe.server.sessions[0].refreshSources.count == 1)
    let text = probe.server.sessions[0].refreshSources.first?.opened.text ?? []
    let source = try JSONDecoder.decode(text)
    #expect(source.keys == ["type", "path", "format", "from"])
    #expect(source["from"]["offset"] == 20)
    // Where a list starts does not make it another one.
    #expect(probe.server.sessions[0].refreshSources.first?.opened.digest == probe.server.sessions[0].sourceDigest)
    #expect(try probe.call("refresh", #"{"session":"a","from":"middle"}"#)["error"]["data"]["pointer"] == "/from")
  }

  // MARK: Gathering

  @Test func whatAFailedRefreshHasGatheredIsGivenBack() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a", #""pageSize":1"#)
    probe.answerFetch(first, #"{"items":[{"id":1}],"next":"a"}"#)
    probe.notify("loadMore", #"{"session":"a"}"#)
    probe.answerFetch(try probe.fetch()["id"], #"{"items":[{"id":2}],"next":"b"}"#)
    _ = probe.request("refresh", #"{"session":"a","extent":"loaded"}"#)
    probe.answerFetch(try probe.fetch()["id"], #"{"items":[{"id":1}],"next":"a"}"#)
    #expect(probe.server.sessions[0].gatheredItems.count == 8)
    probe.failFetch(try probe.fetch()["id"], #"{"code":1,"message":"","data":{"retryable":false}}"#)
    #expect(probe.server.sessions[0].gatheredItems.isEmpty)
    #expect(probe.server.sessions[0].gatheredIDs.isEmpty)
  }

  @Test func anExtentIsOneEvent() throws {
    var probe = try ServerProbe()
    try probe.open("a", #"{"type":"synthetic","count":9}"#, #""pageSize":4"#)
    for _ in 0..<3 {
      probe.notify("loadMore", #"{"session":"a"}"#)
      probe.turn()
    }
    _ = try probe.take()
    let id = probe.request("refresh", #"{"session":"a","extent":"loaded"}"#)
    probe.turn()
    #expect(
      try probe.lines() == [
        #"loading "refresh""#, "pageAppended 0 [0,1,2,3,4,5,6,7,8] replaces", #"loaded "refresh": "loaded""#,
        "answer to \(id): loaded",
      ])
    #expect(probe.server.sessions[0].gatheredItems.isEmpty)
  }
}
