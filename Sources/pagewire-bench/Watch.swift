import CBenchSupport
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The time-out: system calls of the main thread are interrupted once it has run out, so that a silent server is noticed.
enum Watch {
  private static let deadline = Atomic<Int64>(Int64.max)
  private static let lastRest = Atomic<Int64>(0)

  /// Allows what follows so many seconds.
  static func arm(seconds: Int32 = 60) {
    deadline.store(bench_now() + Int64(seconds) * 1_000_000_000, ordering: .relaxed)
    bench_alarm(seconds)
  }

  /// Sleeps for a fifth of the time since the last call, at most a second.
  ///
  /// The system takes a twentieth of every second away from programs that run ahead of all others and never rest; between
  /// two measurements it is given freely, so that it is not taken in the middle of one.
  static func rest() {
    let last = lastRest.load(ordering: .relaxed)
    let pause = last == 0 ? 0 : min((bench_now() - last) / 5, 1_000_000_000)
    if pause > 0 { usleep(UInt32(pause / 1000)) }
    lastRest.store(bench_now(), ordering: .relaxed)
  }

  /// Turns the time-out off.
  static func disarm() {
    bench_alarm(0)
    deadline.store(.max, ordering: .relaxed)
  }

  /// Whether the time has run out, or a signal asked for the end.
  static var expired: Bool { bench_now() >= deadline.load(ordering: .relaxed) || bench_interrupted() != 0 }
}
