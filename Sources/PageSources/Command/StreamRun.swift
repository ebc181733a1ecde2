import JSONText
import Synchronization

/// One run of a program whose output is a list.
///
/// The program is started when a page is first asked for, and read from only as far as a page needs: a pipe that nobody reads
/// is full soon, and the program stands still. Pages may be asked for on any thread.
final class StreamRun: Sendable {
  private struct Output {
    var spool: StreamSpool
    /// How the program ended, once all it has written is in the spool.
    var outcome: ProcessEnd?
    var errors = ErrorTail()
    /// The names of the columns, once they were read (`csv`, `tsv`).
    var header: CSVHeader?
    /// Whether a page was made of it.
    var hasGivenPage = false
  }

  private struct Child {
    var process: ChildProcess?
    var isStopped = false
  }

  private struct Reader {
    var program: ProgramOutput?
    var buffer: [UInt8] = []
  }

  /// Names the run, unlike any other.
  let tag: String
  let settings: CommandSettings
  private let output: Mutex<Output>
  private let child = Mutex(Child())
  /// Held by the thread that waits for the program; never by the event loop's.
  private let reader = Mutex(Reader())

  init(_ settings: CommandSettings) {
    self.settings = settings
    tag = String(UInt64.random(in: .min ... .max), radix: 36)
    let limits = settings.limits
    output = Mutex(Output(spool: StreamSpool(keptBytes: limits.keptBytes, memoryBytes: limits.memoryBytes)))
  }

  // MARK: What is known

  /// How much has been read of the output, in bytes.
  var readBytes: Int { output.withLock { $0.spool.end } }

  /// How the program ended; nil while there may be more to read.
  var outcome: ProcessEnd? { output.withLock { $0.outcome } }

  /// Whether the program was started.
  var isStarted: Bool { child.withLock { $0.process != nil } }

  /// Whether it has failed before anything came of it, so that another run takes nothing away.
  var isFruitless: Bool { output.withLock { $0.outcome?.isSuccess == false && !$0.hasGivenPage } }

  /// The names of the columns.
  var header: CSVHeader? {
    get { output.withLock { $0.header } }
    set { output.withLock { $0.header = newValue } }
  }

  /// Notes that a page was made of it.
  func notePage() { output.withLock { $0.hasGivenPage = true } }

  /// The error of a program that ended in another way than it should; nil where it has not.
  var failure: SourceError? {
    guard let outcome, !outcome.isSuccess else { return nil }
    let errors = output.withLock { $0.errors }
    let name = settings.program.name
    return SourceError(
      .loadFailed,
      "The program \"\(name)\" \(outcome.description)\(errors.ending). Refresh to run it anew.",
      retryable: false, details: [.string("program", name)] + outcome.details + errors.details)
  }

  // MARK: Bytes

  /// Copies the bytes at `offset`; nil where there are none yet.
  func kept(into target: UnsafeMutableRawBufferPointer, at offset: Int) throws(SourceError) -> InputRead? {
    let (kept, end, isOver, start) = output.withLock { output in
      (output.spool.read(into: target, at: offset), output.spool.end, output.outcome != nil, output.spool.start)
    }
    switch kept {
    case .bytes(let count): return InputRead(count: count, isEnd: isOver && offset + count == end)
    case .notYet: return isOver ? InputRead(count: 0, isEnd: true) : nil
    case .gone:
      throw SourceError(
        .limitExceeded,
        "The output of \"\(settings.program.name)\" before byte \(start) is not kept any more. Refresh to run it anew.",
        details: [.string("program", settings.program.name), .integer("limit", settings.limits.keptBytes)])
    }
  }

  /// Reads more of the output than `known` bytes, waiting for at most so many milliseconds; starts the program where that
  /// was not done yet.
  func fetch(beyond known: Int, milliseconds: Int, cancellation: CancellationFlag) throws(ReadFault) {
    try reader.withLock { (reader) throws(ReadFault) in
      // Another thread may have read meanwhile.
      if output.withLock({ $0.spool.end > known || $0.outcome != nil }) { return }
      var program: ProgramOutput
      if let running = reader.program { program = running } else { program = ProgramOutput(try start()) }
      if reader.buffer.isEmpty { reader.buffer = [UInt8](repeating: 0, count: settings.limits.readBytes) }
      let event = reader.buffer.withUnsafeMutableBytes {
        program.read(into: $0, milliseconds: milliseconds, cancellation: cancellation)
      }
      reader.program = program
      switch event {
      case .bytes(let count):
        reader.buffer.withUnsafeBytes { bytes in
          output.withLock { $0.spool.append(UnsafeRawBufferPointer(rebasing: bytes[..<count])) }
        }
      case .end:
        output.withLock { output in
          output.outcome = program.outcome
          output.errors = program.child.errorTail
        }
        reader.buffer = []
        program.child.stop()
      case .idle: throw .idle
      case .cancelled: throw .cancelled
      }
    }
  }

  private func start() throws(ReadFault) -> ChildProcess {
    do throws(StartFault) {
      let process = try ChildProcess.start(settings.program)
      let isStopped = child.withLock { child in
        child.process = process
        return child.isStopped
      }
      if isStopped { process.stop() }
      return process
    } catch {
      throw .source(error.sourceError)
    }
  }

  /// Ends the program; returns at once.
  func stop() {
    let process = child.withLock { child in
      child.isStopped = true
      return child.process
    }
    process?.stop()
  }
}
