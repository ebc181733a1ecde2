/// One load from its beginning to its end, through all of its tries.
struct Load: Equatable {
  /// What the load is doing.
  enum Step: Equatable {
    /// The source has been asked; left by its answer, its failure or the time-out.
    case fetching
    /// A try has failed; left when the timer fires or somebody asks to try now.
    case waitingToRetry(until: Milliseconds)
  }

  /// A request that waits for the load.
  struct Wait: Equatable {
    let waiter: Waiter
    /// Whether it came while the load ran already.
    var joined: Bool
  }

  let kind: LoadKind
  let generation: Int
  var place: PagePlace
  /// Whether this page was loaded before and dropped by the window.
  let reopens: Bool
  /// Names the current try.
  var ticket: Int
  var attempt = 1
  var step = Step.fetching

  var waits: [Wait] = []
  /// Asked for by a notification, which nobody can cancel.
  var isPinned = false
  /// Items or geometry in the zone asked for it once; that want stays, or small scrolls would cancel what they need.
  var isWantedByDemand = false
  /// It is the first load, which needs no other want.
  var isWantedAsFirst = false

  /// What stood at the edge before and stands again if the load is rolled back.
  private var latch: LoadDirection.Latch?
  private var pause: LoadDirection.Pause?

  init(
    kind: LoadKind, generation: Int, place: PagePlace, reopens: Bool = false, ticket: Int,
    instead former: LoadDirection.State = .ready
  ) {
    self.kind = kind
    self.generation = generation
    self.place = place
    self.reopens = reopens
    self.ticket = ticket
    switch former {
    case .ready, .loading: break
    case .latched(let latch): self.latch = latch
    case .paused(let pause): self.pause = pause
    }
  }

  /// Items that its pages have added and dropped so far; only a first load has more pages than one.
  private(set) var added = 0
  private(set) var duplicates = 0

  mutating func note(added: Int, duplicates: Int) {
    self.added += added
    self.duplicates += duplicates
    // A page is there: nothing can be rolled back to what was before it.
    latch = nil
    pause = nil
  }

  /// The state of the edge without this load.
  var former: LoadDirection.State {
    if let latch { return .latched(latch) }
    if let pause { return .paused(pause) }
    return .ready
  }

  /// The timer that runs in the present step.
  var timer: Timer {
    switch step {
    case .fetching: .timeout(ticket: ticket)
    case .waitingToRetry: .retry(ticket: ticket)
    }
  }
}
