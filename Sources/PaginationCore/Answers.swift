/// What an appearance led to: never silence.
public enum Decision: String, Equatable, Sendable {
  /// The positions are those of an older list.
  case stale
  /// Nothing is loaded and nothing runs.
  case empty
  /// No such item is loaded.
  case unknown
  /// Nothing to do: another kind of trigger, or not in the zone.
  case idle
  /// The session may not load more.
  case disabled
  /// A refresh runs; the demand is remembered.
  case refreshing
  /// A load runs; the demand is remembered.
  case loading
  /// The list has no more in this direction.
  case ended
  /// The last load failed.
  case latched
  /// Too many loads in a row added nothing.
  case paused
  /// A load was started.
  case started
}

/// The answer to an appearance.
public struct Appearance: Equatable, Sendable {
  /// What it led to at the end.
  public var decision: Decision
  /// What it led to at the start.
  public var previous: Decision
  /// Where the item is, nil where it is not loaded.
  public var position: Int?

  init(_ decision: Decision, _ previous: Decision, position: Int? = nil) {
    self.decision = decision
    self.previous = previous
    self.position = position
  }
}

/// What became of a load that somebody waited for.
public enum Outcome: String, Equatable, Sendable {
  /// A page came, maybe one without items.
  case loaded
  /// Nothing more was there; no fetch was made.
  case ended
  /// The call joined a load that ran already.
  case coalesced
  /// A refresh ran or came.
  case superseded
  /// The session does not allow it.
  case disabled
  /// A page came that added nothing, and auto-loading has stopped.
  case paused
}

/// The answer to a load that somebody waited for.
public struct LoadAnswer: Equatable, Sendable {
  /// What became of it.
  public var outcome: Outcome
  /// Items that it added.
  public var added = 0
  /// Items that it dropped because they were there already.
  public var duplicates = 0
  /// Items loaded now.
  public var count: Int
  /// Whether there may be more behind the last.
  public var hasMore: Bool
  /// Whether there may be more before the first.
  public var hasPrevious: Bool
  /// The list's generation.
  public var generation: Int
}

/// What a front end draws as a whole.
public enum Phase: String, Equatable, Sendable {
  /// There are items.
  case items
  /// The first load failed for good.
  case failedFirst
  /// A load runs and nothing is known yet.
  case loadingFirst
  /// The list has ended, or paused, without items.
  case empty
  /// Nothing is loaded and nothing runs.
  case idle
}

/// What every event says about the list, so that a front end never has to ask.
public struct Facts: Equatable, Sendable {
  /// Items loaded.
  public var count: Int
  /// Whether there may be more behind the last.
  public var hasMore: Bool
  /// Whether there may be more before the first.
  public var hasPrevious: Bool
  /// Whether auto-loading at the end has stopped for want of progress.
  public var paused: Bool
  /// What to draw as a whole.
  public var phase: Phase
}

/// A request of the front end that waits for a load, as the shell names it.
public struct Waiter: Equatable, Sendable {
  /// The shell's own number.
  public var number: Int

  /// Makes a waiter.
  public init(_ number: Int) { self.number = number }
}
