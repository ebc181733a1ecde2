import CSystem
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that runs, or ran, as a child of ours, with our ends of its pipes.
///
/// Whoever started it must `stop` it in the end, also where it has ended by itself: until then the system keeps its id and
/// its group's, so that no signal can reach another process. The pipes are closed with the last reference.
final class ChildProcess: Sendable {
  private struct State {
    var end: ProcessEnd?
    var errors = ErrorTail()
    var errorLines: ErrorLines?
    var input: Int32
  }

  /// What it was started with.
  let program: Program
  /// Its process id, which is also its group's.
  let id: pid_t
  /// Our end of its standard output, which does not block.
  let output: Int32
  /// Our end of its standard error; only the keeper reads it.
  let errors: Int32
  private let state: Mutex<State>
  private let ended = CancellationFlag()

  /// Takes over the descriptors; with `logName` every line of its standard error goes to the log under that name.
  init(_ program: Program, id: pid_t, input: Int32, output: Int32, errors: Int32, logName: String?) {
    self.program = program
    self.id = id
    self.output = output
    self.errors = errors
    state = Mutex(State(errorLines: logName.map(ErrorLines.init), input: input))
  }

  deinit {
    closeInput()
    for descriptor in [output, errors] { _ = close(descriptor) }
  }

  /// Starts a program; see `ProcessKeeper.start`.
  static func start(
    _ program: Program, hasInput: Bool = false, logName: String? = nil
  ) throws(StartFault) -> ChildProcess {
    try ProcessKeeper.shared.start(program, hasInput: hasInput, logName: logName).get()
  }

  /// How it ended, nil while it runs.
  ///
  /// Once this is known, everything that it had said on its standard error is known too.
  var end: ProcessEnd? { state.withLock { $0.end } }

  /// A descriptor that is readable once `end` is known.
  var endDescriptor: Int32 { ended.descriptor }

  /// The end of what it has said on its standard error.
  var errorTail: ErrorTail { state.withLock { $0.errors } }

  /// Our end of its standard input, which does not block; -1 where that is `/dev/null` or closed.
  ///
  /// Only the thread that may close it writes to it.
  var input: Int32 { state.withLock { $0.input } }

  /// Ends its input.
  func closeInput() {
    state.withLock { state in
      if state.input >= 0 { _ = close(state.input) }
      state.input = -1
    }
  }

  /// Asks it and all of its group to end, and kills them after a grace time; returns at once.
  ///
  /// Where the program itself has ended, what it left behind is killed.
  func stop(graceMilliseconds: Int = ProcessLimits.graceMilliseconds) {
    ProcessKeeper.shared.stop(self, signal: program.stopSignal.number, graceMilliseconds: graceMilliseconds)
  }

  // MARK: For the keeper

  /// Takes in what it said on its standard error.
  func takeErrors(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      state.errors.append(bytes)
      state.errorLines?.append(bytes)
    }
  }

  /// Notes how it ended.
  func noteEnd(_ end: ProcessEnd) {
    state.withLock { state in
      state.errorLines?.finish()
      state.end = end
    }
    ended.cancel()
  }
}
