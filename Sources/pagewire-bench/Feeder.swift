#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread that writes while the main thread reads; it inherits the main thread's CPU.
final class Feeder {
  private final class Job: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  #if canImport(Darwin)
    private var thread: pthread_t?
  #else
    private var thread = pthread_t()
  #endif

  /// Starts the thread.
  init(_ body: @escaping @Sendable () -> Void) throws {
    let job = Unmanaged.passRetained(Job(body))
    let failure = pthread_create(
      &thread, nil,
      { argument in
        // The time-out's signal is for the thread that reads.
        var alarm = sigset_t()
        sigemptyset(&alarm)
        sigaddset(&alarm, SIGALRM)
        pthread_sigmask(SIG_BLOCK, &alarm, nil)
        guard let argument = argument as UnsafeMutableRawPointer? else { return nil }
        Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, job.toOpaque())
    guard failure == 0 else {
      job.release()
      throw Misbehaviour(program: "pagewire-bench", what: "no thread can be started: errno \(failure)")
    }
  }

  /// Waits until it has ended.
  func join() {
    #if canImport(Darwin)
      if let thread { pthread_join(thread, nil) }
    #else
      pthread_join(thread, nil)
    #endif
  }
}
