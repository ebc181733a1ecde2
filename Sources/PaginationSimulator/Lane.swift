import PaginationCore

/// A place where at most one load may run.
enum LaneName: Int, CaseIterable {
  case end
  case start
  case refresh

  init(_ kind: LoadKind) {
    switch kind {
    case .initial, .more: self = .end
    case .previous: self = .start
    case .refresh: self = .refresh
    }
  }

  init(_ edge: Edge) { self = edge == .end ? .end : .start }
}

/// A load that the front end knows to run.
struct Lane {
  let kind: LoadKind
  let generation: Int
  /// The number that the next try must have.
  var attempt = 1
  var pages = 0
  var added = 0
  var duplicates = 0
  /// The failure with which it gave up.
  var failure: LoadFailure?
  var waits: [(waiter: Int, joined: Bool)] = []
  /// Asked for by a notification.
  var isPinned = false
  /// Asked for by items or geometry in the zone.
  var isByDemand = false
  /// The first load of autoload.
  var isFirst = false
  /// The geometry that started it.
  var fire: DemandMirror.Fire?
  /// What stood at its edge before it.
  var former = EdgeState.Former(latch: nil, isPaused: false, isUnseen: false)
  /// The first page it asked for, and how many items had been inserted at the head then.
  var firstFetch: (place: PagePlace, heads: Int)?
}
