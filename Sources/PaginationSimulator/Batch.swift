import PaginationCore

/// One event of the core and what it has led to so far.
struct Batch {
  /// What the event was.
  enum Cause {
    case nothing
    case opened
    /// Items or a range were seen.
    case items
    case loader(Edge)
    case scrolled
    /// A page was asked for; what must be told at once, if something must.
    case request(Edge, waiter: Int?, atOnce: Told?)
    case refresh(waiter: Int?)
    case cancel(waiter: Int, isWaiting: Bool)
    case answer(LaneName, Arrival?)
    /// A followed source has grown; nil where the look came too late.
    case growth(Arrival?)
    case timer
    case close
  }

  /// What becomes of a request that starts nothing.
  enum Told: Equatable {
    case outcome(Outcome)
    case failure(LoadFailure)
  }

  /// A page that the source gave.
  struct Arrival {
    let place: PagePlace
    let page: ModelSource.Page
  }

  /// A load that ended in this event.
  struct Ended {
    let lane: Lane
    let result: LoadResult
  }

  let cause: Cause
  /// Loads that ended, with those of their waiters who are still to be answered, in order.
  var ended: [LaneName: Ended] = [:]
  var toAnswer: [(waiter: Int, joined: Bool, name: LaneName)] = []
  var cancelled: [Int] = []
  var began: Set<LaneName> = []
  var droppedEdges: Set<LaneName> = []
  /// The load whose page was announced.
  var pageLane: LaneName?
  var pageRange: ClosedRange<Int>?
  /// A load whose waiters the page was for.
  var sparedEdge: Edge?
  var isAnswered = false
  /// The delay that was told before its timer is set.
  var retryDelay: Int?

  init(cause: Cause) { self.cause = cause }

  var arrival: Arrival? {
    switch cause {
    case .answer(_, let arrival), .growth(let arrival): return arrival
    default: return nil
    }
  }
}
