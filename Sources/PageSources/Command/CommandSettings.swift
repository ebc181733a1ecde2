import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a `command` source was told to run.
struct CommandSettings: Sendable {
  /// How the program gives its items.
  var mode: CommandMode
  /// How its output is cut into items.
  var format: FileFormat
  /// Whether the output's first record names the columns (`csv`, `tsv`).
  var hasHeader = true
  /// What is run; in the mode `page` its arguments hold places to fill in.
  var program: Program
  /// The exact JSON text of `params` (`provider`), nil where there are none.
  var params: [UInt8]?
  var limits = CommandLimits()

  private static let members = ["argv", "mode", "format", "header", "cwd", "env", "stopSignal", "params"]

  /// Reads the settings from a source object, and looks whether the program is there.
  init(_ object: SourceObject) throws(SourceOpenError) {
    try object.refuseOthers(than: Self.members)
    let arguments = try Self.arguments(object)
    mode = try object.word("mode", of: CommandMode.allCases.map(\.rawValue)).flatMap(CommandMode.init) ?? .stream
    let format = try object.word("format", of: FileFormat.allCases.map(\.rawValue)).flatMap(FileFormat.init)
    self.format = format ?? (mode == .stream ? .lines : .json)
    if mode == .provider, format != nil { throw object.error("format", "a provider answers in its own messages") }
    if let header = try object.bool("header") {
      if !self.format.mayHaveHeader {
        throw object.error("header", "only output of the format \"csv\" or \"tsv\" has a header")
      }
      hasHeader = header
    }
    if let value = try object.passedOn("params") {
      if mode != .provider { throw object.error("params", "only a command of mode \"provider\" takes params") }
      params = value
    }
    let stopSignal =
      try object.word("stopSignal", of: StopSignal.allCases.map(\.rawValue)).flatMap(StopSignal.init) ?? .term
    let environment = try Self.environment(object)
    let directory = try Self.directory(object)
    do throws(SourceError) {
      let path = try ProgramSearch.find(arguments[0], in: environment, from: directory)
      program = Program(
        path: path, arguments: arguments, environment: environment.entries, directory: directory, stopSignal: stopSignal
      )
    } catch {
      throw .source(error)
    }
  }

  private static func arguments(_ object: SourceObject) throws(SourceOpenError) -> [[UInt8]] {
    let expected = "an array of strings: a program and its arguments"
    guard let value = object.value("argv"), object.kind(of: value) == .array else {
      throw object.error("argv", "expected \(expected)")
    }
    var arguments: [[UInt8]] = []
    for (index, element) in try object.elements(of: value, "argv", expected: expected).enumerated() {
      guard let text = JSONReader.stringBytes(object.bytes.span, element.value), !text.contains(0) else {
        throw object.error("argv", at: "\(index)", "expected a string without NUL characters")
      }
      arguments.append(text)
    }
    guard let name = arguments.first, !name.isEmpty else { throw object.error("argv", "expected \(expected)") }
    return arguments
  }

  private static func environment(_ object: SourceObject) throws(SourceOpenError) -> Environment {
    var environment = Environment.ours
    guard let given = try object.object("env") else { return environment }
    for (name, value) in given.entries {
      let bytes = Array(name.utf8)
      guard !bytes.isEmpty, !bytes.contains(0), !bytes.contains(UInt8(ascii: "=")) else {
        throw given.error(name, "is no name of an environment variable")
      }
      if JSONReader.isNull(given.bytes.span, value) {
        environment.remove(bytes)
      } else if let text = JSONReader.stringBytes(given.bytes.span, value), !text.contains(0) {
        environment.set(bytes, to: text)
      } else {
        throw given.error(name, "expected a string without NUL characters, or null to leave the variable out")
      }
    }
    return environment
  }

  private static func directory(_ object: SourceObject) throws(SourceOpenError) -> [UInt8]? {
    guard object.value("cwd") != nil else { return nil }
    let path = try object.requiredStringBytes("cwd")
    if path.isEmpty || path.contains(0) { throw object.error("cwd", "expected the path of a directory") }
    var facts = stat()
    let found = stat(path.map { CChar(bitPattern: $0) } + [0], &facts) == 0
    let fault = found ? FileFault(reason: "it is no directory") : FileFault(errno: errno)
    if !found || facts.st_mode & S_IFMT != S_IFDIR {
      throw .source(
        SourceError(
          .sourceUnavailable,
          "Cannot run a program in \(FilePages.shown(path)): \(fault.reason). Check cwd, then open it again.",
          details: [.bytes("path", path), .string("reason", fault.reason)]))
    }
    return path
  }
}
