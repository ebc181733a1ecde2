#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What signals do to a thread of ours, whatever the program that it is part of has chosen.
enum ThreadSignals {
  /// A pipe without a reader is an error of the write, and ends nobody.
  static func blockBrokenPipe() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
