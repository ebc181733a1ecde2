import JSONRPCTransport
import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The talk with one run of a provider program, from its start to its end, on a thread of its own.
struct ProviderConversation: ~Copyable {
  let process: ProviderProcess
  var decoder = FrameDecoder()
  var parser = MessageParser()
  /// What is being sent, and how much of it is.
  private var outgoing: [UInt8] = []
  private var sent = 0
  /// Whether the program has closed its input, so that it cannot be told anything any more.
  private var isDeaf = false
  /// When a program that has closed its input is taken to answer nothing any more; until then what it has read counts.
  private var deafUntil: Int?
  /// When whoever waits is told that what came is no answer.
  var garbageUntil: Int?
  /// When a program whose input has ended is asked to end otherwise.
  private var finishUntil: Int?

  init(_ process: ProviderProcess) { self.process = process }

  /// Starts the program and talks to it until it has ended.
  mutating func run() {
    let child: ChildProcess
    do throws(StartFault) {
      child = try ChildProcess.start(process.program, hasInput: true, logName: process.name)
    } catch {
      return process.end(with: error.sourceError)
    }
    while turn(child) {}
    child.closeInput()
    process.end(with: ending(of: child))
    child.stop()
  }

  /// Sends, waits and reads once; false where the program is gone.
  private mutating func turn(_ child: ChildProcess) -> Bool {
    takeOutgoing(child)
    var descriptors = [
      pollfd(fd: process.state.withLock { $0.wakeReader }, events: Int16(POLLIN), revents: 0),
      pollfd(fd: child.output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: child.endDescriptor, events: Int16(POLLIN), revents: 0),
      // Also without anything to send: that the other end is closed is reported in any case.
      pollfd(
        fd: deafUntil == nil ? child.input : -1, events: sent < outgoing.count ? Int16(POLLOUT) : 0, revents: 0),
    ]
    let deadline = [garbageUntil, finishUntil, deafUntil].compactMap { $0 }.min()
    let patience = deadline.map { Int32(clamping: max(0, $0 - ProcessKeeper.now())) } ?? -1
    _ = poll(&descriptors, nfds_t(descriptors.count), patience)
    if descriptors[0].revents != 0 { drainWakes(descriptors[0].fd) }
    if descriptors[3].revents != 0 { inputIsReady(child) }
    lookAtTime(child)
    // What it wrote before it ended still counts.
    if descriptors[1].revents != 0, !readAll(child) { return false }
    if isDeaf { return false }
    return descriptors[1].revents != 0 || descriptors[2].revents == 0
  }

  private mutating func lookAtTime(_ child: ChildProcess) {
    let now = ProcessKeeper.now()
    if let until = garbageUntil, until <= now {
      garbageUntil = nil
      failSent("It wrote something to its standard output that is no frame; only frames may be written there.")
    }
    if let until = finishUntil, until <= now {
      // Its output goes on being read until it ends.
      finishUntil = Int.max
      child.stop()
    }
    if let until = deafUntil, until <= now { isDeaf = true }
  }

  // MARK: Sending

  private mutating func takeOutgoing(_ child: ChildProcess) {
    if sent == outgoing.count {
      sent = 0
      outgoing = process.state.withLock { $0.frames.take() }
    }
    if deafUntil != nil, sent < outgoing.count { isDeaf = true }
    guard process.state.withLock({ $0.isFinishing }) else { return }
    if finishUntil == nil { finishUntil = ProcessKeeper.now() + ProcessLimits.graceMilliseconds }
    if outgoing.isEmpty { child.closeInput() }
  }

  /// There is room for more, or the program reads no more.
  private mutating func inputIsReady(_ child: ChildProcess) {
    if sent < outgoing.count { return send(child) }
    deafUntil = ProcessKeeper.now() + ProcessLimits.graceMilliseconds
  }

  private mutating func send(_ child: ChildProcess) {
    let count = outgoing.withUnsafeBytes { bytes in
      bytes.baseAddress.map { write(child.input, $0 + sent, bytes.count - sent) } ?? 0
    }
    if count >= 0 {
      sent += count
    } else if errno != EAGAIN && errno != EINTR {
      sent = outgoing.count
      isDeaf = true
    }
  }

  private func drainWakes(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(descriptor, &bytes, bytes.count) == bytes.count {}
  }

  // MARK: Receiving

  /// Reads what is there and handles it; false at the end of the output.
  private mutating func readAll(_ child: ChildProcess) -> Bool {
    // Between reads that fill the buffer something may have to be sent.
    for _ in 0..<ProviderLimits.readsInARow {
      var missing = 1
      handling: while true {
        switch decoder.next() {
        case .frame(let frame): handle(frame)
        case .malformed(let error): handleMalformed(error)
        case .needsInput(let count):
          missing = count
          break handling
        }
      }
      let descriptor = child.output
      let count = decoder.read(atLeast: missing) { read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return false }
      if count < 0 { return errno == EAGAIN || errno == EINTR }
    }
    return true
  }

  // MARK: Ending

  /// Why it is over.
  private func ending(of child: ChildProcess) -> SourceError {
    var waiting = [pollfd(fd: child.endDescriptor, events: Int16(POLLIN), revents: 0)]
    if child.end == nil { _ = poll(&waiting, 1, Int32(ProviderLimits.statusMilliseconds)) }
    let errors = child.errorTail
    let name = process.name
    let how = child.end?.description ?? (isDeaf ? "has closed its input" : "has closed its output")
    if !process.state.withLock({ $0.isFinishing }) {
      SourceLog.write(.warning, "\(name): the program \(how)\(errors.ending)")
    }
    return SourceError(
      .sourceUnavailable,
      "The program \"\(name)\" \(how)\(errors.ending). It is started again when it is next needed.", retryable: true,
      details: [.string("program", name)] + (child.end?.details ?? []) + errors.details)
  }
}
