import CSystem
import JSONRPCTransport
import JSONText
import PageSources

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads frames from standard input, lets the server handle them, writes what it has to say, and waits in between.
///
/// One thread does all of it, so a round trip costs no hop. Reading does not wait for writing: what the client does not
/// take is queued, up to a bound beyond which nothing more is read from it.
public struct EventLoop {
  /// Serves on standard input and output until the client is done; the result is the exit status.
  public static func serve(options: ServerOptions) -> Int32 {
    csystem_keep_freed_memory()
    guard let log = Log(path: options.logPath, level: options.logLevel) else {
      return complain("cannot open the log file \(options.logPath ?? "") for writing", status: 2)
    }
    guard let streams = StandardStreams.claim(), let pool = WorkerPool() else {
      return complain("there are no file descriptors left to start with", status: 1)
    }
    Self.reportCrashes(to: log)
    var loop = EventLoop(
      streams: streams, server: Server(options: options, log: log, pool: pool, streams: streams))
    var decoder = FrameDecoder(
      limits: FrameLimits(maxFrameBytes: options.maxFrameBytes, maxHeaderBytes: options.maxHeaderBytes))
    if let path = options.recordPath {
      let recorder = TranscriptRecorder(
        path: path, maxBytes: options.maxRecordBytes, options: options.recordedArguments, now: SystemCalls.now())
      guard let recorder else { return complain("cannot write the recording \(path): errno \(errno)", status: 2) }
      loop.server.record(to: recorder)
    }
    SourceLog.send { level, line in log.write(level == .warning ? .warning : .info, line) }
    let status = loop.run(&decoder)
    ChildPrograms.endAll()
    loop.server.endRecording(status: status)
    return status
  }

  /// A crash is to say what ran, for the next report of it; the version is a text that is never freed.
  private static func reportCrashes(to log: Log) {
    let descriptors = log.crashDescriptors
    let version = PagewireVersion.server.withCString { strdup($0) }
    csystem_crash_report(version, descriptors.0, descriptors.1)
  }

  private static func complain(_ message: String, status: Int32) -> Int32 {
    let line = Array("pagewire: \(message)\n".utf8)
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    return status
  }

  /// The bytes that a pipe holds as the system makes it.
  private static let fullPipe = 64 << 10

  private let streams: StandardStreams
  private var server: Server
  private var isInputOpen = true
  /// Whether a read has come back empty-handed, so that sleeping in one is not possible: others who share the description
  /// of standard input may make it non-blocking at any time.
  private var isInputNonBlocking = false
  private var drainUntil = 0
  private var watch = ProcessWatch()
  /// How often the loop has turned; once it is clear that this is a conversation, waiting gets cheaper.
  private var turns = 0

  private init(streams: StandardStreams, server: Server) {
    self.streams = streams
    self.server = server
  }

  private mutating func run(_ decoder: inout FrameDecoder) -> Int32 {
    while true {
      let missing = handleInput(&decoder)
      // After the input, so that an answer that is there beats its time-out, however late the loop comes to look.
      server.fireTimers()
      server.deliverReady()
      server.recordSent()
      server.freedMemory.note(bytes: server.outbox.pendingBytes, now: server.now)
      server.outbox.flush()
      server.freedMemory.giveBack(now: server.now)
      server.startHeldFetches()
      server.startHeldLooks()
      if server.outbox.isGone { return 0 }
      if case .exiting(let status) = server.phase {
        lastFlush()
        return status
      }
      if !isInputOpen && (isDrained() || SystemCalls.now() >= drainUntil) {
        // What is not finished by now is cancelled, and whoever waits for it is told.
        server.closeAllSessions()
        lastFlush()
        return 0
      }
      watch.follow(server.watchedProcess, log: server.log)
      if !wait(&decoder, missing: missing) { return 0 }
    }
  }

  /// Handles the frames that have arrived, as long as their answers find room; the bytes missing for the next, nil where
  /// there may be more frames already.
  private mutating func handleInput(_ decoder: inout FrameDecoder) -> Int? {
    let bound = server.options.maxQueuedOutputBytes
    while server.outbox.pendingBytes <= bound {
      switch decoder.next() {
      case .frame(let frame):
        server.handle(decoder.buffer.span, frame)
        if case .exiting = server.phase { return 0 }
      case .malformed(let error): server.handleMalformedFrame(error)
      case .needsInput(let missing):
        if missing > EventLoop.fullPipe { server.widen() }
        server.freedMemory.note(bytes: missing, now: server.now)
        return missing
      }
      if server.outbox.pendingBytes >= 64 << 10 { server.outbox.flush() }
      if server.outbox.isGone { return 0 }
    }
    return nil
  }

  // MARK: Waiting

  /// Waits for something to happen and takes it in; false where the client or its process is gone.
  private mutating func wait(_ decoder: inout FrameDecoder, missing: Int?) -> Bool {
    // Frames that are there already come before those that may follow, and before the end of the input.
    let wantsInput = isInputOpen && missing != nil
    let missing = missing ?? 1
    if wantsInput && canReadBlindly {
      read(&decoder, missing)
      return true
    }
    var descriptors = (
      pollfd(fd: wantsInput ? streams.input : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: streams.output, events: server.outbox.pendingBytes > 0 ? Int16(POLLOUT) : 0, revents: 0),
      pollfd(fd: server.runningJobs > 0 ? server.pool.inboxDescriptor : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: server.fileWatch.descriptor, events: Int16(POLLIN), revents: 0)
    )
    let hasRoom = server.outbox.pendingBytes <= server.options.maxQueuedOutputBytes
    _ = SystemCalls.wait(&descriptors, milliseconds: !wantsInput && isInputOpen && hasRoom ? 0 : patience)
    server.now = SystemCalls.now()
    turns &+= 1
    let output = Int32(descriptors.1.revents)
    if output & (POLLERR | POLLNVAL) != 0 && streams.outputKind != .other { return false }
    if output & POLLHUP != 0 && streams.outputKind == .socket { return false }
    if watch.hasEnded(signalled: descriptors.3.revents != 0) { return false }
    if descriptors.2.revents != 0 { server.takeCompletions() }
    if descriptors.4.revents != 0 { server.takeFileChanges() }
    if descriptors.0.revents != 0 { read(&decoder, missing) }
    return true
  }

  /// Whether only input can happen, so that the loop may sleep in the read itself, which saves a call a message.
  private var canReadBlindly: Bool {
    turns > 64 && !isInputNonBlocking && server.runningJobs == 0 && server.timers.nextDue == nil && server.ready.isEmpty
      && server.outbox.pendingBytes == 0 && server.held.isEmpty && server.fileWatch.descriptor < 0 && !watch.isOn
      && server.freedMemory.due == nil
      && OutputGuard.start(streams)
  }

  /// Milliseconds to wait at most; nil for any time.
  private var patience: Int? {
    if !server.ready.isEmpty { return 0 }
    let now = SystemCalls.now()
    var patience = server.timers.nextDue.map { $0 - now }
    if let due = server.freedMemory.due { patience = min(patience ?? Int.max, due - now) }
    if !isInputOpen { patience = min(patience ?? Int.max, drainUntil - now) }
    if let interval = watch.interval { patience = min(patience ?? Int.max, interval) }
    return patience.map { max(0, $0) }
  }

  private mutating func read(_ decoder: inout FrameDecoder, _ missing: Int) {
    let descriptor = streams.input
    let count = decoder.read(atLeast: missing) { SystemCalls.read(descriptor, $0) }
    server.now = SystemCalls.now()
    if count == -Int(EAGAIN) { isInputNonBlocking = true }
    if count >= EventLoop.fullPipe {
      // The client is faster than we are: with room for more between the two, each wakes the other less often.
      server.widen()
      decoder.expectMuch()
    }
    if count > 0 || count == -Int(EAGAIN) { return }
    if count < 0 { server.log.write(.error, "reading standard input failed with errno \(-count)") }
    endInput(&decoder)
  }

  /// There will be no more input: what runs is finished, for a bounded time.
  private mutating func endInput(_ decoder: inout FrameDecoder) {
    isInputOpen = false
    server.recordSent()
    server.recorder?.inputEnded(now: server.now)
    if decoder.endOfInput() == .truncated { server.handleTruncatedInput() }
    drainUntil = SystemCalls.now() + server.options.drainTimeoutMs
    server.endInput()
  }

  // MARK: Ending

  private mutating func isDrained() -> Bool { server.outbox.pendingBytes == 0 && server.hasFinished() }

  /// Writes what was queued, for at most a second.
  private mutating func lastFlush() {
    let deadline = SystemCalls.now() + 1_000
    server.outbox.flush()
    while server.outbox.pendingBytes > 0, !server.outbox.isGone, SystemCalls.now() < deadline {
      var descriptor = pollfd(fd: streams.output, events: Int16(POLLOUT), revents: 0)
      _ = SystemCalls.wait(&descriptor, milliseconds: deadline - SystemCalls.now())
      server.outbox.flush()
    }
  }
}
