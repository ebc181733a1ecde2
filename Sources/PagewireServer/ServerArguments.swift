#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The command line of a serving process.
public struct ServerArguments {
  /// What the command line asks for.
  public enum Request {
    /// Serve with these options.
    case serve(ServerOptions)
    /// Print the version.
    case version
    /// Print the help.
    case help
  }

  /// What is wrong with a command line; a line for people.
  public struct UsageError: Error, Equatable {
    /// The line.
    public let message: String
  }

  /// What `--help` prints.
  public static let help = """
    usage: pagewire [--stdio] [options]           serve: JSON-RPC 2.0 with LSP framing on stdin and stdout
           pagewire browse SOURCE                 browse a source in the terminal, or print it to a pipe

           pagewire replay TRANSCRIPT... [-- SERVER ARGUMENT...]
                                                  play transcripts against a server and check what it answers
           pagewire schema                        print the protocol as OpenRPC
           pagewire replay --serve TRANSCRIPT     play the server of a transcript, to test a front end

    options of the server:
      --allow TYPES               source types that may be opened, separated by commas (default: all)
      --root DIR                  the folder in which files must lie (default: anywhere)
      --drain-timeout MS          time to finish what runs at the end of the input (default: 10000)
      --max-frame BYTES           longest message (default: 67108864)
      --max-header BYTES          longest header block (default: 8192)
      --max-depth LEVELS          deepest nesting of JSON (default: 1000)
      --max-queued-output BYTES   what may wait for a client that does not read (default: 67108864)
      --record FILE               write all traffic to FILE as a transcript that replays
      --max-record BYTES          longest recording (default: 67108864)
      --log FILE                  write diagnostics to FILE instead of stderr
      --log-level LEVEL           error, warning, info or debug (default: warning)
      --version, --help

    """

  /// Reads the arguments that follow the program's name.
  ///
  /// Editors append options of their own (`--clientProcessId=PID`), so unknown ones that begin with two hyphens are
  /// passed over; anything else that is unknown is an error.
  public static func parse(_ arguments: [String]) throws(UsageError) -> Request {
    var options = ServerOptions()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let (name, inline) = split(argument)
      let before = rest
      defer {
        // A recording is played with the same limits and policy, but records nothing itself.
        if !unrecorded.contains(name) {
          options.recordedArguments += [argument] + before.prefix(before.count - rest.count)
        }
      }
      switch name {
      case "--help", "-h": return .help
      case "--version": return .version
      case "--stdio": continue
      case "--record": options.recordPath = try value(of: name, inline, &rest)
      case "--max-record": options.maxRecordBytes = try number(of: name, inline, &rest, 1024...(1 << 50))
      case "--log": options.logPath = try value(of: name, inline, &rest)
      case "--log-level":
        let text = try value(of: name, inline, &rest)
        guard let level = Log.Level.allCases.first(where: { $0.name == text }) else {
          throw UsageError(message: "--log-level takes error, warning, info or debug, not \"\(text)\"")
        }
        options.logLevel = level
      case "--allow":
        let text = try value(of: name, inline, &rest)
        options.allowedSources = text.split(separator: ",").map(String.init)
      case "--drain-timeout": options.drainTimeoutMs = try number(of: name, inline, &rest, 0...86_400_000)
      case "--max-frame": options.maxFrameBytes = try number(of: name, inline, &rest, 131_072...(1 << 40))
      case "--max-header": options.maxHeaderBytes = try number(of: name, inline, &rest, 64...(1 << 30))
      case "--max-depth": options.maxDepth = try number(of: name, inline, &rest, 8...1_000_000)
      case "--max-queued-output":
        options.maxQueuedOutputBytes = try number(of: name, inline, &rest, 65_536...(1 << 40))
      case "--root": options.policy.root = try folder(try value(of: name, inline, &rest))
      default:
        if !argument.hasPrefix("--") {
          throw UsageError(message: "unknown argument \"\(argument)\"; see pagewire --help")
        }
      }
    }
    options.policy.allowsPrograms = options.policy.root == nil || options.allowedSources != nil
    return .serve(options)
  }

  /// A folder's path without symbolic links.
  private static func folder(_ path: String) throws(UsageError) -> [UInt8] {
    var facts = stat()
    guard let found = realpath(path, nil) else {
      throw UsageError(message: "--root \"\(path)\" is not there")
    }
    defer { free(found) }
    guard stat(found, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
      throw UsageError(message: "--root \"\(path)\" is no folder")
    }
    return Array(UnsafeBufferPointer(start: found, count: strlen(found))).map { UInt8(bitPattern: $0) }
  }

  private static let unrecorded: Set<String> = ["--record", "--max-record", "--log", "--log-level", "--stdio"]

  private static func split(_ argument: String) -> (String, String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  private static func value(
    of name: String, _ inline: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = inline ?? rest.popFirst(), !value.isEmpty else {
      throw UsageError(message: "\(name) needs a value; see pagewire --help")
    }
    return value
  }

  private static func number(
    of name: String, _ inline: String?, _ rest: inout ArraySlice<String>, _ range: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    let text = try value(of: name, inline, &rest)
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        message: "\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
    }
    return number
  }
}
