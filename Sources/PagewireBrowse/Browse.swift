import CSystem
import PagewireClient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs `pagewire browse`: a full-screen list where standard output is a terminal, else all items printed to it.
///
/// - Parameters:
///   - arguments: what follows `browse` on the command line.
///   - serverExecutable: the program to start as server unless the arguments name one; a name without a slash stands
///     for the program that runs.
/// - Returns: the exit status: 0, also when the reader of a pipe has gone; 1 after an error, which is one line on
///   standard error; 2 for bad usage. A signal that ends the program ends it as that signal does, after the terminal has
///   been restored.
public func run(arguments: [String], serverExecutable: String) -> Int32 {
  // Who has gone is an error of a write, and is said as one.
  csystem_signal_ignore(SIGPIPE)
  _ = csystem_use_utf8_locale()
  let options: BrowseOptions
  do throws(UsageError) {
    switch try BrowseOptions.parse(arguments) {
    case .help:
      writeAll(STDOUT_FILENO, BrowseOptions.help)
      return 0
    case .browse(let parsed): options = parsed
    }
  } catch {
    complain("\(error.message) (see pagewire browse --help)")
    return 2
  }
  guard let command = options.server ?? ServerCommand(arguments: [located(serverExecutable)]) else {
    complain("there is no server to start")
    return 1
  }
  do {
    guard let terminal = Terminal() else {
      try printItems(options, command)
      return 0
    }
    return try browse(options, command, terminal)
  } catch {
    complain(oneLine(BrowseError(error).message))
    return 1
  }
}

/// The path of the program that runs where its name alone does not say which file it is.
private func located(_ program: String) -> String {
  guard !program.utf8.contains(UInt8(ascii: "/")) else { return program }
  var path = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = readlink("/proc/self/exe", &path, path.count)
  return count > 0 && count < path.count
    ? String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : program
}

private func printItems(_ options: BrowseOptions, _ command: ServerCommand) throws {
  let connection = try ServerConnection(command, errorOutput: .inherited)
  defer { connection.process.stop() }
  let printer = ItemPrinter(connection, output: STDOUT_FILENO)
  try printer.run(options.source, pageSize: options.pageSize ?? options.source.printingPageSize)
}

private func browse(_ options: BrowseOptions, _ command: ServerCommand, _ terminal: Terminal) throws -> Int32 {
  // What the server has to say would land in the middle of the screen.
  let isErrorOnScreen = isatty(STDERR_FILENO) == 1
  let connection = try ServerConnection(command, errorOutput: isErrorOnScreen ? .captured : .inherited)
  defer { connection.process.stop() }
  let browser = TerminalBrowser(
    connection, terminal, title: options.source.title, errorOutput: isErrorOnScreen ? .captured : .inherited)
  let signal = try browser.run(options.source, pageSize: options.pageSize)
  guard signal != 0 else { return 0 }
  connection.process.stop()
  csystem_signal_default(signal)
  raise(signal)
  return 128 + signal
}

private func complain(_ message: String) {
  writeAll(STDERR_FILENO, "pagewire browse: " + message + "\n")
}

/// Writes a short text; where nobody reads it there is nobody to tell.
private func writeAll(_ descriptor: Int32, _ text: String) {
  let bytes = Array(text.utf8)
  var written = 0
  while written < bytes.count {
    let result = bytes.withUnsafeBytes { writeOnce(descriptor, UnsafeRawBufferPointer(rebasing: $0[written...])) }
    switch result {
    case .moved(let count): written += count
    case .interrupted: continue
    case .wouldBlock: _ = waitUntilReady(descriptor, events: Int32(POLLOUT), milliseconds: 1000)
    case .closed, .failed: return
    }
  }
}
