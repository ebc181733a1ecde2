import JSONRPCTransport
import JSONText
import Testing

@testable import PagewireClient

/// Connections to shell scripts that write what a server could write.
struct ServerConnectionTests {
  /// A script that writes the bodies as frames, then does what follows.
  private func connect(_ bodies: [String], then rest: String = "", errors: Bool = false) throws -> ServerConnection {
    let frames = bodies.map { "printf 'Content-Length: \($0.utf8.count)\\r\\n\\r\\n%s' '\($0)'; " }.joined()
    let command = try #require(ServerCommand(arguments: ["sh", "-c", frames + rest]))
    return try ServerConnection(command, errorOutput: errors ? .captured : .inherited)
  }

  /// Everything that comes until the end, one line each, and the error that ended it.
  private func receive(_ connection: ServerConnection) -> (messages: [String], error: ClientError?) {
    var messages: [String] = []
    do {
      while true {
        guard connection.wait(milliseconds: 20_000) else { return (messages, nil) }
        try connection.transfer()
        while try connection.nextMessage({ messages.append(describe($0, $1)) }) {}
      }
    } catch {
      return (messages, error as? ClientError)
    }
  }

  private func describe(_ message: ServerMessage, _ bytes: Span<UInt8>) -> String {
    switch message {
    case .answer(let id, let result, let members):
      return "answer \(id) \(JSONReader.text(bytes, result)) \(members.count)"
    case .failure(let id, let failure): return "failure \(id) \(failure.code) \(failure.message)"
    case .notification(let method, let members):
      let values = members.map { JSONReader.text(bytes, $0.value) }
      return "notification \(method) \(values.joined(separator: ","))"
    case .request(let id, let method, _): return "request \(String(decoding: id.text, as: UTF8.self)) \(method)"
    }
  }

  @Test func answersAreMatchedAndNewsComesInOrder() throws {
    let connection = try connect([
      #"{"jsonrpc":"2.0","method":"early","params":{"a":1.0,"b":"x"}}"#,
      #"{"jsonrpc":"2.0","id":2,"result":{"x":[1]}}"#,
      #"{"jsonrpc":"2.0","id":99,"result":1}"#,
      #"{"jsonrpc":"2.0","id":2,"result":"again"}"#,
      #"{"jsonrpc":"2.0","id":"s-1","method":"fetchPage"}"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"code":1003,"message":"no"}}"#,
    ])
    #expect(connection.request("first") == 1)
    #expect(connection.request("second") == 2)
    let (messages, error) = receive(connection)
    #expect(
      messages == [
        "notification early 1.0,\"x\"", "answer 2 {\"x\":[1]} 1", "request \"s-1\" fetchPage", "failure 1 1003 no",
      ])
    #expect(error == ClientError(.ended, "the server \"sh\" exited with status 0"))
  }

  @Test func aBatchIsItsMessagesInOrder() throws {
    let connection = try connect([
      #"[{"jsonrpc":"2.0","id":1,"result":null},{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]"#
    ])
    _ = connection.request("x")
    #expect(receive(connection).messages == ["answer 1 null 0", "notification a ", "notification b "])
  }

  @Test func whatIsSentIsFramed() throws {
    // The script sends the frame of a notification back as an error output, where it is kept.
    let body = #"{"jsonrpc":"2.0","method":"hello","params":{"a":"é"}}"#
    let connection = try connect([], then: "head -c \(body.utf8.count + 22) >&2; echo >&2; exit 5", errors: true)
    connection.notify("hello") { $0.member("a", "é") }
    #expect(receive(connection).error?.message == "the server \"sh\" exited with status 5 before it answered: " + body)
  }

  @Test func theEndOfAServerIsOneClearLine() throws {
    let connection = try connect([], then: "echo oops >&2; echo 'bad option' >&2; exit 2", errors: true)
    _ = connection.request("initialize")
    #expect(
      receive(connection).error
        == ClientError(.ended, "the server \"sh\" exited with status 2 before it answered: bad option"))
    #expect(
      receive(try connect([], then: "kill -KILL $$")).error?.message
        == "the server \"sh\" was ended by signal 9 before it answered")
  }

  @Test func aServerThatClosesItsOutputButRunsIsNotWaitedFor() throws {
    let connection = try connect([], then: "exec >&-; read line")
    #expect(receive(connection).error?.message == "the server \"sh\" closed its output before it answered")
    #expect(connection.process.stop() != nil)
  }

  @Test(arguments: [
    ("echo hello", "\"sh\" does not speak the Pagewire protocol: "),
    ("cat", "\"sh\" does not speak the Pagewire protocol: it asked for \"initialize\" before it had answered"),
    (
      #"printf 'Content-Length: 1\r\n\r\n{'"#, "\"sh\" does not speak the Pagewire protocol: The body is not JSON"
    ),
    (#"printf 'Content-Length: 1\r\n\r\n1'"#, "\"sh\" does not speak the Pagewire protocol: "),
    (
      #"printf 'Content-Length: 38\r\n\r\n{"jsonrpc":"2.0","id":1,"result":null}Content-Length: x\r\n\r\n'"#,
      "the server \"sh\" broke the protocol: "
    ),
  ])
  func whatIsNotTheProtocolIsSaid(_ script: String, _ expected: String) throws {
    let connection = try connect([], then: script)
    _ = connection.request("initialize")
    let error = try #require(receive(connection).error)
    #expect(error.kind == .notAServer)
    #expect(error.message.hasPrefix(expected), "\(error.message)")
    connection.process.stop()
  }

  @Test func writingToAServerThatReadsNothingNeverBlocks() throws {
    let connection = try connect([], then: "sleep 0.1; exit 7")
    let text = String(repeating: "x", count: 1 << 20)
    for _ in 0..<8 { connection.notify("big") { $0.member("text", text) } }
    #expect(receive(connection).error?.message == "the server \"sh\" exited with status 7 before it answered")
  }

  @Test func aLargeMessageComesWhole() throws {
    let connection = try connect(
      [],
      then: """
        printf 'Content-Length: 3000063\\r\\n\\r\\n{"jsonrpc":"2.0","method":"pageAppended","params":{"items":"'
        head -c 3000000 /dev/zero | tr '\\0' x
        printf '"}}'
        """)
    let (messages, _) = receive(connection)
    #expect(messages.count == 1)
    #expect(messages.first?.utf8.count == 3_000_028)
  }
}
