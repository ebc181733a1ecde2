import CSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A running server: a child process and our ends of its two (or three) pipes.
///
/// All of our descriptors are close-on-exec and do not block. The child gets default signal actions and no blocked
/// signals, whatever ours are, and stays in our process group, so that what a terminal sends to a job reaches both.
///
/// A pipe whose reader has gone must be an error and no end of this process, so SIGPIPE is ignored from the first
/// start on, unless the program has an action of its own for it.
public final class ServerProcess {
  /// Where the child's standard error goes.
  public enum ErrorOutput: Sendable {
    /// To ours.
    case inherited
    /// Into a pipe of its own, for a front end that owns the screen.
    case captured
  }

  /// The command it was started with.
  public let command: ServerCommand
  /// The child's process id.
  public let processID: pid_t
  /// Our end of its standard input; -1 after `closeInput`.
  public private(set) var input: Int32
  /// Our end of its standard output; -1 after `closeOutput`.
  public private(set) var output: Int32
  /// Our end of its standard error where that is captured, else -1.
  public private(set) var errors: Int32
  /// How it ended, once that is known.
  public private(set) var exitStatus: ExitStatus?

  /// Starts the command.
  ///
  /// Throws where the pipes or the process cannot be made.
  public init(_ command: ServerCommand, errorOutput: ErrorOutput = .inherited) throws(ClientError) {
    csystem_signal_ignore_unless_set(SIGPIPE)
    var pipes: [Pipe] = []
    let wanted = errorOutput == .captured ? 3 : 2
    for _ in 0..<wanted {
      guard let pipe = Pipe() else {
        let number = errno
        for pipe in pipes { pipe.closeBoth() }
        throw ClientError(.cannotStart, "cannot make a pipe to the server: \(errorText(number))")
      }
      pipes.append(pipe)
    }
    let childEnds = [pipes[0].readEnd, pipes[1].writeEnd] + (wanted == 3 ? [pipes[2].writeEnd] : [])
    var processID: pid_t = 0
    let result = Self.spawn(command, childEnds, &processID)
    for descriptor in childEnds { close(descriptor) }
    let ourEnds = [pipes[0].writeEnd, pipes[1].readEnd] + (wanted == 3 ? [pipes[2].readEnd] : [])
    guard result == 0 else {
      for descriptor in ourEnds { close(descriptor) }
      throw ClientError(.cannotStart, "cannot start the server \"\(command.program)\": \(errorText(result))")
    }
    for descriptor in ourEnds { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    self.command = command
    self.processID = processID
    input = ourEnds[0]
    output = ourEnds[1]
    errors = wanted == 3 ? ourEnds[2] : -1
  }

  deinit {
    closeInput()
    closeOutput()
    closeErrors()
  }

  /// Closes the child's standard input: no more requests follow.
  public func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Closes our end of the child's standard output.
  public func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  /// Closes our end of the child's standard error.
  public func closeErrors() {
    if errors >= 0 { close(errors) }
    errors = -1
  }

  /// Waits at most so long for the child to end.
  ///
  /// Nil where it still runs.
  public func waitForExit(milliseconds: Int) -> ExitStatus? {
    let stepMilliseconds: Int32 = 2
    var left = milliseconds
    while exitStatus == nil {
      var status: Int32 = 0
      let result = waitpid(processID, &status, WNOHANG)
      if result == processID {
        exitStatus = ExitStatus(waitStatus: status)
      } else if result < 0 && errno != EINTR {
        // Somebody else has waited for it: it is gone, and how is lost.
        exitStatus = .exited(0)
      } else if left <= 0 {
        return nil
      } else {
        poll(nil, 0, stepMilliseconds)
        left -= Int(stepMilliseconds)
      }
    }
    return exitStatus
  }

  /// Ends the child: closes its pipes, gives it time, then asks, then forces.
  ///
  /// Returns how it ended.
  ///
  /// A server ends by itself when its reader is gone, so the later steps are for programs that are none.
  @discardableResult
  public func stop(graceMilliseconds: Int = 1000) -> ExitStatus? {
    closeInput()
    closeOutput()
    if let status = waitForExit(milliseconds: graceMilliseconds) { return status }
    kill(processID, SIGTERM)
    if let status = waitForExit(milliseconds: 500) { return status }
    kill(processID, SIGKILL)
    return waitForExit(milliseconds: 1000)
  }

  private static func spawn(_ command: ServerCommand, _ ends: [Int32], _ processID: inout pid_t) -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (standard, end) in ends.enumerated() { posix_spawn_file_actions_adddup2(&actions, end, Int32(standard)) }
    var defaults = sigset_t()
    var blocked = sigset_t()
    sigfillset(&defaults)
    sigemptyset(&blocked)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var words: [UnsafeMutablePointer<CChar>?] = command.arguments.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    return posix_spawnp(&processID, command.program, &actions, &attributes, words, environ)
  }
}
