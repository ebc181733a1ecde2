import PageSources
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads for work that can block.
///
/// Results come back to the loop through an inbox and a byte on a pipe.
///
/// A thread is started whenever there is work and none is free, up to a bound, so that a source that hangs (a dead network
/// file system) does not hold up the others.
final class WorkerPool: Sendable {
  /// A source's call that has come to its end.
  struct Completion: Sendable {
    let session: SessionNumber
    let ticket: Int
    let result: Result<SourcePage, SourceError>
  }

  private struct Job: Sendable {
    let session: SessionNumber
    let ticket: Int
    let flag: CancellationFlag
    let body: @Sendable (CancellationFlag) -> Result<SourcePage, SourceError>
  }

  private struct State {
    var jobs: [Job] = []
    var nextJob = 0
    var threads = 0
    var idle = 0
    var completions: [Completion] = []
  }

  /// The most threads at once; what is more waits its turn.
  static let maxThreads = 64

  /// Readable when completions wait.
  let inboxDescriptor: Int32
  private let inboxWriter: Int32
  /// A byte for each job, which idle threads wait for.
  private let jobReader: Int32
  private let jobWriter: Int32
  private let state = Mutex(State())

  /// Makes a pool without threads; nil where there are no descriptors left.
  init?() {
    guard let inbox = SystemCalls.makePipe(), let jobs = SystemCalls.makePipe() else { return nil }
    (inboxDescriptor, inboxWriter) = inbox
    (jobReader, jobWriter) = jobs
    // A full inbox pipe means the loop will wake anyway.
    _ = fcntl(inbox.write, F_SETFL, O_NONBLOCK)
  }

  /// Runs `body` on some thread; its result is among the completions later.
  func submit(
    session: SessionNumber, ticket: Int, flag: CancellationFlag,
    body: @escaping @Sendable (CancellationFlag) -> Result<SourcePage, SourceError>
  ) {
    let needsThread = state.withLock { state in
      state.jobs.append(Job(session: session, ticket: ticket, flag: flag, body: body))
      let waiting = state.jobs.count - state.nextJob
      guard waiting > state.idle, state.threads < WorkerPool.maxThreads else { return false }
      state.threads += 1
      return true
    }
    if needsThread, !startThread() { state.withLock { $0.threads -= 1 } }
    var byte: UInt8 = 1
    _ = Self.retrying { Self.writeByte(jobWriter, &byte) }
  }

  /// Takes what has come back.
  func takeCompletions() -> [Completion] {
    var drain = [UInt8](repeating: 0, count: 256)
    var ready = [pollfd(fd: inboxDescriptor, events: Int16(POLLIN), revents: 0)]
    while SystemCalls.wait(&ready, milliseconds: 0) > 0,
      drain.withUnsafeMutableBytes({ SystemCalls.read(inboxDescriptor, $0) }) == drain.count
    {}
    return state.withLock { state in
      let taken = state.completions
      state.completions = []
      return taken
    }
  }

  private func startThread() -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 512 << 10)
    defer { pthread_attr_destroy(&attributes) }
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let box = Unmanaged.passRetained(self)
    let result = pthread_create(&thread, &attributes, workerMain, box.toOpaque())
    if result != 0 { box.release() }
    return result == 0
  }

  fileprivate func work() {
    while true {
      state.withLock { $0.idle += 1 }
      var byte: UInt8 = 0
      let count = Self.retrying { withUnsafeMutableBytes(of: &byte) { SystemCalls.read(jobReader, $0) } }
      let job: Job? = state.withLock { state in
        state.idle -= 1
        guard count == 1, state.nextJob < state.jobs.count else { return nil }
        let job = state.jobs[state.nextJob]
        state.nextJob += 1
        if state.nextJob == state.jobs.count {
          state.jobs.removeAll(keepingCapacity: true)
          state.nextJob = 0
        }
        return job
      }
      guard let job else {
        if count <= 0 { return }
        continue
      }
      let result = job.body(job.flag)
      state.withLock { state in
        state.completions.append(Completion(session: job.session, ticket: job.ticket, result: result))
      }
      byte = 1
      _ = Self.writeByte(inboxWriter, &byte)
    }
  }

  private static func writeByte(_ descriptor: Int32, _ byte: inout UInt8) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, &byte, 1)
    #else
      Darwin.write(descriptor, &byte, 1)
    #endif
  }

  private static func retrying(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

private func workerMain(_ pool: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let pool { Unmanaged<WorkerPool>.fromOpaque(pool).takeRetainedValue().work() }
  return nil
}
