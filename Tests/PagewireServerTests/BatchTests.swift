import Testing

@testable import PagewireServer

@Suite struct BatchTests {
  @Test func answersComeTogetherWhenTheLastIsThere() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a")
    probe.send(
      #"[{"jsonrpc":"2.0","id":1,"method":"sessions"},{"jsonrpc":"2.0","id":2,"method":"loadMore","params":{"session":"a"}},"#
        + #"{"jsonrpc":"2.0","method":"state","params":{"session":"a"}},7,{"jsonrpc":"2.0","id":3,"method":"none"}]"#)
    #expect(try probe.lines().isEmpty)
    probe.answerFetch(first, #"{"items":[{"id":1}],"next":null}"#)
    let messages = try probe.take()
    let batch = try #require(messages.last)
    #expect(messages.dropLast().map(brief) == ["pageAppended 0 [1]", #"loaded "initial": "loaded""#])
    #expect(batch.elements.map { $0["id"] } == [1, nil, 3, 2])
    #expect(batch[1]["error"]["code"] == -32600)
    #expect(batch[2]["error"]["code"] == -32601)
    #expect(batch[3]["result"]["outcome"] == "coalesced")
  }

  @Test func aBatchOfNotificationsAnswersNothing() throws {
    var probe = try ServerProbe()
    probe.send(#"[{"jsonrpc":"2.0","method":"none"},{"jsonrpc":"2.0","id":1,"result":1}]"#)
    #expect(try probe.lines().isEmpty)
  }

  @Test func closeInABatchAnswersWhatWaitsInIt() throws {
    var probe = try ServerProbe()
    _ = try probe.openClient("a")
    probe.send(
      #"[{"jsonrpc":"2.0","id":1,"method":"loadMore","params":{"session":"a"}},"#
        + #"{"jsonrpc":"2.0","id":2,"method":"close","params":{"session":"a"}}]"#)
    let batch = try #require(try probe.take().last)
    #expect(batch.elements.map { $0["id"] } == [1, 2])
    #expect(batch[0]["error"]["code"] == -32800)
    #expect(batch[1]["result"] == nil)
    #expect(probe.isAtRest)
  }

  @Test(arguments: ["exit", "shutdown"])
  func whateverEndsTheServerInABatchLeavesNoRequestWithoutAnswer(method: String) throws {
    var probe = try ServerProbe()
    _ = try probe.openClient("a")
    probe.send(
      #"[{"jsonrpc":"2.0","id":1,"method":"loadMore","params":{"session":"a"}},"#
        + #"{"jsonrpc":"2.0","id":2,"method":"\#(method)"},{"jsonrpc":"2.0","id":3,"method":"exit"},"#
        + #"{"jsonrpc":"2.0","id":4,"method":"exit"},{"jsonrpc":"2.0","id":5,"method":"sessions"}]"#)
    let batch = try #require(try probe.take().last)
    #expect(batch.elements.map { $0["id"] } == [1, 2, 3, 4, 5])
    #expect(batch[0]["error"]["code"] == -32800)
    #expect(batch[4]["error"]["code"] == -32600)
    #expect(probe.server.phase == .exiting(status: method == "exit" ? 1 : 0))
    #expect(probe.isAtRest)
  }

  @Test func anIDInFlightIsRefusedInTheSameBatch() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a")
    let wait = #"{"jsonrpc":"2.0","id":"x","method":"loadMore","params":{"session":"a"}}"#
    probe.send("[\(wait),\(wait)]")
    probe.answerFetch(first, #"{"items":[],"next":null}"#)
    let batch = try #require(try probe.take().last)
    #expect(batch.elements.count == 2)
    #expect(batch[0]["id"] == nil)
    #expect(batch[0]["error"]["code"] == -32600)
    #expect(batch[1]["id"] == "x")
  }

  @Test func aLargeBatchCostsWhatItsMessagesCost() throws {
    var probe = try ServerProbe()
    try probe.open("a", #"{"type":"items","items":[]}"#, #""presentation":"\#(String(repeating: "x", count: 3000))""#)
    let one = #"{"jsonrpc":"2.0","id":1,"method":"state","params":{"session":"a"}}"#
    let clock = ContinuousClock()
    let batch = clock.measure { probe.send("[" + [String](repeating: one, count: 4000).joined(separator: ",") + "]") }
    #expect(probe.server.outbox.take().count > 4000 * 3000)
    let single = clock.measure { for _ in 0..<4000 { probe.send(one) } }
    // A copy of all answers for each would make it some hundred times as much.
    #expect(batch < single * 10)
  }

  @Test func theAnswersOfABatchAreBounded() throws {
    var options = ServerOptions()
    options.maxFrameBytes = 1 << 20
    var probe = try ServerProbe(options)
    try probe.open("a", #"{"type":"items","items":[]}"#, #""presentation":"\#(String(repeating: "x", count: 9000))""#)
    let one = #"{"jsonrpc":"2.0","id":1,"method":"state","params":{"session":"a"}}"#
    probe.send("[" + [String](repeating: one, count: 1000).joined(separator: ",") + "]")
    let answers = try #require(try probe.take().last).elements
    #expect(answers.count == 1000)
    #expect(answers.first?["result"]["presentation"].isAbsent == false)
    #expect(answers.last?["error"]["code"] == 1008)
    #expect(answers.last?["error"]["data"]["limit"] == 524_288)
  }
}
