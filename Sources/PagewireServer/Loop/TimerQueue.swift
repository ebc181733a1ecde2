/// When sessions want to be woken: each at the time of the earliest of its timers.
///
/// A session keeps its own timers; here it has one entry, or none. So however many timers come and go, the queue is no longer
/// than the list of sessions that have one, and its first entry is always true.
struct TimerQueue {
  private struct Entry {
    var due: Int
    var slot: Int
  }

  /// A heap: no entry is due before its parent, which is at half its index.
  private var heap: [Entry] = []
  /// Where each slot's entry is in the heap; -1 where it has none.
  private var places: [Int] = []

  /// When the next session is due, nil where no timer runs.
  var nextDue: Int? { heap.first?.due }

  /// How many sessions have a timer.
  var count: Int { heap.count }

  /// Sets when the session in a slot is to be woken; nil for never.
  mutating func set(_ slot: Int, due: Int?) {
    while places.count <= slot { places.append(-1) }
    let place = places[slot]
    guard let due else {
      if place >= 0 { remove(at: place) }
      return
    }
    if place < 0 {
      heap.append(Entry(due: due, slot: slot))
      places[slot] = heap.count - 1
      rise(from: heap.count - 1)
    } else if due != heap[place].due {
      heap[place].due = due
      rise(from: place)
      sink(from: places[slot])
    }
  }

  /// Takes the slot of the session that is due first, if it is due by now.
  mutating func pop(dueBy now: Int) -> Int? {
    guard let first = heap.first, first.due <= now else { return nil }
    remove(at: 0)
    return first.slot
  }

  // MARK: Heap

  private mutating func remove(at place: Int) {
    places[heap[place].slot] = -1
    let last = heap.removeLast()
    if place == heap.count { return }
    heap[place] = last
    places[last.slot] = place
    rise(from: place)
    sink(from: places[last.slot])
  }

  private mutating func rise(from place: Int) {
    var child = place
    while child > 0 {
      let parent = (child - 1) / 2
      if heap[parent].due <= heap[child].due { return }
      exchange(parent, child)
      child = parent
    }
  }

  private mutating func sink(from place: Int) {
    var parent = place
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].due < heap[least].due {
        least = child
      }
      if least == parent { return }
      exchange(parent, least)
      parent = least
    }
  }

  private mutating func exchange(_ one: Int, _ other: Int) {
    heap.swapAt(one, other)
    places[heap[one].slot] = one
    places[heap[other].slot] = other
  }
}
