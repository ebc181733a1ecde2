#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The signal that asks a program to end, before it is killed.
enum StopSignal: String, Sendable, Hashable, CaseIterable {
  case term = "TERM"
  case int = "INT"
  case hup = "HUP"
  case quit = "QUIT"
  case kill = "KILL"
  case usr1 = "USR1"
  case usr2 = "USR2"

  /// The system's number.
  var number: Int32 {
    switch self {
    case .term: SIGTERM
    case .int: SIGINT
    case .hup: SIGHUP
    case .quit: SIGQUIT
    case .kill: SIGKILL
    case .usr1: SIGUSR1
    case .usr2: SIGUSR2
    }
  }
}
