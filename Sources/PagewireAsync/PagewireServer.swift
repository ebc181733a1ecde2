import CSystem
import JSONText
import PagewireClient
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A running server, for programs that use Swift's concurrency: requests are awaited, and what happens in a session comes
/// as an asynchronous sequence.
///
/// ```swift
/// let server = try await PagewireServer.start(ServerCommand(arguments: ["pagewire"]), clientName: "example")
/// let (_, events) = try await server.open("log", [.init("source", json: #"{"type":"file","path":"log.txt"}"#)])
/// for await event in events { ... }
/// ```
///
/// The server ends with the last reference to it.
public final class PagewireServer: Sendable {
  /// A member of a request's params.
  public struct Parameter: Sendable {
    let name: StaticString
    let json: [UInt8]

    /// A member whose value is the text of a JSON value.
    public init(_ name: StaticString, json: String) { (self.name, self.json) = (name, Array(json.utf8)) }

    /// A member that is a string.
    public init(_ name: StaticString, _ value: String) {
      var writer = JSONWriter()
      writer.string(value)
      (self.name, json) = (name, writer.bytes)
    }

    /// A member that is a number.
    public init(_ name: StaticString, _ value: Int) { self.init(name, json: "\(value)") }

    /// A member that is true or false.
    public init(_ name: StaticString, _ value: Bool) { self.init(name, json: "\(value)") }
  }

  private let conversation: ServerConversation

  /// The major version of the protocol that this client speaks.
  public static let protocolMajor = "1"

  /// Starts a server and greets it.
  ///
  /// Throws a ``ClientError`` where there is none, or one of another version.
  public static func start(_ command: ServerCommand, clientName: String) async throws -> PagewireServer {
    let server = PagewireServer(ServerConversation())
    try server.conversation.begin(command)
    var name = JSONWriter()
    name.string(clientName)
    let answer = try await server.request(
      "initialize",
      [
        .init("clientInfo", json: "{\"name\":\(String(decoding: name.bytes, as: UTF8.self))}"),
        .init("processId", Int(getpid())),
      ])
    let version = JSONFields(answer)?.string("protocolVersion") ?? "none"
    guard version.prefix(while: { $0 != "." }) == protocolMajor else {
      throw ClientError(.notAServer, "the server speaks version \(version) of the protocol, not \(protocolMajor)")
    }
    server.notify("initialized", [])
    return server
  }

  private init(_ conversation: ServerConversation) { self.conversation = conversation }

  deinit { conversation.stop() }

  /// Opens a session; its state as JSON text, and all that happens in it from then on.
  ///
  /// The sequence ends when the session is closed, or after ``SessionEvent/Change/serverEnded(_:)``.
  public func open(
    _ session: String, _ parameters: [Parameter]
  ) async throws -> (state: String, events: AsyncStream<SessionEvent>) {
    let (events, continuation) = AsyncStream.makeStream(of: SessionEvent.self)
    conversation.listen(session, continuation)
    do {
      return (try await request("open", [.init("session", session)] + parameters), events)
    } catch {
      conversation.listen(session, nil)
      throw error
    }
  }

  /// Closes a session and ends its events.
  public func close(_ session: String) {
    notify("close", [.init("session", session)])
    conversation.listen(session, nil)
  }

  /// Sends a request; its result as JSON text.
  ///
  /// Throws a ``ServerFailure`` where the server answers an error, and a ``ClientError`` where it is gone.
  @discardableResult
  public func request(_ method: StaticString, _ parameters: [Parameter]) async throws -> String {
    try await withCheckedThrowingContinuation { conversation.put(.init(method, parameters, $0)) }
  }

  /// Sends what needs no answer.
  public func notify(_ method: StaticString, _ parameters: [Parameter]) {
    conversation.put(.init(method, parameters, nil))
  }
}
