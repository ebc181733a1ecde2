import JSONText
import PageSources
import Testing

@testable import PagewireServer

/// A client that does not read: what is fetched for it, and when.
@Suite struct FlowTests {
  private static let large = String(repeating: "x", count: 1_100_000)

  /// A probe whose client has more than a mebibyte to read.
  private func unread(_ settings: String = "") throws -> ServerProbe {
    var probe = try ServerProbe()
    let first = try probe.openClient("a", settings)
    probe.answerFetch(first, #"{"items":[{"id":1,"x":"\#(Self.large)"}],"next":"n","previous":"p"}"#)
    return probe
  }

  @Test func nothingIsFetchedUntilTheClientReads() throws {
    var probe = try unread()
    probe.notify("loadMore", #"{"session":"a"}"#)
    probe.notify("loadPrevious", #"{"session":"a"}"#)
    probe.turn()
    #expect(probe.server.held.count == 2)
    #expect(probe.server.frontEndCalls.isEmpty)
    _ = try probe.take()
    probe.turn()
    #expect(
      try probe.lines() == [#"fetchPage "more" "n" 1/1"#, #"fetchPage "previous" "p" -1/0"#])
    #expect(probe.server.held.isEmpty)
  }

  @Test func timeDoesNotRunForASourceThatWasNotAsked() throws {
    var probe = try unread(#""timeoutMs":100"#)
    probe.notify("loadMore", #"{"session":"a"}"#)
    probe.advance(by: 1_000)
    _ = try probe.take()
    probe.advance(by: 99)
    #expect(try probe.lines() == [#"fetchPage "more" "n" 1/1"#])
    #expect(probe.server.timers.nextDue == probe.server.now + 1)
  }

  @Test func aHeldLoadIsCancelledLikeAnyOther() throws {
    var probe = try unread()
    let id = probe.request("loadMore", #"{"session":"a"}"#)
    probe.notify("$/cancelRequest", #"{"id":\#(id)}"#)
    #expect(try probe.lines().suffix(2) == [#"loaded "more": "cancelled""#, "error -32800 to \(id)"])
    probe.turn()
    #expect(try probe.lines().isEmpty)
    #expect(probe.server.held.isEmpty)
    #expect(probe.server.timers.nextDue == nil)
    _ = try probe.call("close", #"{"session":"a"}"#)
    #expect(probe.isAtRest)
  }

  @Test func nobodyOvertakesWhoWaits() throws {
    var probe = try unread()
    probe.notify("loadMore", #"{"session":"a"}"#)
    _ = probe.server.outbox.take()
    _ = probe.request("open", #"{"session":"b","source":{"type":"client"}}"#)
    probe.turn()
    #expect(try probe.take().filter { $0["method"] == "fetchPage" }.map { $0["params"]["session"] } == ["a", "b"])
  }

  @Test func manyLargePagesAreNotMadeAllAtOnce() throws {
    var probe = try ServerProbe()
    for index in 0..<8 {
      probe.request(
        "open", #"{"session":"\#(index)","source":{"type":"synthetic","itemBytes":300000},"pageSize":3}"#)
    }
    // Two pages are more than what may wait; the others have not been fetched.
    #expect(probe.server.ready.count == 2)
    #expect(probe.server.held.count == 6)
    var pages = 0
    var most = 0
    for _ in 0..<12 {
      probe.server.deliverReady()
      most = max(most, probe.server.outbox.pendingBytes)
      pages += try probe.take().filter { $0["method"] == "pageAppended" }.count
      probe.server.startHeldFetches()
    }
    #expect(pages == 8)
    #expect(most < 3 << 20)
  }
}
