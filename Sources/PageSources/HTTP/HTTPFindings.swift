import JSONText
import Synchronization

/// What was found by rule; written by the pool's threads, read by the loop.
final class HTTPFindings: Sendable {
  private struct State {
    var pointer: String?
    var strategy: (word: String, why: String)?
    var firstPage: (base: Int, items: Int)?
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

  /// The number of the first page where pages are counted, nil before that came.
  var base: Int? { state.withLock { $0.firstPage?.base } }

  /// Notes by what number and with which items (their hash) the count begins.
  func note(base: Int, firstItems: Int) {
    state.withLock { $0.firstPage = (base, firstItems) }
  }

  /// Whether items with this hash are those of the first page.
  func isFirstPage(_ items: Int) -> Bool {
    state.withLock { $0.firstPage?.items == items }
  }
}
