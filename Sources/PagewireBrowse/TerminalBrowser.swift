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
  private let connection: ServerConnection
  private let terminal: Terminal
  private let requests: SessionRequests
  private var screen: ListScreen
  private var painter = ScreenPainter()
  private var keys = KeyDecoder()
  private var decoder = ListEventDecoder()

  private var initializeID = 0
  private var openID = 0
  private var isOpen = false
  private var isQuit = false
  /// The signal that ends the program; 0 while none has come.
  private var endSignal: Int32 = 0
  private var needsDrawing = true
  private var lastDrawn = 0
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
  init(_ connection: ServerConnection, _ terminal: Terminal, title: String) {
    self.connection = connection
    self.terminal = terminal
    requests = SessionRequests(connection: connection)
    screen = ListScreen(title: title)
  }

  /// Browses until a key or a signal ends it; returns the signal, or 0.
  ///
  /// The terminal is restored on every way out.
  func run(_ source: SourceArgument, pageSize: Int?) throws -> Int32 {
    defer { terminal.leave() }
    let size = terminal.size
    screen.resize(columns: size.columns, rows: size.rows)
    let pageSize = pageSize ?? max(Self.itemsAPage, size.rows * 2)
    let (window, isBeyondAll) = max(pageSize, size.rows).multipliedReportingOverflow(by: Self.windowPages)
    (initializeID, openID) = requests.start(
      source,
      SessionRequests.Settings(
        pageSize: pageSize, maxItems: isBeyondAll ? pageSize : window, prefetchThreshold: size.rows, autoload: true))
    let signals = try watchSignals()
    while !isQuit && endSignal == 0 {
      tellServer()
      connection.flush()
      drawIfDue()
      try wait(signals)
    }
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
    connection.appendPollEntries(to: &entries)
    let ready = poll(&entries, nfds_t(entries.count), Int32(timeout()))
    if ready == 0 && !isOpen {
      throw BrowseError("the server \"\(connection.process.command.program)\" does not answer")
    }
    if ready == 0 && keys.isPending { keys.pause() }
    readSignals(signals)
    if isOpen && entries[1].revents != 0 { readKeys() }
    guard !isQuit && endSignal == 0 else { return }
    try connection.transfer()
    while try connection.nextMessage({ try take($0, $1) }) {}
  }

  /// Milliseconds until something is to be done without anything happening; -1 where nothing is.
  private func timeout() -> Int {
    guard isOpen else { return SessionRequests.handshakeMilliseconds }
    var due: [Int] = []
    if needsDrawing { due.append(lastDrawn + Self.frameMilliseconds - now()) }
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
    switch screen.press(key) {
    case .quit: isQuit = true
    case .suspend: suspend(wholeJob: true)
    case .redraw: painter.invalidate()
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
    case .failure(let id, let failure):
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
    guard terminal.enter() else { throw BrowseError("cannot use the terminal: \(errorText(errno))") }
    isOpen = true
  }

  /// Tells what is on the screen, where that has changed.
  private func tellServer() {
    guard isOpen else { return }
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
    guard let id = screen.selectedID else { return false }
    return id != toldID
  }

  private func tellSelection() {
    guard hasNewSelection, let id = screen.selectedID else { return }
    toldID = id
    requests.setScrolledID(id)
  }

  // MARK: The screen

  private func drawIfDue() {
    guard isOpen, needsDrawing, terminal.isEntered, now() - lastDrawn >= Self.frameMilliseconds else { return }
    needsDrawing = false
    lastDrawn = now()
    let output = painter.paint(ScreenRows(screen: screen).make())
    if !output.isEmpty && !terminal.write(output) && csystem_signal_ending() == 0 { isQuit = true }
  }

  private func now() -> Int {
    Int(csystem_milliseconds())
  }
}
