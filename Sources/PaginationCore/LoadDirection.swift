/// Loading at one edge of the list.
///
/// Both edges have one, and neither knows of the other.
struct LoadDirection {
  /// What goes on at this edge.
  ///
  /// What is rare lies outside: most sessions of many are at rest, and small then.
  enum State: Equatable {
    /// Nothing; left when demand or a request starts a load.
    case ready
    /// A load runs; left when its page is committed, when it fails for good, or when it is cancelled or superseded.
    indirect case loading(Load)
    /// The last load failed for good; left by a request, a refresh's commit or, if so set, a new appearance.
    indirect case latched(Latch)
    /// Loads in a row brought no progress; left by a request, or for an unseen loader by a new word of what is visible.
    case paused(Pause)
  }

  /// A failure that stands.
  struct Latch: Equatable {
    let failure: LoadFailure
    let kind: LoadKind
    let since: Milliseconds
    /// Whether what asks for this edge has left the zone since.
    var hasLeftZone = false
  }

  /// Why auto-loading stopped.
  enum Pause: Equatable {
    /// `maxEmptyPages` loads in a row added nothing.
    case noProgress
    /// `maxUnseenPages` pages were loaded for a loader without a word about what is visible.
    case unseen
  }

  var state = State.ready
  /// The page that the source has beyond all that was loaded, nil where it said that there is none.
  var next: PagePlace?
  /// Pages that the window dropped at this edge, the nearest last.
  var dropped = ChunkedStack<PagePlace>()
  /// The failure that stands for `next`, while pages that the window dropped lie before it.
  ///
  /// Kept as the state that it will be again, which lies outside of the session: few ever have one.
  private var shelved = State.ready
  /// Cursors that the source has given in this generation and direction.
  var seen = FingerprintSet()
  /// Where a followed source goes on once it has grown; known while it has nothing beyond what was loaded.
  var tail = Tail.unknown
  /// Loads in a row that added nothing.
  var emptyRun = 0

  /// The window has closed over these pages, the nearest last: what is asked for now is the page nearest to the edge.
  mutating func windowClosed(over places: [PagePlace]) {
    if dropped.isEmpty, latch != nil { shelved = state }
    for place in places { dropped.append(place) }
    state = .ready
    emptyRun = 0
  }

  /// A page that the window had dropped is back.
  mutating func reopened() {
    _ = dropped.popLast()
  }

  /// The failure that stands for `next`, once nothing that was dropped lies before it.
  mutating func takeShelved() -> State? {
    guard dropped.isEmpty, case .latched = shelved else { return nil }
    defer { shelved = .ready }
    return shelved
  }

  /// Whether there may be more at this edge; derived, so that it cannot disagree with what a load would do.
  var hasMore: Bool { next != nil || !dropped.isEmpty }

  /// The load that runs, if one does.
  var load: Load? {
    if case .loading(let load) = state { return load }
    return nil
  }

  /// Whether auto-loading has stopped for want of progress.
  var isPaused: Bool {
    if case .paused = state { return true }
    return false
  }

  /// The failure that stands, if one does.
  var latch: Latch? {
    if case .latched(let latch) = state { return latch }
    return nil
  }
}
