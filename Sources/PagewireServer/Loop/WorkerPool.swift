import CSystem
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

  /// What a job does with its thread.
  enum Kind: Sendable {
    /// It reads or computes.
    case work
    /// It waits for somebody else, a server or a program; a part of the threads is never used for this.
    case wait
  }

  private struct Job: Sendable {
    let session: SessionNumber
    let ticket: Int
    let kind: Kind
    let flag: CancellationFlag
    let body: @Sendable (CancellationFlag) -> Result<SourcePage, SourceError>
  }

  /// Jobs in order.
  private struct Queue {
    private var jobs: [Job] = []
    /// Those before it have been taken.
    private var next = 0

    var count: Int { jobs.count - next }

    mutating func append(_ job: Job) { jobs.append(job) }

    mutating func take() -> Job? {
      guard next < jobs.count else { return nil }
      let job = jobs[next]
      next += 1
      // What was taken is forgotten when it is half of the list, so that neither the list nor what its jobs hold stays.
      if next * 2 >= jobs.count {
        jobs.removeFirst(next)
        next = 0
      }
      return job
    }

    mutating func takeAll() -> [Job] {
      let rest = Array(jobs[next...])
      jobs = []
      next = 0
      return rest
    }
  }

  private struct State {
    var work = Queue()
    var waits = Queue()
    /// How many jobs that wait have a thread.
    var waiting = 0
    /// How many of them may have one.
    let maxWaiting: Int
    let maxPendingBytes: Int
    var threads = 0
    var idle = 0
    var completions: [Completion] = []
    /// The bytes of the pages among them.
    var pendingBytes = 0

    /// How many jobs a thread may take now.
    var ready: Int { work.count + min(waits.count, maxWaiting - waiting) }

    mutating func append(_ job: Job) {
      switch job.kind {
      case .work: work.append(job)
      case .wait: waits.append(job)
      }
    }

    mutating func takeJob() -> Job? {
      if let job = work.take() { return job }
      guard waiting < maxWaiting, let job = waits.take() else { return nil }
      waiting += 1
      return job
    }

    /// Notes what a job has come to; a page that finds no room is given up.
    mutating func finish(_ job: Job, _ result: Result<SourcePage, SourceError>) {
      if job.kind == .wait { waiting -= 1 }
      add(Completion(session: job.session, ticket: job.ticket, result: result))
    }

    mutating func add(_ completion: Completion) {
      guard case .success(let page) = completion.result, !page.bytes.isEmpty else {
        completions.append(completion)
        return
      }
      // One page has room in any case.
      if pendingBytes > 0, pendingBytes + page.bytes.count > maxPendingBytes {
        let error = SourceError(
          .loadFailed, "So many large pages came at once that there is no room for this one. Load again.",
          details: [.init(key: "limit", json: Array("\(maxPendingBytes)".utf8))])
        completions.append(
          Completion(session: completion.session, ticket: completion.ticket, result: .failure(error)))
        return
      }
      pendingBytes += page.bytes.count
      completions.append(completion)
    }

    mutating func fail(_ jobs: [Job], _ error: SourceError) {
      for job in jobs {
        completions.append(Completion(session: job.session, ticket: job.ticket, result: .failure(error)))
      }
    }
  }

  /// The most threads at once; what is more waits its turn.
  ///
  /// Each silent program or slow server has one for as long as a page of it is waited for, and must not keep others waiting.
  private let maxThreads: Int
  private let stackBytes: Int

  /// Readable when completions wait.
  let inboxDescriptor: Int32
  private let inboxWriter: Int32
  /// Bytes that wake idle threads; a thread that is awake works until no job is left.
  private let jobReader: Int32
  private let jobWriter: Int32
  private let state: Mutex<State>

  /// Makes a pool without threads; nil where there are no descriptors left.
  ///
  /// `maxWaiting` is how many threads may wait for somebody else at once.
  init?(
    maxThreads: Int = 512, maxWaiting: Int = 448, maxPendingBytes: Int = ServerOptions.maxPendingPageBytes,
    stackBytes: Int = 512 << 10
  ) {
    state = Mutex(State(maxWaiting: maxWaiting, maxPendingBytes: maxPendingBytes))
    self.maxThreads = maxThreads
    self.stackBytes = stackBytes
    guard let inbox = SystemCalls.makePipe(), let jobs = SystemCalls.makePipe() else { return nil }
    (inboxDescriptor, inboxWriter) = inbox
    (jobReader, jobWriter) = jobs
    // Neither the loop nor a thread may wait for the other: a pipe that is full wakes its reader as well as one byte more.
    _ = fcntl(inbox.write, F_SETFL, O_NONBLOCK)
    _ = fcntl(jobs.write, F_SETFL, O_NONBLOCK)
  }

  /// Runs `body` on some thread; its result is among the completions later.
  func submit(
    session: SessionNumber, ticket: Int, _ kind: Kind = .work, flag: CancellationFlag,
    body: @escaping @Sendable (CancellationFlag) -> Result<SourcePage, SourceError>
  ) {
    let needsThread = state.withLock { state in
      state.append(Job(session: session, ticket: ticket, kind: kind, flag: flag, body: body))
      guard state.ready > state.idle, state.threads < maxThreads else { return false }
      state.threads += 1
      return true
    }
    if needsThread, !startThread() { threadDidNotStart() }
    wake(jobWriter)
  }

  /// The system has no thread to give: those there are do the work, and where there are none it fails.
  func threadDidNotStart() {
    state.withLock { state in
      state.threads -= 1
      guard state.threads == 0 else { return }
      state.fail(
        state.work.takeAll() + state.waits.takeAll(),
        SourceError(.loadFailed, "The system has no thread left to read with. End other programs; then load again."))
    }
    wake(inboxWriter)
  }

  /// Puts a result among the completions and wakes the loop; for work that some other thread did.
  func complete(_ completion: Completion) {
    state.withLock { $0.add(completion) }
    wake(inboxWriter)
  }

  /// Takes what has come back.
  func takeCompletions() -> [Completion] {
    var drain = [UInt8](repeating: 0, count: 256)
    var ready = pollfd(fd: inboxDescriptor, events: Int16(POLLIN), revents: 0)
    while SystemCalls.wait(&ready, milliseconds: 0) > 0,
      drain.withUnsafeMutableBytes({ SystemCalls.read(inboxDescriptor, $0) }) == drain.count
    {}
    return state.withLock { state in
      let taken = state.completions
      state.completions = []
      state.pendingBytes = 0
      return taken
    }
  }

  private func startThread() -> Bool {
    let box = Unmanaged.passRetained(self)
    let result = csystem_start_thread(workerMain, box.toOpaque(), stackBytes)
    if result != 0 { box.release() }
    return result == 0
  }

  fileprivate func work() {
    while true {
      state.withLock { $0.idle += 1 }
      var byte: UInt8 = 0
      let count = withUnsafeMutableBytes(of: &byte) { SystemCalls.read(jobReader, $0) }
      var job = state.withLock { state in
        state.idle -= 1
        return state.takeJob()
      }
      while let current = job {
        let result = current.flag.isCancelled ? .failure(Self.cancelled) : current.body(current.flag)
        job = state.withLock { state in
          state.finish(current, result)
          return state.takeJob()
        }
        wake(inboxWriter)
      }
      if count <= 0 { return }
    }
  }

  private static let cancelled = SourceError(.loadFailed, "The page was not wanted any more.")

  private func wake(_ descriptor: Int32) {
    var byte: UInt8 = 1
    #if canImport(Glibc)
      while Glibc.write(descriptor, &byte, 1) < 0, errno == EINTR {}
    #else
      while Darwin.write(descriptor, &byte, 1) < 0, errno == EINTR {}
    #endif
  }
}

private func workerMain(_ pool: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let pool { Unmanaged<WorkerPool>.fromOpaque(pool).takeRetainedValue().work() }
  return nil
}
