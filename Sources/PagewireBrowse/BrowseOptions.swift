import PagewireClient

/// The command line of `browse`.
struct BrowseOptions: Equatable {
  var source: SourceArgument
  /// Items a page, where the user said so.
  var pageSize: Int?
  /// The server to start instead of this program itself.
  var server: ServerCommand?

  /// What a command line asks for.
  enum Request: Equatable {
    case help
    case browse(BrowseOptions)
  }

  static let help = """
    Usage: pagewire browse [options] SOURCE
           pagewire browse [options] -- PROGRAM [ARGUMENT ...]

    Lists SOURCE full-screen where standard output is a terminal; else prints its items, one a line, to the end.
    SOURCE is a path, an http or https URL, or a source object as JSON, such as '{"type":"synthetic","count":500}'.
    After -- stands a program whose output is listed.

    Options:
      --page-size N   items a page
      --server CMD    server to start instead of this program; words are split at blanks, quotes work as in a shell
      --help          this text

    Keys: up, down, j, k  one item      left, right  sideways           r  refresh
          PageUp, PageDown, space  a screen            Enter, l  try again or go on, where a load failed or paused;
                                                    start the server again, where it is gone
          Home, g / End, G  first / last, and on as more comes in until another key      q, Ctrl-C  quit

    Exit status: 0 when all was shown, the list was left by a key, or the reader of a pipe has gone; 1 after an error;
    2 for bad usage.

    """

  /// Reads the arguments after `browse`.
  static func parse(_ arguments: [String]) throws(UsageError) -> Request {
    var source: SourceArgument?
    var pageSize: Int?
    var server: ServerCommand?
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        guard source == nil else { throw UsageError("a source and a program were given, only one can be listed") }
        guard let program = rest.first, !program.isEmpty else { throw UsageError("a program must follow --") }
        source = .command(Array(rest))
        rest = []
      } else if argument == "--help" || argument == "-h" {
        return .help
      } else if let value = try value(of: "--page-size", argument, &rest) {
        guard let number = Int(value), number > 0 else {
          throw UsageError("--page-size must be a whole number from 1, not \(quoted(value))")
        }
        pageSize = number
      } else if let value = try value(of: "--server", argument, &rest) {
        guard let command = ServerCommand(line: value) else {
          throw UsageError("--server must be a command, not \(quoted(value))")
        }
        server = command
      } else if argument.hasPrefix("-") {
        throw UsageError("unknown option \(quoted(argument))")
      } else {
        guard source == nil else { throw UsageError("more than one source: \(quoted(argument))") }
        source = try SourceArgument(argument)
      }
    }
    guard let source else { throw UsageError("a source is missing: a path, a URL, a JSON object, or -- and a program") }
    return .browse(BrowseOptions(source: source, pageSize: pageSize, server: server))
  }

  /// The value of an option, given as `--name value` or `--name=value`; nil where the argument is something else.
  private static func value(
    of name: String, _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String? {
    if argument.hasPrefix(name + "=") { return String(argument.dropFirst(name.count + 1)) }
    guard argument == name else { return nil }
    guard let value = rest.popFirst() else { throw UsageError("a value must follow \(name)") }
    return value
  }
}
