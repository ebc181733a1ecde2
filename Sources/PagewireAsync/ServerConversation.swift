import CSystem
import JSONText
import PagewireClient
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The thread that talks to a server, and what others hand to it.
///
/// A `ServerConnection` waits in `poll`, which no thread of Swift's own may do, so it has a thread to itself.
final class ServerConversation: Sendable {
  /// Something to send; `answer` is nil for a notification.
  struct Job: Sendable {
    let method: StaticString
    let parameters: [PagewireServer.Parameter]
    let answer: CheckedContinuation<String, any Error>?

    init(
      _ method: StaticString, _ parameters: [PagewireServer.Parameter],
      _ answer: CheckedContinuation<String, any Error>?
    ) {
      (self.method, self.parameters, self.answer) = (method, parameters, answer)
    }
  }

  private struct State {
    var jobs: [Job] = []
    var waiting: [Int: CheckedContinuation<String, any Error>] = [:]
    var listeners: [String: AsyncStream<SessionEvent>.Continuation] = [:]
    var isStopping = false
    /// Why nothing can be sent any more.
    var end: ClientError?
    /// The pipe by which others wake the thread; -1 before it runs and after.
    var wake: [Int32] = [-1, -1]
  }

  private let state = Mutex(State())

  // MARK: For everybody

  /// Starts the thread, which starts the server.
  func begin(_ command: ServerCommand) throws(ClientError) {
    var ends: [Int32] = [-1, -1]
    guard csystem_pipe(&ends) == 0 else { throw ClientError(.cannotStart, "cannot make a pipe: \(errorText(errno))") }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    state.withLock { $0.wake = ends }
    let box = Unmanaged.passRetained(Start(self, command))
    let failure = csystem_start_thread(conversationMain, box.toOpaque(), 512 << 10)
    guard failure != 0 else { return }
    box.release()
    throw ClientError(.cannotStart, "cannot start a thread: \(errorText(failure))")
  }

  func put(_ job: Job) {
    let end = state.withLock { state in
      if state.end == nil { state.jobs.append(job) }
      return state.end
    }
    if let end { job.answer?.resume(throwing: end) } else { wake() }
  }

  /// Hands a session's events to somebody, or to nobody any more.
  func listen(_ session: String, _ listener: AsyncStream<SessionEvent>.Continuation?) {
    let former = state.withLock { state in
      let former = state.listeners.removeValue(forKey: session)
      if state.end == nil { state.listeners[session] = listener }
      return former
    }
    former?.finish()
  }

  func stop() {
    state.withLock { $0.isStopping = true }
    wake()
  }

  private func wake() {
    // Under the lock, so that the thread does not close the pipe meanwhile.
    state.withLock { state in
      var byte: UInt8 = 1
      if state.wake[1] >= 0 { _ = write(state.wake[1], &byte, 1) }
    }
  }

  // MARK: The thread

  fileprivate func run(_ command: ServerCommand) {
    do {
      let connection = try ServerConnection(command, errorOutput: .captured)
      defer { connection.process.stop() }
      while perform(on: connection) {
        connection.flush()
        wait(connection)
        try connection.transfer()
        while try connection.nextMessage({ take($0, $1, connection) }) {}
      }
      finish(ClientError(.ended, "the server was stopped"))
    } catch {
      finish(error as? ClientError ?? ClientError(.ended, "\(error)"))
    }
  }

  /// Queues what others have put; false where the conversation is to end.
  private func perform(on connection: ServerConnection) -> Bool {
    let (jobs, isStopping) = state.withLock { state in
      defer { state.jobs = [] }
      return (state.jobs, state.isStopping)
    }
    for job in jobs {
      let write = { (writer: inout JSONWriter) in
        for parameter in job.parameters {
          writer.key(parameter.name)
          writer.raw(parameter.json)
        }
      }
      guard let answer = job.answer else {
        connection.notify(job.method, params: write)
        continue
      }
      let id = connection.request(job.method, params: write)
      state.withLock { $0.waiting[id] = answer }
    }
    return !isStopping
  }

  private func wait(_ connection: ServerConnection) {
    let reader = state.withLock { $0.wake[0] }
    var entries = [pollfd(fd: reader, events: Int16(POLLIN), revents: 0)]
    connection.appendPollEntries(to: &entries)
    _ = poll(&entries, nfds_t(entries.count), -1)
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(reader, &bytes, bytes.count) > 0 {}
  }

  private func take(_ message: ServerMessage, _ bytes: Span<UInt8>, _ connection: ServerConnection) {
    switch message {
    case .answer(let id, let result, _):
      let text = JSONReader.text(bytes, result)
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: text)
    case .failure(let id, let failure):
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: failure)
    case .request(let id, let method, _):
      connection.refuse(id, method: method)
    case .notification(let method, let members):
      let fields = JSONFields(bytes, members)
      guard let session = fields.string("session"), let event = SessionEvent(method: method, fields) else { return }
      _ = state.withLock { $0.listeners[session] }?.yield(event)
    }
  }

  private func finish(_ error: ClientError) {
    let state = self.state.withLock { state in
      defer {
        state = State()
        state.end = error
      }
      return state
    }
    for end in state.wake where end >= 0 { close(end) }
    for answer in state.jobs.compactMap(\.answer) + state.waiting.values { answer.resume(throwing: error) }
    for listener in state.listeners.values {
      listener.yield(SessionEvent(change: .serverEnded(error), generation: nil, facts: nil))
      listener.finish()
    }
  }
}

/// What the thread is given.
private final class Start: Sendable {
  let conversation: ServerConversation
  let command: ServerCommand

  init(_ conversation: ServerConversation, _ command: ServerCommand) {
    (self.conversation, self.command) = (conversation, command)
  }
}

private func conversationMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
  start.conversation.run(start.command)
  return nil
}
