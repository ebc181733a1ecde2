import CSystem
import JSONText
import PagewireClient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The full-screen list: waits for keys, signals and the server together, and hands each on.
final class TerminalBrowser {
  private var connection: ServerConnection
  private let terminal: Terminal
  private let errorOutput: ServerProcess.ErrorOutput
  private var requests: SessionRequests
  private var screen: ListScreen
  private var painter = ScreenPainter()
  private var keys = KeyDecoder()
  private var decoder = ListEventDecoder()

  private var initializeID = 0
  private var openID = 0
  /// The request for the way back to the selected item, and its last answer.
  private var tokenID = 0
  private var resumeToken: [UInt8]?
  /// Opens the list, for the first time or again.
  private var openList: (SessionRequests, _ resume: [UInt8]?) -> (Int, Int) = { _, _ in (0, 0) }
  /// Whether the list has the screen.
  private var isOpen = false
  /// Whether the server that there is now has opened the list.
  private var isListOpen = false
  /// Why there is no server any more.
  private var serverEnd: ClientError?
  private var isQuit = false
  /// The signal that ends the program; 0 while none has come.
  private var endSignal: Int32 = 0
  private var needsDrawing = true
  private var lastDrawn = 0
  private var hasDrawnItems = false
  /// What the server was last told to be visible, and of which list.
  private var toldRange: ClosedRange<Int>?
  private var toldGeneration = 0
  private var toldID: ArraySlice<UInt8>?
  /// When the selection last moved, in milliseconds.
  private var lastMoved = 0
  private var lastSelected = 0

  private static let itemsAPage = 500
  /// Windows of less would be dropped and loaded again by a few screens up and down.
  private static let windowPages = 10
  /// A frame every so often is as much as anybody sees.
  private static let frameMilliseconds = 16
  /// A selection that has stayed for so long is worth being remembered.
  private static let settledMilliseconds = 200
  /// An escape that nothing follows for so long is the key of that name.
  private static let escapeMilliseconds = 50
  private static let endingSignals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

  /// A browser over a connection, on a terminal that it takes when the list is open.
  init(
    _ connection: ServerConnection, _ terminal: Terminal, title: String, errorOutput: ServerProcess.ErrorOutput
  ) {
    self.connection = connection
    self.errorOutput = errorOutput
    self.terminal = terminal
    requests = SessionRequests(connection: connection)
    screen = ListScreen(title: title)
  }

  /// Browses until a key or a signal ends it; returns the signal, or 0.
  ///
  /// The terminal is restored on every way out.
  func run(_ source: SourceArgument, pageSize: Int?) throws -> Int32 {
    defer {
      terminal.leave()
      connection.process.stop()
    }
    let size = terminal.size
    screen.resize(columns: size.columns, rows: size.rows)
    let pageSize = pageSize ?? max(Self.itemsAPage, size.rows * 2)
    let (window, isBeyondAll) = max(pageSize, size.rows).multipliedReportingOverflow(by: Self.windowPages)
    let settings = SessionRequests.Settings(
      pageSize: pageSize, maxItems: isBeyondAll ? pageSize : window, prefetchThreshold: size.rows, autoload: true)
    openList = { $0.start(source, settings, resume: $1) }
    (initializeID, openID) = openList(requests, nil)
    let signals = try watchSignals()
    while !isQuit && endSignal == 0 {
      tellServer()
      connection.flush()
      drawIfDue()
      try wait(signals)
    }
    // Who leaves a list without a server is told once more, where it can be read at leisure.
    if let serverEnd, endSignal == 0 { throw serverEnd }
    return endSignal
  }

  private func watchSignals() throws -> Int32 {
    let signals = csystem_signal_pipe()
    guard signals >= 0 else { throw BrowseError("cannot make a pipe for signals: \(errorText(errno))") }
    for signal in Self.endingSignals + [SIGWINCH, SIGTSTP, SIGCONT] { _ = csystem_signal_watch(signal) }
    return signals
  }

  // MARK: Waiting

  private func wait(_ signals: Int32) throws {
    var entries = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
    if isOpen { entries.append(pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0)) }
    if serverEnd == nil { connection.appendPollEntries(to: &entries) }
    let ready = poll(&entries, nfds_t(entries.count), Int32(timeout()))
    if ready == 0 && !isOpen {
      throw BrowseError("the server \"\(connection.process.command.program)\" does not answer")
    }
    if ready == 0 && keys.isPending { keys.pause() }
    readSignals(signals)
    if isOpen && entries[1].revents != 0 { readKeys() }
    guard !isQuit && endSignal == 0 && serverEnd == nil else { return }
    do {
      try connection.transfer()
      while try connection.nextMessage({ try take($0, $1) }) {}
    } catch let error as ClientError where isOpen && error.kind == .ended {
      lose(error)
    }
  }

  /// The server is gone: the list stays as an old copy, and a key starts another one.
  private func lose(_ error: ClientError) {
    connection.process.stop(graceMilliseconds: 0)
    serverEnd = error
    isListOpen = false
    screen.setServerEnd(error.message)
    needsDrawing = true
  }

  private func restart() {
    do throws(ClientError) {
      connection = try ServerConnection(connection.process.command, errorOutput: errorOutput)
    } catch {
      return lose(error)
    }
    requests = SessionRequests(connection: connection)
    (initializeID, openID) = openList(requests, resumeToken)
    serverEnd = nil
    screen.setServerEnd(nil)
  }

  /// Milliseconds until something is to be done without anything happening; -1 where nothing is.
  private func timeout() -> Int {
    guard isOpen else { return SessionRequests.handshakeMilliseconds }
    var due: [Int] = []
    if needsDrawing { due.append(nextFrame - now()) }
    if hasNewSelection { due.append(lastMoved + Self.settledMilliseconds - now()) }
    if keys.isPending { due.append(Self.escapeMilliseconds) }
    return due.min().map { max(0, $0) } ?? -1
  }

  private func readSignals(_ signals: Int32) {
    var bytes = [UInt8](repeating: 0, count: 64)
    while case .moved(let count) = bytes.withUnsafeMutableBytes({ readOnce(signals, into: $0) }) {
      for byte in bytes[..<count] {
        switch Int32(byte) {
        case SIGWINCH: resize()
        case SIGTSTP: suspend(wholeJob: false)
        case SIGCONT: resume()
        case let signal: if endSignal == 0 { endSignal = signal }
        }
      }
    }
  }

  private func readKeys() {
    var bytes = [UInt8](repeating: 0, count: 1024)
    switch bytes.withUnsafeMutableBytes({ readOnce(terminal.input, into: $0) }) {
    case .moved(let count):
      for byte in bytes[..<count] where !isQuit {
        if let key = keys.decode(byte) { press(key) }
      }
    case .wouldBlock, .interrupted: break
    // The terminal has gone; a hang-up signal mostly says so too.
    case .closed, .failed: isQuit = true
    }
  }

  // MARK: Keys

  private func press(_ key: Key) {
    needsDrawing = true
    let wish = screen.press(key)
    if !isListOpen, let wish, [.refresh, .loadMore, .loadPrevious].contains(wish) { return }
    switch wish {
    case .quit: isQuit = true
    case .suspend: suspend(wholeJob: true)
    case .redraw: painter.invalidate()
    case .restart: restart()
    case .refresh:
      tellSelection()
      _ = requests.refresh()
    case .loadMore: _ = requests.loadMore()
    case .loadPrevious: _ = requests.loadPrevious()
    case nil: break
    }
  }

  private func resize() {
    let size = terminal.size
    screen.resize(columns: size.columns, rows: size.rows)
    painter.invalidate()
    needsDrawing = true
  }

  /// Stops, as the key for that would without us, and goes on where the shell lets us.
  private func suspend(wholeJob: Bool) {
    terminal.leave()
    csystem_signal_default(SIGTSTP)
    if wholeJob { kill(0, SIGTSTP) } else { raise(SIGTSTP) }
    _ = csystem_signal_watch(SIGTSTP)
    resume()
  }

  private func resume() {
    guard isOpen else { return }
    if !terminal.resume() { isQuit = true }
    resize()
  }

  // MARK: The server

  private func take(_ message: ServerMessage, _ bytes: Span<UInt8>) throws {
    switch message {
    case .notification(let method, let members):
      guard let event = try decoder.decode(method: method, bytes, members) else { return }
      screen.apply(event)
      needsDrawing = true
    case .answer(let id, let result, let members):
      if id == initializeID { try SessionRequests.checkVersion(bytes, members) }
      if id == openID { try opened(bytes, result) }
      if id == tokenID, let token = JSONReader.value(bytes, of: members, named: "resume") {
        resumeToken = JSONReader.raw(bytes, token)
      }
    case .failure(let id, let failure):
      if id == openID && isOpen { return lose(ClientError(.ended, failure.message)) }
      if id == openID || !isOpen { throw failure }
      // A load that failed has its row; only what else was refused would go unseen.
      if !screen.model.hasFailure { screen.show(notice: failure.message) }
      needsDrawing = true
    case .request(let id, let method, _):
      connection.refuse(id, method: method)
    }
  }

  private func opened(_ bytes: Span<UInt8>, _ result: JSONSlice) throws {
    screen.apply(try decoder.decodeOpened(bytes, result))
    (isListOpen, toldRange, toldID) = (true, nil, nil)
    if isOpen { return }
    guard terminal.enter() else { throw BrowseError("cannot use the terminal: \(errorText(errno))") }
    isOpen = true
  }

  /// Tells what is on the screen, where that has changed.
  private func tellServer() {
    guard isListOpen else { return }
    if let range = screen.visible, range != toldRange || screen.model.generation != toldGeneration {
      toldRange = range
      toldGeneration = screen.model.generation
      requests.visibleRange(range, generation: toldGeneration)
    }
    if screen.viewport.selected != lastSelected {
      lastSelected = screen.viewport.selected
      lastMoved = now()
    }
    if hasNewSelection && now() - lastMoved >= Self.settledMilliseconds { tellSelection() }
  }

  private var hasNewSelection: Bool {
    guard isListOpen, let id = screen.selectedID else { return false }
    return id != toldID
  }

  private func tellSelection() {
    guard hasNewSelection, let id = screen.selectedID else { return }
    toldID = id
    requests.setScrolledID(id)
    tokenID = requests.resumeToken()
  }

  // MARK: The screen

  /// When the screen may be drawn again.
  ///
  /// Items that come where there were none do not wait: the frame that said that they load has only just been drawn.
  private var nextFrame: Int {
    screen.model.last != nil && !hasDrawnItems ? 0 : lastDrawn + Self.frameMilliseconds
  }

  private func drawIfDue() {
    guard isOpen, needsDrawing, terminal.isEntered, now() >= nextFrame else { return }
    needsDrawing = false
    lastDrawn = now()
    hasDrawnItems = screen.model.last != nil
    let output = painter.paint(ScreenRows(screen: screen).make())
    if !output.isEmpty && !terminal.write(output) && csystem_signal_ending() == 0 { isQuit = true }
  }

  private func now() -> Int {
    Int(csystem_milliseconds())
  }
}
