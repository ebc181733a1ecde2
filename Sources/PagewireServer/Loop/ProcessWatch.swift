import CSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Watches the process that the client named in `initialize`, so that the server ends with it.
///
/// In a container the client's process may not be visible; then there is nothing to watch, and the end of the input is the
/// only sign.
struct ProcessWatch {
  private var process: pid_t = 0
  /// Readable once the process has ended; -1 where the system has no such descriptor.
  private(set) var descriptor: Int32 = -1

  /// Whether a process is watched.
  var isOn: Bool { process > 0 }

  /// Milliseconds after which to look again, where the system does not say it by itself.
  var interval: Int? { isOn && descriptor < 0 ? 2_000 : nil }

  /// Begins to watch a process, once.
  mutating func follow(_ wanted: Int?, log: Log) {
    guard process == 0, let wanted else { return }
    guard wanted > 1, let candidate = pid_t(exactly: wanted), candidate != getpid() else {
      process = -1
      return
    }
    guard kill(candidate, 0) == 0 || errno == EPERM else {
      log.write(.info, "the client's process \(wanted) is not visible here, so it is not watched")
      process = -1
      return
    }
    process = candidate
    descriptor = csystem_pidfd_open(candidate)
  }

  /// Whether the process has ended.
  func hasEnded(signalled: Bool) -> Bool {
    guard isOn else { return false }
    if descriptor >= 0 { return signalled }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}
