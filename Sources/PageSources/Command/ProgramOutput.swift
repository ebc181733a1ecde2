#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads what a program writes until it has ended.
///
/// Two things must happen for that, in any order: its output is closed, and the program itself is gone. What it left running
/// may hold the output for ever, and it may close its output and stay; neither is waited for without a bound.
struct ProgramOutput: Sendable {
  /// What a read came to.
  enum Event: Equatable {
    /// So many bytes, at least one.
    case bytes(Int)
    /// Nothing more will come.
    case end
    /// The time is over.
    case idle
    /// The flag was raised.
    case cancelled
  }

  let child: ChildProcess
  /// Until when what others still write is waited for, once the program has ended.
  private var lingerUntil: Int?
  /// Until when the program may take to end, once its output is closed.
  private var endUntil: Int?
  /// How much longer than for output a read waits for that: there is nothing else to come.
  private static let endPatience = 4
  /// Whether it ended because we asked it to after its output was closed.
  private var wasStopped = false

  init(_ child: ChildProcess) { self.child = child }

  /// How the program ended; one that had to be asked after it had closed its output has done its work.
  var outcome: ProcessEnd { wasStopped ? .exited(0) : child.end ?? .unknown }

  /// Reads once; waits for at most so many milliseconds, nil being any time.
  mutating func read(
    into target: UnsafeMutableRawBufferPointer, milliseconds: Int?, cancellation: CancellationFlag
  ) -> Event {
    var deadline = milliseconds.map { ProcessKeeper.now() + $0 }
    while true {
      if cancellation.isCancelled { return .cancelled }
      if endUntil == nil {
        let count = Self.readOnce(child.output, target)
        if count > 0 {
          lingerUntil = nil
          return .bytes(count)
        }
        if count == 0 {
          endUntil = ProcessKeeper.now() + ProcessLimits.endMilliseconds
          deadline = milliseconds.map { ProcessKeeper.now() + Self.endPatience * $0 }
        }
      }
      let now = ProcessKeeper.now()
      if let event = step(now: now) { return event }
      if let deadline, now >= deadline { return .idle }
      let patience = [deadline, lingerUntil, endUntil].compactMap { $0 }.min().map { max(1, $0 - now) }
      var waiting = [
        pollfd(fd: endUntil == nil ? child.output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: child.end == nil ? child.endDescriptor : -1, events: Int16(POLLIN), revents: 0),
      ]
      _ = cancellation.wait(for: &waiting, milliseconds: patience)
    }
  }

  /// What follows from what is known, nil where there is more to wait for.
  private mutating func step(now: Int) -> Event? {
    if child.end != nil {
      if endUntil != nil { return .end }
      let until = lingerUntil ?? now + ProcessLimits.lingerMilliseconds
      lingerUntil = until
      if now < until { return nil }
      child.stop()
      return .end
    }
    if let until = endUntil, now >= until, !wasStopped {
      wasStopped = true
      child.stop()
      return .end
    }
    return nil
  }

  private static func readOnce(_ descriptor: Int32, _ target: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, target.baseAddress, target.count)
      #else
        let count = Darwin.read(descriptor, target.baseAddress, target.count)
      #endif
      if count >= 0 || errno == EAGAIN { return count }
      // Whatever else is wrong with a pipe, nothing will come out of it.
      if errno != EINTR { return 0 }
    }
  }
}
