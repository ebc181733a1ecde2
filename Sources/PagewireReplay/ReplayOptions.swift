#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The command line of `pagewire replay`.
struct ReplayOptions {
  var paths: [String] = []
  var command: [String] = []
  var chunk: Int?
  var sources: [String]?
  var isNegative = false
  var isProvider = false
  var serves = false
  /// The folder in which a front end's test is told what to look at.
  var looks: String?
  var wantsHelp = false

  init(_ arguments: [String], serverExecutable: String) throws(Transcript.Unusable) {
    var rest = arguments[...]
    command = [serverExecutable]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": wantsHelp = true
      case "--serve": serves = true
      case "--looks":
        guard let folder = rest.popFirst(), Files.list(folder) != nil else {
          throw Transcript.Unusable(message: "--looks takes a folder")
        }
        looks = folder
      case "--negative": isNegative = true
      case "--provider": isProvider = true
      case "--chunk":
        guard let text = rest.popFirst(), let size = Int(text), size > 0 else {
          throw Transcript.Unusable(message: "--chunk takes a number of bytes, at least 1")
        }
        chunk = size
      case "--sources":
        guard let text = rest.popFirst() else {
          throw Transcript.Unusable(message: "--sources takes source types, separated by commas")
        }
        sources = text.split(separator: ",").map(String.init)
      case "--":
        command = Array(rest)
        rest = []
      default:
        if argument.hasPrefix("-") {
          throw Transcript.Unusable(message: "unknown option \"\(argument)\"; see pagewire replay --help")
        }
        paths.append(argument)
      }
    }
    if paths.isEmpty && !wantsHelp {
      throw Transcript.Unusable(message: "no transcript was named; see pagewire replay --help")
    }
    if looks != nil && !serves { throw Transcript.Unusable(message: "--looks goes with --serve only") }
    if let program = command.first, program.contains("/"), let full = realpath(program, nil) {
      // The server runs in a folder of its own, where a relative path would name something else.
      command[0] = String(cString: full)
      free(full)
    }
  }

  /// Whether all of these source types may be played.
  func has(_ types: [String]) -> Bool {
    guard let sources else { return true }
    return types.allSatisfy { sources.contains($0) }
  }
}
