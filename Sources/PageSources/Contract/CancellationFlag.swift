import CSystem
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tells work on another thread that nobody wants its result any more.
///
/// Raised at most once and never lowered. Work that computes looks at it between bounded pieces; work that waits for
/// descriptors waits with `wait`, which ends at once when the flag is raised; work that waits inside a library names an
/// action that interrupts it.
public final class CancellationFlag: Sendable {
  private struct State {
    var isRaised = false
    var actions: [(token: Int, run: @Sendable () -> Void)] = []
    var lastToken = 0
    /// Becomes readable when the flag is raised; made when somebody first waits.
    var reader: Int32 = -1
    /// What is written to for that; may be the same descriptor.
    var writer: Int32 = -1

    func makeReadable() {
      var one: UInt64 = 1
      if writer >= 0 { _ = write(writer, &one, 8) }
    }
  }

  private let raised = Atomic<Bool>(false)
  private let state = Mutex(State())

  /// How often `wait` looks at the flag where there was no descriptor left to be woken by, in milliseconds.
  private static let lookMilliseconds = 20

  /// Makes a flag that is not raised.
  public init() {}

  deinit {
    state.withLock { state in
      if state.reader >= 0 { _ = close(state.reader) }
      if state.writer != state.reader { _ = close(state.writer) }
    }
  }

  /// Says that the result is not wanted any more; runs the actions, once.
  public func cancel() {
    state.withLock { state in
      if state.isRaised { return }
      state.isRaised = true
      raised.store(true, ordering: .relaxed)
      state.makeReadable()
      for action in state.actions { action.run() }
      state.actions = []
    }
  }

  /// Whether the result is not wanted any more.
  public var isCancelled: Bool { raised.load(ordering: .relaxed) }

  // MARK: Waiting for descriptors

  /// A descriptor that becomes readable when the flag is raised, for a `poll` of one's own; nothing is to be read from it,
  /// and it is closed with the flag.
  ///
  /// -1, which `poll` passes over, where the process has no descriptors left: then the wait must be short and repeated.
  public var descriptor: Int32 {
    state.withLock { state in
      if state.reader >= 0 { return state.reader }
      var ends: [Int32] = [-1, -1]
      guard csystem_event(&ends) == 0 else { return -1 }
      (state.reader, state.writer) = (ends[0], ends[1])
      if state.isRaised { state.makeReadable() }
      return state.reader
    }
  }

  /// Waits as `poll` does until one of `descriptors` is ready or the time is over, nil being any time; ends at once when the
  /// flag is raised.
  ///
  /// Returns how many of the descriptors are ready, 0 where the time is over, the flag was raised, or a signal came
  /// between: the caller looks and waits again.
  public func wait(for descriptors: inout [pollfd], milliseconds: Int? = nil) -> Int {
    if isCancelled { return 0 }
    let own = descriptor
    descriptors.append(pollfd(fd: own, events: Int16(POLLIN), revents: 0))
    var patience = milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
    if own < 0, patience < 0 || patience > Self.lookMilliseconds { patience = Int32(Self.lookMilliseconds) }
    let count = Int(poll(&descriptors, nfds_t(descriptors.count), patience))
    let mark = descriptors.removeLast()
    return max(0, count - (mark.revents != 0 ? 1 : 0))
  }

  // MARK: Actions

  /// Runs `body`; if the flag is raised meanwhile, or is raised already, `action` is run, once, on the thread that raises it.
  ///
  /// The action is never running any more when this returns, so it may use what `body` owns. It must be quick, must not use
  /// the flag, and `body` must not hold a lock around this call that the action takes.
  public func interrupting<Value, Failure: Error>(
    by action: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let token = addAction(action)
    defer { removeAction(token) }
    return try body()
  }

  /// Adds an action that is run when the flag is raised, at once where it is raised already; see `interrupting`.
  ///
  /// The result names it for `removeAction`.
  public func addAction(_ action: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.lastToken += 1
      if state.isRaised { action() } else { state.actions.append((state.lastToken, action)) }
      return state.lastToken
    }
  }

  /// Removes an action; when this returns it is not running and will not run any more.
  public func removeAction(_ token: Int) {
    state.withLock { state in state.actions.removeAll { $0.token == token } }
  }
}
