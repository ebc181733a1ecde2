#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a process ended.
enum ProcessEnd: Sendable, Equatable {
  /// By itself, with this status.
  case exited(Int32)
  /// By this signal.
  case signalled(Int32)
  /// Somebody else was told, so how is not known.
  case unknown

  /// Whether it ended as a program does that has done its work.
  var isSuccess: Bool { self == .exited(0) }

  /// The end of a sentence: "ended with status 3".
  var description: String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .signalled(let number): "was ended by signal \(Self.signalName(number))"
    case .unknown: "ended, nobody knows how"
    }
  }

  /// What goes into an error's `data`.
  var details: [SourceError.Detail] {
    switch self {
    case .exited(let status): [.integer("exitStatus", Int(status))]
    case .signalled(let number): [.string("signal", Self.signalName(number))]
    case .unknown: []
    }
  }

  /// The usual name of a signal, such as `SIGKILL`.
  static func signalName(_ number: Int32) -> String {
    switch number {
    case SIGHUP: "SIGHUP"
    case SIGINT: "SIGINT"
    case SIGQUIT: "SIGQUIT"
    case SIGILL: "SIGILL"
    case SIGTRAP: "SIGTRAP"
    case SIGABRT: "SIGABRT"
    case SIGBUS: "SIGBUS"
    case SIGFPE: "SIGFPE"
    case SIGKILL: "SIGKILL"
    case SIGUSR1: "SIGUSR1"
    case SIGSEGV: "SIGSEGV"
    case SIGUSR2: "SIGUSR2"
    case SIGPIPE: "SIGPIPE"
    case SIGALRM: "SIGALRM"
    case SIGTERM: "SIGTERM"
    case SIGXCPU: "SIGXCPU"
    case SIGXFSZ: "SIGXFSZ"
    case SIGSYS: "SIGSYS"
    default: "\(number)"
    }
  }
}
