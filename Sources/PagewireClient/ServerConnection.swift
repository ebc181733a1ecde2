import JSONRPCTransport
import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The protocol's client side over the pipes of a ``ServerProcess``.
///
/// It never blocks: what is sent is queued, and a loop of the caller's waits with `poll` for the descriptors that
/// ``appendPollEntries(to:)`` names, then calls ``transfer()`` and ``nextMessage(_:)`` until that has no more. Callers
/// with nothing else to wait for use ``wait(milliseconds:)``. Not to be used from two threads at once.
///
/// ```swift
/// let connection = try ServerConnection(command, errorOutput: .inherited)
/// let id = connection.request("sessions")
/// while connection.wait(milliseconds: -1) {
///   try connection.transfer()
///   while try connection.nextMessage({ message, bytes in ... }) {}
/// }
/// ```
///
/// Whoever makes one ends it by `process.stop()`.
public final class ServerConnection {
  /// The server.
  public let process: ServerProcess

  private var decoder: FrameDecoder
  private var parser = MessageParser()
  private var outgoing = FrameWriter()
  /// How much of `outgoing` has been written.
  private var written = 0
  private var missing = 1
  private var lastID = 0
  /// Requests that have not been answered.
  private var unanswered: Set<Int> = []
  /// Elements of a batch that are still to be handed out.
  private var batch = 0..<0
  private var hasAnswered = false
  private var errorTail = ErrorTail()

  /// So many bytes of a pipe, where the system allows it, let a page go through in few turns.
  private static let pipeBytes: Int32 = 1 << 20

  /// Starts a server and makes the connection to it.
  public convenience init(_ command: ServerCommand, errorOutput: ServerProcess.ErrorOutput) throws(ClientError) {
    self.init(try ServerProcess(command, errorOutput: errorOutput))
  }

  /// A connection to a server that runs, whose frames may have so many bytes.
  public init(_ process: ServerProcess, limits: FrameLimits = FrameLimits()) {
    self.process = process
    decoder = FrameDecoder(limits: limits)
    growPipe(process.output, bytes: Self.pipeBytes)
  }

  // MARK: Sending

  /// Queues a request and returns its id.
  ///
  /// `params` writes the members of the params object.
  public func request(_ method: StaticString, params: (inout JSONWriter) -> Void = { _ in }) -> Int {
    lastID += 1
    unanswered.insert(lastID)
    outgoing.beginFrame()
    outgoing.json.beginRequest(id: RequestID(number: lastID), method: method)
    endFrame(params)
    return lastID
  }

  /// Queues a notification.
  public func notify(_ method: StaticString, params: (inout JSONWriter) -> Void = { _ in }) {
    outgoing.beginFrame()
    outgoing.json.beginNotification(method: method)
    endFrame(params)
  }

  /// Queues the answer to a request of the server that this client does not know.
  public func refuse(_ id: RequestID, method: String) {
    outgoing.beginFrame()
    outgoing.json.beginError(id: id, code: .methodNotFound, message: "this front end cannot answer \(method)")
    outgoing.json.endError()
    outgoing.endFrame()
  }

  private func endFrame(_ params: (inout JSONWriter) -> Void) {
    outgoing.json.beginObject()
    params(&outgoing.json)
    outgoing.json.endObject()
    outgoing.json.endObject()
    outgoing.endFrame()
  }

  // MARK: Moving bytes

  /// Appends what to wait for: the server's output, and its input where something is queued.
  public func appendPollEntries(to entries: inout [pollfd]) {
    if process.output >= 0 { entries.append(pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)) }
    if process.errors >= 0 { entries.append(pollfd(fd: process.errors, events: Int16(POLLIN), revents: 0)) }
    if outgoing.count > written && process.input >= 0 {
      entries.append(pollfd(fd: process.input, events: Int16(POLLOUT), revents: 0))
    }
  }

  /// Waits until bytes can be moved or the time (negative: no limit) has run out.
  ///
  /// False where it has.
  public func wait(milliseconds: Int32) -> Bool {
    var entries: [pollfd] = []
    appendPollEntries(to: &entries)
    return poll(&entries, nfds_t(entries.count), milliseconds) != 0
  }

  /// Writes what the server takes and reads what it has sent, without waiting.
  ///
  /// Throws where the server has ended, once all that it sent has been read.
  public func transfer() throws(ClientError) {
    flush()
    readErrors()
    // New bytes would move those that the rest of a batch points into.
    guard batch.isEmpty else { return }
    var result = TransferResult.wouldBlock
    let descriptor = process.output
    _ = decoder.read(atLeast: missing) { room in
      result = readOnce(descriptor, into: room)
      if case .moved(let count) = result { return count }
      return 0
    }
    switch result {
    case .moved, .wouldBlock, .interrupted: return
    case .closed: throw ended()
    case .failed(let number):
      throw ClientError(.ended, "cannot read from the server \"\(name)\": \(errorText(number))")
    }
  }

  /// Writes what the server takes of what is queued, without waiting.
  public func flush() {
    while outgoing.count > written && process.input >= 0 {
      let result = outgoing.bytes.withUnsafeBytes { bytes in
        writeOnce(process.input, UnsafeRawBufferPointer(rebasing: bytes[written...]))
      }
      switch result {
      case .moved(let count): written += count
      case .interrupted: continue
      case .wouldBlock: return
      case .closed, .failed:
        // The end of its output will tell why; until then there may be messages in it.
        process.closeInput()
      }
    }
    outgoing.removeAll()
    written = 0
  }

  private func readErrors() {
    if process.errors >= 0 && !errorTail.read(process.errors) { process.closeErrors() }
  }

  // MARK: Receiving

  /// Hands the next message that has arrived to `handle`, together with the bytes that its slices point into.
  ///
  /// False where no whole message is left. `handle` may send but not receive. Throws what `handle` throws, and a
  /// ``ClientError`` where what arrived is not the protocol; nothing can be received after that.
  public func nextMessage(_ handle: (ServerMessage, Span<UInt8>) throws -> Void) throws -> Bool {
    while true {
      let parsed: ParsedFrame
      // Held for the time of this message only: the decoder would have to copy a buffer that others hold.
      let buffer = decoder.buffer
      if let element = batch.first {
        batch = batch.dropFirst()
        parsed = parser.parseBatchElement(buffer.span, at: element)
      } else {
        switch decoder.next() {
        case .needsInput(let missing):
          self.missing = missing
          return false
        case .malformed(let error): throw notTheProtocol("\(error.message)")
        case .frame(let frame): parsed = parser.parse(buffer.span, frame)
        }
      }
      switch parsed {
      case .batch(let count): batch = 0..<count
      case .invalid(let invalid): throw notTheProtocol(invalid.message)
      case .message(let message):
        guard let known = try known(message, buffer.span) else { continue }
        try handle(known, buffer.span)
        return true
      }
    }
  }

  /// The message with what belongs to it; nil for an answer that nobody waits for.
  private func known(_ message: Message, _ bytes: Span<UInt8>) throws(ClientError) -> ServerMessage? {
    switch message.kind {
    case .notification:
      return .notification(method: JSONReader.string(bytes, content: message.method), members: parser.paramMembers)
    case .request:
      let method = JSONReader.string(bytes, content: message.method)
      // What only echoes sends our own first request back.
      if !hasAnswered { throw notTheProtocol("it asked for \"\(method)\" before it had answered") }
      return .request(id: RequestID(bytes, message.id), method: method, members: parser.paramMembers)
    case .response:
      guard let id = JSONReader.integer(bytes, message.id), unanswered.contains(id) else {
        if message.error.isEmpty || hasAnswered { return nil }
        throw notTheProtocol(failure(bytes).message)
      }
      if let defect = message.defect { throw notTheProtocol(defect.message) }
      unanswered.remove(id)
      hasAnswered = true
      if message.error.isEmpty { return .answer(id: id, result: message.result, members: parser.resultMembers) }
      return .failure(id: id, failure(bytes))
    }
  }

  /// The error of the response that was parsed last.
  private func failure(_ bytes: Span<UInt8>) -> ServerFailure {
    let code = JSONReader.value(bytes, of: parser.errorMembers, named: "code")
    let text = JSONReader.value(bytes, of: parser.errorMembers, named: "message")
    return ServerFailure(
      code: code.flatMap { JSONReader.integer(bytes, $0) } ?? RPCErrorCode.internalError.rawValue,
      message: text.flatMap { JSONReader.string(bytes, $0) } ?? "an error without a message")
  }

  // MARK: Failures

  private var name: String { process.command.program }

  private func notTheProtocol(_ reason: String) -> ClientError {
    let subject =
      hasAnswered ? "the server \"\(name)\" broke the protocol" : "\"\(name)\" does not speak the Pagewire protocol"
    return ClientError(.notAServer, "\(subject): \(reason)")
  }

  private func ended() -> ClientError {
    let when = hasAnswered ? "" : " before it answered"
    let status = process.waitForExit(milliseconds: 500)
    readErrors()
    let reason = errorTail.lastLine.map { ": " + $0 } ?? ""
    guard let status else {
      return ClientError(.ended, "the server \"\(name)\" closed its output\(when)\(reason)")
    }
    return ClientError(.ended, "the server \"\(name)\" \(status.text)\(when)\(reason)")
  }
}
