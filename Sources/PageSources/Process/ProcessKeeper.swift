import CSystem
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Starts all child processes, takes in what they say on their standard error, and sees to it that they end.
///
/// One thread does this. It is started with the first child and lives as long as the process: the system kills a child
/// when the thread that started it ends.
final class ProcessKeeper: Sendable {
  /// The only one.
  static let shared = ProcessKeeper()

  /// A child that has not been forgotten yet.
  private struct Entry {
    let child: ChildProcess
    /// Readable when it has ended; -1 where the system has no such descriptor.
    let exitDescriptor: Int32
    var hasErrors = true
    /// How many reads of its standard error in a row were full.
    var fullReads = 0
    /// Until when nothing is read of it.
    var pauseUntil = 0
    var hasEnded = false
    /// Whether nobody needs it any more.
    var isReleased = false
    /// When its group is killed.
    var killAt: Int?
  }

  /// A program that somebody waits for.
  private struct Start: Sendable {
    let program: Program
    let hasInput: Bool
    let logName: String?
    let reply: Reply
  }

  private final class Reply: Sendable {
    let result = Mutex<Result<ChildProcess, StartFault>?>(nil)
    let isThere = CancellationFlag()
  }

  private struct State {
    /// A pipe whose bytes wake the thread; -1 until it is started.
    var wakeReader: Int32 = -1
    var wakeWriter: Int32 = -1
    var starts: [Start] = []
    var entries: [Entry] = []
    /// The pipe to the guard, which kills what is left when we do not get to do it; -1 where there is none.
    var guardWriter: Int32 = -1
    var isGuardTried = false
  }

  private let state = Mutex(State())

  /// Where the system does not say when a process ends, how often to ask, in milliseconds.
  private static let lookMilliseconds = 20

  // MARK: For everybody

  /// Starts a program with its standard output and error in pipes, and its input too, or from `/dev/null`.
  ///
  /// Blocks until that has become the program or failed to, which takes no longer than the system needs.
  func start(_ program: Program, hasInput: Bool, logName: String?) -> Result<ChildProcess, StartFault> {
    let start = Start(program: program, hasInput: hasInput, logName: logName, reply: Reply())
    let failure: Int32? = state.withLock { state in
      if let failure = startThread(&state) { return failure }
      state.starts.append(start)
      return nil
    }
    if let failure { return .failure(StartFault("Cannot start \"\(program.name)\"", errno: failure)) }
    wake()
    var nothing: [pollfd] = []
    while !start.reply.isThere.isCancelled { _ = start.reply.isThere.wait(for: &nothing) }
    return start.reply.result.withLock { $0 } ?? .failure(StartFault("Cannot start \"\(program.name)\"", errno: EINVAL))
  }

  /// Sends a signal to a child's group, and kills the group after the grace time.
  func stop(_ child: ChildProcess, signal: Int32, graceMilliseconds: Int) {
    state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.child === child }) else { return }
      if !state.entries[index].isReleased { _ = kill(-child.id, signal) }
      state.entries[index].isReleased = true
      let killAt = Self.now() + graceMilliseconds
      state.entries[index].killAt = min(state.entries[index].killAt ?? Int.max, killAt)
    }
    wake()
  }

  /// Asks all children to end, waits for a moment, and kills those that have not.
  func endAll() {
    let deadline = Self.now() + ProcessLimits.exitGraceMilliseconds
    state.withLock { state in
      for index in state.entries.indices where !state.entries[index].isReleased {
        let child = state.entries[index].child
        _ = kill(-child.id, child.program.stopSignal.number)
        state.entries[index].isReleased = true
        state.entries[index].killAt = deadline
      }
    }
    wake()
    while state.withLock({ !$0.entries.isEmpty }), Self.now() < deadline { _ = poll(nil, 0, 2) }
    killAll()
  }

  /// Kills all children at once.
  func killAll() {
    state.withLock { state in
      for entry in state.entries { _ = kill(-entry.child.id, SIGKILL) }
    }
  }

  // MARK: The thread

  /// Starts the thread unless it runs; an errno where that is not possible.
  private func startThread(_ state: inout State) -> Int32? {
    if state.wakeWriter >= 0 { return nil }
    var ends: [Int32] = [-1, -1]
    guard csystem_pipe(&ends) == 0 else { return errno }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    let failure = csystem_start_thread(keeperMain, nil, 512 << 10)
    if failure != 0 {
      for end in ends { _ = close(end) }
      return failure
    }
    (state.wakeReader, state.wakeWriter) = (ends[0], ends[1])
    return nil
  }

  private func wake() {
    let writer = state.withLock { $0.wakeWriter }
    var byte: UInt8 = 1
    // A full pipe wakes as well.
    if writer >= 0 { _ = write(writer, &byte, 1) }
  }

  fileprivate func run() {
    csystem_keep_ended_children()
    ThreadSignals.blockBrokenPipe()
    var bytes = [UInt8](repeating: 0, count: ProcessLimits.errorReadBytes)
    while true {
      for start in takeStarts() { carryOut(start) }
      var (descriptors, patience) = waits()
      _ = poll(&descriptors, nfds_t(descriptors.count), patience)
      if let first = descriptors.first, first.revents != 0 {
        _ = bytes.withUnsafeMutableBytes { read(first.fd, $0.baseAddress, $0.count) }
      }
      lookAfterAll(&bytes)
    }
  }

  private func takeStarts() -> [Start] {
    state.withLock { state in
      let starts = state.starts
      state.starts = []
      return starts
    }
  }

  /// What to wait for, and for how many milliseconds.
  private func waits() -> ([pollfd], Int32) {
    state.withLock { state in
      let now = Self.now()
      var patience = Int.max
      var descriptors = [pollfd(fd: state.wakeReader, events: Int16(POLLIN), revents: 0)]
      for entry in state.entries {
        if entry.hasErrors {
          if entry.pauseUntil > now {
            patience = min(patience, entry.pauseUntil - now)
          } else {
            descriptors.append(pollfd(fd: entry.child.errors, events: Int16(POLLIN), revents: 0))
          }
        }
        if let killAt = entry.killAt { patience = min(patience, max(0, killAt - now)) }
        if entry.hasEnded { continue }
        descriptors.append(pollfd(fd: entry.exitDescriptor, events: Int16(POLLIN), revents: 0))
        if entry.exitDescriptor < 0 { patience = min(patience, Self.lookMilliseconds) }
      }
      if !state.starts.isEmpty { patience = 0 }
      return (descriptors, patience == Int.max ? -1 : Int32(clamping: patience))
    }
  }

  // MARK: Starting

  private func carryOut(_ start: Start) {
    // Before the program, so that no instant is left in which nobody would end what it starts.
    startGuard()
    let guardWriter = state.withLock { $0.guardWriter }
    var result: Result<ChildProcess, StartFault>
    do throws(StartFault) {
      result = .success(
        try Launch.run(
          start.program, hasInput: start.hasInput, logName: start.logName, guardedBy: guardWriter))
    } catch {
      result = .failure(error)
    }
    if case .success(let child) = result {
      tellGuard(child.id)
      state.withLock { state in
        state.entries.append(Entry(child: child, exitDescriptor: csystem_pidfd_open(child.id)))
      }
    }
    start.reply.result.withLock { $0 = result }
    start.reply.isThere.cancel()
  }

  // MARK: Looking after them

  private func lookAfterAll(_ bytes: inout [UInt8]) {
    let now = Self.now()
    // What is read is handed on outside of the lock, so that a log that is slow delays nobody.
    let children = state.withLock { state in
      state.entries.filter { $0.hasErrors && $0.pauseUntil <= now }.map(\.child)
    }
    for child in children { takeErrors(of: child, &bytes, now: now) }
    let running = state.withLock { state in state.entries.filter { !$0.hasEnded }.map(\.child) }
    for child in running { lookForEnd(of: child, &bytes, now: now) }
    let gone = state.withLock { state in
      var gone: [pid_t] = []
      for index in state.entries.indices.reversed() where bury(&state.entries[index], now: now) {
        gone.append(state.entries[index].child.id)
        state.entries.remove(at: index)
      }
      return gone
    }
    for id in gone { tellGuard(-id) }
  }

  /// Reads once what a child says; whether there may be more at once.
  @discardableResult
  private func takeErrors(of child: ChildProcess, _ bytes: inout [UInt8], now: Int) -> Bool {
    let count = bytes.withUnsafeMutableBytes { read(child.errors, $0.baseAddress, $0.count) }
    if count > 0 {
      bytes.withUnsafeBytes { child.takeErrors(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      let isFull = count == bytes.count
      change(child) { entry in
        entry.fullReads = isFull ? entry.fullReads + 1 : 0
        if entry.fullReads < ProcessLimits.errorReads { return }
        entry.fullReads = 0
        entry.pauseUntil = now + ProcessLimits.errorPauseMilliseconds
      }
      return isFull
    }
    if count == 0 || (errno != EAGAIN && errno != EINTR) { change(child) { $0.hasErrors = false } }
    return false
  }

  /// Notes that a child has ended, once its last words are known.
  private func lookForEnd(of child: ChildProcess, _ bytes: inout [UInt8], now: Int) {
    var status: Int32 = 0
    var number: Int32 = 0
    let outcome = csystem_ended(child.id, 0, &status, &number)
    if outcome == 0 { return }
    // As much as a pipe holds, whatever others that hold it go on to say.
    var rounds = 16
    while rounds > 0, takeErrors(of: child, &bytes, now: now) { rounds -= 1 }
    change(child) { $0.hasEnded = true }
    child.noteEnd(outcome < 0 ? .unknown : number != 0 ? .signalled(number) : .exited(status))
  }

  /// Kills what has outlived its time, and lets the system forget what has ended; whether the entry is done with.
  private func bury(_ entry: inout Entry, now: Int) -> Bool {
    guard entry.isReleased else { return false }
    if !entry.hasEnded {
      if let killAt = entry.killAt, killAt <= now {
        entry.killAt = nil
        _ = kill(-entry.child.id, SIGKILL)
      }
      return false
    }
    // The leader's id is taken until it is reaped, so this can only reach what it left behind.
    _ = kill(-entry.child.id, SIGKILL)
    var status: Int32 = 0
    var number: Int32 = 0
    _ = csystem_ended(entry.child.id, 1, &status, &number)
    if entry.exitDescriptor >= 0 { _ = close(entry.exitDescriptor) }
    return true
  }

  private func change(_ child: ChildProcess, _ change: (inout Entry) -> Void) {
    state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.child === child }) else { return }
      change(&state.entries[index])
    }
  }

  // MARK: The guard

  private func startGuard() {
    state.withLock { state in
      if state.isGuardTried { return }
      state.isGuardTried = true
      var ends: [Int32] = [-1, -1]
      guard csystem_pipe(&ends) == 0 else { return }
      if csystem_start_guard(ends[0]) == 0 {
        state.guardWriter = ends[1]
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
      } else {
        _ = close(ends[1])
      }
      _ = close(ends[0])
    }
  }

  private func tellGuard(_ id: pid_t) {
    let writer = state.withLock { $0.guardWriter }
    var id = id
    if writer >= 0 { _ = write(writer, &id, MemoryLayout<pid_t>.size) }
  }

  static func now() -> Int {
    Int(csystem_milliseconds())
  }
}

private func keeperMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  ProcessKeeper.shared.run()
  return nil
}
