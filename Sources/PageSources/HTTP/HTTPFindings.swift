import JSONText
import Synchronization

/// What was found by rule; written by the pool's threads, read by the loop.
final class HTTPFindings: Sendable {
  private struct State {
    var pointer: String?
    var strategy: (word: String, why: String)?
  }

  private let state = Mutex(State())

  /// The pointer to the items, nil before any were found.
  var pointer: String? { state.withLock { $0.pointer } }

  /// How the pages are named and what shows it, nil before it is known.
  var strategy: (word: String, why: String)? { state.withLock { $0.strategy } }

  func note(_ pointer: JSONPointer) {
    let text = pointer.text
    state.withLock { $0.pointer = text }
  }

  func note(strategy word: String, why: String) {
    state.withLock { $0.strategy = (word, why) }
  }
}
