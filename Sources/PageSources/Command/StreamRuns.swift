import JSONText
import Synchronization

/// The runs of a program by the list's generations, shared by the plans of one source on any thread.
///
/// A refresh runs the program anew; until it succeeds, the list goes on in its old generation, which the old run still serves.
final class StreamRuns: Sendable {
  private struct State {
    var runs: [Int: StreamRun] = [:]
    var isClosed = false
  }

  let settings: CommandSettings
  private let state = Mutex(State())

  init(_ settings: CommandSettings) { self.settings = settings }

  /// The run that was started last.
  var newest: StreamRun? { state.withLock { state in state.runs.keys.max().flatMap { state.runs[$0] } } }

  /// The page that `request` asks for; blocks while the program makes it.
  func page(
    _ request: PageRequest, idPath: JSONPointer, cancellation: CancellationFlag
  ) -> Result<SourcePage, SourceError> {
    Result { () throws(SourceError) in
      let (run, place) = try place(of: request)
      return try StreamPages(run: run, request: request, idPath: idPath, cancellation: cancellation)
        .page(at: place)
    }
  }

  private func place(of request: PageRequest) throws(SourceError) -> (StreamRun, StreamPlace) {
    guard let cursor = request.cursor else {
      guard request.page == 0, let run = run(startingIn: request.generation) else { throw over() }
      return (run, StreamPlace(run: run.tag, offset: 0))
    }
    guard let place = StreamPlace(cursor) else {
      throw .foreignCursor(cursor, typeName: CommandSource.type.name)
    }
    guard let run = state.withLock({ $0.runs[request.generation] }), run.tag == place.run,
      place.offset <= run.readBytes
    else { throw over() }
    return (run, place)
  }

  /// The run of a generation, a new one where it has none or one that came to nothing; nil once the source is closed.
  private func run(startingIn generation: Int) -> StreamRun? {
    state.withLock { state in
      if state.isClosed { return nil }
      if let run = state.runs[generation], !run.isFruitless { return run }
      let run = StreamRun(settings)
      state.runs[generation] = run
      return run
    }
  }

  /// Ends the runs of the generations that `isOver` says are.
  func end(_ isOver: (Int) -> Bool) {
    let ended = state.withLock { state in
      let ended = state.runs.filter { isOver($0.key) }
      for generation in ended.keys { state.runs[generation] = nil }
      return ended.values
    }
    for run in ended { run.stop() }
  }

  /// Ends all runs and starts no more.
  func close() {
    state.withLock { $0.isClosed = true }
    end { _ in true }
  }

  private func over() -> SourceError {
    SourceError(
      .sourceChanged,
      "The run of \"\(settings.program.name)\" that the page belongs to is over. Refresh to run it anew.",
      retryable: false, details: [.string("program", settings.program.name)])
  }
}
