import CSystem

/// How a child process ended.
public enum ExitStatus: Sendable, Equatable {
  /// It ended by itself with a status of 0 to 255.
  case exited(Int32)
  /// A signal with this number ended it.
  case signalled(Int32)

  /// Reads the status that `waitpid` gives.
  init(waitStatus: Int32) {
    let signal = csystem_wait_signal(waitStatus)
    self = signal != 0 ? .signalled(signal) : .exited(csystem_wait_exit_status(waitStatus))
  }

  /// A clause for people: "exited with status 1".
  public var text: String {
    switch self {
    case .exited(let status): "exited with status \(status)"
    case .signalled(let signal): "was ended by signal \(signal)"
    }
  }
}
