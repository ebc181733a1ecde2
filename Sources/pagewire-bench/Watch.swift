import CBenchSupport
import Synchronization

/// The time-out: system calls of the main thread are interrupted once it has run out, so that a silent server is noticed.
enum Watch {
  private static let deadline = Atomic<Int64>(Int64.max)

  /// Allows what follows so many seconds.
  static func arm(seconds: Int32 = 60) {
    deadline.store(bench_now() + Int64(seconds) * 1_000_000_000, ordering: .relaxed)
    bench_alarm(seconds)
  }

  /// Turns the time-out off.
  static func disarm() {
    bench_alarm(0)
    deadline.store(.max, ordering: .relaxed)
  }

  /// Whether the time has run out, or a signal asked for the end.
  static var expired: Bool { bench_now() >= deadline.load(ordering: .relaxed) || bench_interrupted() != 0 }
}
