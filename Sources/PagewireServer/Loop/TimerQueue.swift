import PaginationCore

/// When sessions want to be woken.
///
/// A heap with at most a few entries a session, however many timers come and go.
///
/// A session keeps its own timers; here lies only its earliest. Timers that were cancelled leave their entry behind until
/// its time, or until no timer lives at all, when everything is forgotten at once.
struct TimerQueue {
  private struct Entry {
    let due: Int
    let session: SessionNumber
  }

  private var heap: [Entry] = []
  private var live = 0
  /// Counts how often everything was forgotten, which makes older schedules void.
  private(set) var epoch = 0

  /// When the next session is due, nil where no timer lives.
  var nextDue: Int? { live == 0 ? nil : heap.first?.due }

  /// A session has one timer more.
  mutating func added() { live += 1 }

  /// Sessions have fewer timers.
  mutating func removed(_ count: Int = 1) {
    live -= count
    if live == 0 && !heap.isEmpty {
      heap.removeAll(keepingCapacity: true)
      epoch &+= 1
    }
  }

  mutating func schedule(_ session: SessionNumber, due: Int) {
    heap.append(Entry(due: due, session: session))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      if heap[parent].due <= heap[child].due { break }
      heap.swapAt(parent, child)
      child = parent
    }
  }

  /// Takes the next session that is due by now.
  mutating func pop(dueBy now: Int) -> SessionNumber? {
    guard let first = heap.first, first.due <= now else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return first.session
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].due < heap[least].due {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
