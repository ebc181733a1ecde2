import JSONText
import PagewireClient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The requests of a browser about its one session.
struct SessionRequests {
  let connection: ServerConnection

  /// The name of the session: there is one in a server of its own.
  static let session = "browse"
  /// A server that has not answered after so long is none.
  static let handshakeMilliseconds = 10_000

  /// What both ways of browsing ask `open` for.
  struct Settings: Equatable {
    var pageSize: Int
    /// Items that the server keeps loaded, and so what both sides need memory for.
    var maxItems: Int
    var prefetchThreshold: Int?
    var autoload: Bool
  }

  /// Queues `initialize` and `open`, with the text of a resume token if there is one; returns the ids of both.
  func start(
    _ source: SourceArgument, _ settings: Settings, resume: [UInt8]? = nil
  ) -> (initialize: Int, open: Int) {
    let initialize = connection.request("initialize") { writer in
      writer.key("clientInfo")
      writer.beginObject()
      writer.member("name", "pagewire browse")
      writer.endObject()
      writer.member("processId", Int(getpid()))
    }
    connection.notify("initialized")
    let open = request("open") { writer in
      source.write(to: &writer)
      writer.member("pageSize", settings.pageSize)
      writer.member("maxItems", settings.maxItems)
      if let threshold = settings.prefetchThreshold { writer.member("prefetchThreshold", threshold) }
      writer.member("autoload", settings.autoload)
      if let resume {
        writer.key("resume")
        writer.raw(resume)
      }
    }
    return (initialize, open)
  }

  /// Throws where the answer to `initialize` names a major version of the protocol that is not ours.
  static func checkVersion(_ bytes: Span<UInt8>, _ members: [JSONMember]) throws {
    guard let value = JSONReader.value(bytes, of: members, named: "protocolVersion"),
      let version = JSONReader.string(bytes, value)
    else { return }
    let major = version.prefix { $0 != "." }
    guard major != protocolMajor else { return }
    throw BrowseError("the server speaks version \(version) of the protocol, and this program version \(protocolMajor)")
  }

  private static let protocolMajor = "1"

  func loadMore() -> Int { request("loadMore") }

  func loadPrevious() -> Int { request("loadPrevious") }

  func refresh() -> Int {
    request("refresh") { $0.member("mode", "keep") }
  }

  /// Asks for the way back to the scrolled item.
  func resumeToken() -> Int {
    request("state") { $0.member("resume", true) }
  }

  func visibleRange(_ range: ClosedRange<Int>, generation: Int) {
    notify("visibleRange") { writer in
      writer.member("first", range.lowerBound)
      writer.member("last", range.upperBound)
      writer.member("generation", generation)
    }
  }

  /// `id` is JSON text.
  func setScrolledID(_ id: ArraySlice<UInt8>) {
    notify("setScrolledID") { writer in
      writer.key("id")
      writer.raw(Array(id))
    }
  }

  private func request(_ method: StaticString, _ params: (inout JSONWriter) -> Void = { _ in }) -> Int {
    connection.request(method) { writer in
      writer.member("session", Self.session)
      params(&writer)
    }
  }

  private func notify(_ method: StaticString, _ params: (inout JSONWriter) -> Void) {
    connection.notify(method) { writer in
      writer.member("session", Self.session)
      params(&writer)
    }
  }
}
