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

  private struct Job: Sendable {
    let session: SessionNumber
    let ticket: Int
    let flag: CancellationFlag
    let body: @Sendable (CancellationFlag) -> Result<SourcePage, SourceError>
  }

  private struct State {
    /// Jobs in order; those before `nextJob` have been taken.
    var jobs: [Job] = []
    var nextJob = 0
    var threads = 0
    var idle = 0
    var completions: [Completion] = []

    mutating func takeJob() -> Job? {
      guard nextJob < jobs.count else { return nil }
      let job = jobs[nextJob]
      nextJob += 1
      // What was taken is forgotten when it is half of the list, so that neither the list nor what its jobs hold stays.
      if nextJob * 2 >= jobs.count {
        jobs.removeFirst(nextJob)
        nextJob = 0
      }
      return job
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
  private let state = Mutex(State())

  /// Makes a pool without threads; nil where there are no descriptors left.
  init?(maxThreads: Int = 512, stackBytes: Int = 512 << 10) {
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
    session: SessionNumber, ticket: Int, flag: CancellationFlag,
    body: @escaping @Sendable (CancellationFlag) -> Result<SourcePage, SourceError>
  ) {
    let needsThread = state.withLock { state in
      state.jobs.append(Job(session: session, ticket: ticket, flag: flag, body: body))
      let waiting = state.jobs.count - state.nextJob
      guard waiting > state.idle, state.threads < maxThreads else { return false }
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
      let stranded = Array(state.jobs[state.nextJob...])
      state.jobs = []
      state.nextJob = 0
      state.fail(
        stranded,
        SourceError(.loadFailed, "The system has no thread left to read with. End other programs; then load again."))
    }
    wake(inboxWriter)
  }

  /// Puts a result among the completions and wakes the loop; for work that some other thread did.
  func complete(_ completion: Completion) {
    state.withLock { $0.completions.append(completion) }
    wake(inboxWriter)
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
          state.completions.append(Completion(session: current.session, ticket: current.ticket, result: result))
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
