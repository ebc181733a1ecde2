import JSONText
import Synchronization

/// A provider program and all that talk to it: one process serves every list of it.
///
/// The process is started when a page is first asked for, ends with the last list, and is started again after a crash when it
/// is next needed, unless that happened too often of late.
final class ProviderConnection: Sendable {
  private struct State {
    var lists = 0
    var lastNumber = 0
    var process: ProviderProcess?
    /// When the process ended by itself, the earliest first.
    var crashes: [Int] = []

    mutating func forgetOldCrashes() {
      let oldest = ProcessKeeper.now() - ProviderLimits.crashWindowMilliseconds
      crashes.removeAll { $0 < oldest }
    }
  }

  /// What is run.
  let program: Program
  /// The name in messages and in the log.
  let name: String
  private let state = Mutex(State())

  init(_ program: Program, name: String) {
    self.program = program
    self.name = name
  }

  /// Whether nothing would be lost with it.
  var isIdle: Bool {
    state.withLock { state in
      state.forgetOldCrashes()
      return state.lists == 0 && state.process == nil && state.crashes.isEmpty
    }
  }

  /// Whether its process runs, as far as that is known.
  var isRunning: Bool { state.withLock { $0.process != nil } }

  /// Adds a list for a source object; it must be closed in the end.
  func open(source: [UInt8], params: [UInt8]?) -> ProviderList {
    state.withLock { state in
      state.lists += 1
      state.lastNumber += 1
      return ProviderList(number: state.lastNumber, source: source, params: params)
    }
  }

  /// Removes a list; with the last one the process ends.
  func close(_ list: ProviderList) {
    let (process, isLast) = state.withLock { state in
      state.lists -= 1
      let process = state.process
      if state.lists == 0 { state.process = nil }
      return (process, state.lists == 0)
    }
    process?.close(list)
    if isLast { process?.finish() }
  }

  /// Asks for a page; returns at once.
  func fetch(_ call: ProviderCall) {
    while true {
      let process: ProviderProcess
      do throws(SourceError) {
        process = try runningProcess()
      } catch {
        return call.answer(.failure(error))
      }
      if process.fetch(call) { return }
      forget(process)
    }
  }

  private func runningProcess() throws(SourceError) -> ProviderProcess {
    try state.withLock { (state) throws(SourceError) in
      if let process = state.process { return process }
      state.forgetOldCrashes()
      if state.crashes.count >= ProviderLimits.maximumCrashes, let first = state.crashes.first {
        throw tooManyCrashes(first + ProviderLimits.crashWindowMilliseconds - ProcessKeeper.now())
      }
      let process = ProviderProcess(program, name: name) { [weak self] process in self?.noteCrash(of: process) }
      guard process.start() else {
        throw SourceError(.loadFailed, "The system has no thread left to talk to \"\(name)\" with. Load again.")
      }
      state.process = process
      return process
    }
  }

  private func forget(_ process: ProviderProcess) {
    state.withLock { state in
      if state.process === process { state.process = nil }
    }
  }

  private func noteCrash(of process: ProviderProcess) {
    forget(process)
    state.withLock { $0.crashes.append(ProcessKeeper.now()) }
  }

  private func tooManyCrashes(_ wait: Int) -> SourceError {
    SourceError(
      .sourceUnavailable,
      "The program \"\(name)\" has ended by itself \(ProviderLimits.maximumCrashes) times within three minutes, so it is not"
        + " started again yet. See the log for what it said.", retryAfterMs: max(1, wait),
      details: [.string("program", name)])
  }
}
