import JSONText
import PagewireClient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Prints all items of a source to a descriptor that is no terminal.
///
/// The server says when it has no more; this only goes on asking. The next page is asked for before one is printed, so
/// that both programs work at the same time, and the server keeps no more than a window of pages.
final class ItemPrinter {
  private let connection: ServerConnection
  private let requests: SessionRequests
  private let output: Int32
  private var printed = PrintedItems()
  private var initializeID = 0
  private var openID = 0
  /// `loadMore` requests that are not answered.
  private var loads: Set<Int> = []
  private var isDone = false
  private var isOpen = false
  private var isReaderGone = false

  /// A printer to this descriptor.
  init(_ connection: ServerConnection, output: Int32) {
    self.connection = connection
    self.output = output
    requests = SessionRequests(connection: connection)
  }

  /// Prints to the end, or until nobody reads any more.
  ///
  /// Throws what a ``BrowseError`` can be made of.
  func run(_ source: SourceArgument, pageSize: Int) throws {
    // Room for the page that is loading beside the last one; what is printed needs no room.
    let settings = SessionRequests.Settings(pageSize: pageSize, maxItems: pageSize, autoload: false)
    (initializeID, openID) = requests.start(source, settings)
    loads.insert(requests.loadMore())
    while !isDone && !isReaderGone {
      connection.flush()
      try waitForServer()
      try connection.transfer()
      while !isDone, !isReaderGone, try connection.nextMessage({ try take($0, $1) }) {}
    }
    if printed.truncatedLines > 0 && !isReaderGone {
      let lines = printed.truncatedLines == 1 ? "1 line was" : "\(printed.truncatedLines) lines were"
      throw BrowseError("\(lines) longer than the server gives as one item, so only the beginning was printed")
    }
  }

  /// Waits for the server, and for the reader of what is printed to go away.
  private func waitForServer() throws {
    var entries = [pollfd(fd: output, events: 0, revents: 0)]
    connection.appendPollEntries(to: &entries)
    let limit = isOpen ? -1 : Int32(SessionRequests.handshakeMilliseconds)
    if poll(&entries, nfds_t(entries.count), limit) == 0 {
      throw BrowseError("the server \"\(connection.process.command.program)\" does not answer")
    }
    isReaderGone = Int32(entries[0].revents) & Int32(POLLERR) != 0
  }

  private func take(_ message: ServerMessage, _ bytes: Span<UInt8>) throws {
    switch message {
    case .notification("pageAppended", let members):
      try page(members, bytes)
    case .notification: break
    case .answer(let id, _, let members):
      if id == initializeID { try SessionRequests.checkVersion(bytes, members) }
      if id == openID { isOpen = true }
      if loads.remove(id) != nil { try loaded(members, bytes) }
    case .failure(_, let failure):
      // Nothing that was asked for may fail: the server has tried again by itself where that could help.
      throw failure
    case .request(let id, let method, _):
      connection.refuse(id, method: method)
    }
  }

  private func page(_ members: [JSONMember], _ bytes: Span<UInt8>) throws {
    guard let items = JSONReader.value(bytes, of: members, named: "items"),
      let hasMore = JSONReader.value(bytes, of: members, named: "hasMore")
    else { throw MalformedMessage(method: "pageAppended", complaint: "its members are missing") }
    let isLast = JSONReader.bool(bytes, hasMore) != true
    if !isLast {
      // One load that runs, and the answer to the one that brought this page.
      if loads.count < 2 { loads.insert(requests.loadMore()) }
      connection.flush()
    }
    guard printed.append(bytes, array: items) >= 0 else {
      throw MalformedMessage(method: "pageAppended", complaint: "its member \"items\" should be an array")
    }
    try write()
    if isLast { isDone = true }
  }

  /// A load is over.
  ///
  /// Mostly its page has asked for the next already.
  private func loaded(_ members: [JSONMember], _ bytes: Span<UInt8>) throws {
    guard loads.isEmpty, !isDone else { return }
    let outcome = JSONReader.value(bytes, of: members, named: "outcome").flatMap { JSONReader.string(bytes, $0) }
    if outcome == "disabled" { throw BrowseError("the server loads no more pages") }
    let hasMore = JSONReader.value(bytes, of: members, named: "hasMore").flatMap { JSONReader.bool(bytes, $0) }
    if hasMore == true { loads.insert(requests.loadMore()) } else { isDone = true }
  }

  /// Writes what is ready.
  private func write() throws {
    var written = 0
    while written < printed.output.count && !isReaderGone {
      let result = printed.output.withUnsafeBytes { bytes in
        writeOnce(output, UnsafeRawBufferPointer(rebasing: bytes[written...]))
      }
      switch result {
      case .moved(let count): written += count
      case .interrupted: continue
      case .wouldBlock: _ = waitUntilReady(output, events: Int32(POLLOUT), milliseconds: -1)
      case .closed: isReaderGone = true
      case .failed(let number): throw BrowseError("cannot write to standard output: \(errorText(number))")
      }
    }
    printed.output.removeAll(keepingCapacity: true)
  }
}
