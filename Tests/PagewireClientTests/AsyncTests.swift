import PagewireAsync
import PagewireClient
import Testing

/// The client for Swift's concurrency, on shell scripts that write what a server could write.
@Suite(.timeLimit(.minutes(1)))
struct AsyncTests {
  private static let hello = #"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1.3"}}"#
  private static let opened =
    #"{"jsonrpc":"2.0","id":2,"result":{"session":"s","generation":1,"phase":"loadingFirst","hasMore":true}}"#

  /// A server that says the first of these when the first request is there, and the others when the second is.
  ///
  /// A request has no line end, so they are read a byte at a time.
  private func start(_ bodies: [String], then rest: String) async throws -> PagewireServer {
    let frames = bodies.map { "printf 'Content-Length: \($0.utf8.count)\\r\\n\\r\\n%s' '\($0)'; " }
    func wait(_ id: Int) -> String {
      "while :; do got=$got$(dd bs=1 count=1 2>/dev/null); case $got in *'\"id\":\(id),'*) break;; esac; done; "
    }
    let others = frames.count > 1 ? wait(2) + frames.dropFirst().joined() : ""
    let script = wait(1) + (frames.first ?? "") + others + rest
    let command = try #require(ServerCommand(arguments: ["sh", "-c", script]))
    return try await PagewireServer.start(command, clientName: "a \"test\"")
  }

  private func page(_ start: Int, _ items: String, _ ids: String, more: String = "") -> String {
    """
    {"jsonrpc":"2.0","method":"pageAppended","params":{"session":"s","generation":1,"page":0,"start":\(start),\
    "items":\(items),"ids":\(ids),"duplicates":0,"replaces":false,"count":2,"hasMore":false,"hasPrevious":false,\
    "paused":false,"phase":"items"\(more)}}
    """
  }

  @Test func eventsOfASessionComeInOrderAndEndWithTheServer() async throws {
    let server = try await start(
      [Self.hello, Self.opened, page(0, #"["one",{"title":"two"}]"#, #"["a",null]"#)], then: "sleep 0.3; exit 7")
    let (state, events) = try await server.open("s", [.init("pageSize", 2)])
    #expect(state.contains("loadingFirst"))
    var titles: [String] = []
    var ids: [String] = []
    var end: ClientError?
    for await event in events {
      switch event.change {
      case .page(let items, _, _, _):
        titles += items.map(\.title)
        ids += items.map(\.id)
        #expect(event.facts?.hasMore == false)
      case .serverEnded(let error): end = error
      default: Issue.record("\(event)")
      }
    }
    #expect(titles == ["one", "two"])
    #expect(ids == ["\"a\"", "1"])
    #expect(end?.message.contains("exited with status 7") == true)
    await #expect(throws: ClientError.self) { try await server.request("sessions", []) }
  }

  @Test func aRequestThatIsNotAnsweredFailsWhenTheServerEnds() async throws {
    let server = try await start([Self.hello], then: "sleep 0.3; exit 3")
    await #expect(throws: ClientError.self) { try await server.request("sessions", []) }
  }

  @Test func anErrorOfTheServerIsThrownWithItsSentence() async throws {
    let server = try await start(
      [Self.hello, #"{"jsonrpc":"2.0","id":2,"error":{"code":1009,"message":"Not for you."}}"#], then: "cat >/dev/null")
    await #expect(throws: ServerFailure(code: 1009, message: "Not for you.")) { try await server.open("s", []) }
  }

  @Test(arguments: ["2.0", "10.1", "none"]) func anotherVersionIsRefused(_ version: String) async throws {
    let hello = #"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"\#(version)"}}"#
    await #expect {
      _ = try await start([hello], then: "cat >/dev/null")
    } throws: {
      ($0 as? ClientError)?.message.contains("version \(version) of the protocol") == true
    }
  }

  @Test func noServerIsOneLine() async throws {
    let command = try #require(ServerCommand(arguments: ["/nowhere/pagewire"]))
    await #expect {
      _ = try await PagewireServer.start(command, clientName: "test")
    } throws: {
      ($0 as? ClientError)?.kind == .cannotStart
    }
  }

  @Test(arguments: [
    ("\"a\\u0041\"", "aA"), ("{\"name\":\"n\",\"text\":\"t\"}", "t"), ("{\"x\":1}", "{\"x\":1}"), ("1.50", "1.50"),
  ])
  func anItemCanBeShownWithoutKnowingWhatItIs(_ json: String, _ title: String) async throws {
    let server = try await start([Self.hello, Self.opened, page(0, "[\(json)]", "[7]")], then: "cat >/dev/null")
    let (_, events) = try await server.open("s", [])
    for await case .page(let items, _, _, _) in events.map(\.change) {
      #expect(items.map(\.title) == [title])
      #expect(items.map(\.json) == [json])
      break
    }
  }

  @MainActor @Test func aListKeepsWhatTheServerSays() async throws {
    let server = try await start([Self.hello, Self.opened, page(0, "[1,2]", "[1,2]")], then: "cat >/dev/null")
    let list = PagewireList(on: server, session: "s", [])
    #expect(list.content == .idle)
    await list.open()
    while list.content != .items { try await Task.sleep(for: .milliseconds(5)) }
    #expect(list.items.map(\.position) == [0, 1])
    #expect(list.tail == .none)
    list.close()
  }
}
