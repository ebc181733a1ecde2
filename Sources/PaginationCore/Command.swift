/// What the shell must do after an event, in order.
///
/// State is committed before the first of them is carried out.
public enum Command: Equatable, Sendable {
  /// Ask the source for a page. It is answered by `pageArrived` or `fetchFailed` with the same ticket.
  case fetch(Fetch)
  /// Tell the source that nobody wants this page any more; what still comes is ignored.
  case cancelFetch(ticket: Int)
  /// Call `timerFired` after so many milliseconds.
  case setTimer(Timer, afterMs: Int)
  /// Forget a timer.
  case cancelTimer(Timer)
  /// Keep the page's items, without those at `dropping`, for the refresh that gathers them.
  case gather(dropping: [Int])
  /// The source that was opened for this generation is the list's from now on; older ones are done with.
  case commitSource(generation: Int)
  /// The source that was opened for this generation is not needed.
  case discardSource(generation: Int)
  /// The source that was opened for one refresh serves the refresh that took its place.
  case adoptSource(from: Int, to: Int)

  /// Say that a load began.
  case loadingBegan(LoadKind, generation: Int)
  /// Say that a load is over.
  case loadingEnded(LoadKind, generation: Int, result: LoadResult, Facts)
  /// Announce a page. Its items are the ones of the arrival in hand, or those gathered.
  case page(PageEvent)
  /// Say that the window closed over these positions, inclusive.
  case pagesDropped(Edge, from: Int, to: Int, generation: Int, Facts)
  /// Say that the list is empty for now.
  case cleared(generation: Int, Facts)
  /// Say that a try failed.
  case loadFailed(LoadKind, generation: Int, LoadFailure, attempt: Int, retryInMs: Int?)

  /// Answer a request that waited.
  case answer(Waiter, LoadAnswer)
  /// Answer a request that waited with the failure of its load.
  case fail(Waiter, LoadFailure)
  /// Answer a request that waited: it was cancelled.
  case cancelled(Waiter)
}

/// How a load came to its end.
public enum LoadResult: String, Equatable, Sendable {
  /// Its page was committed.
  case loaded
  /// It failed for good.
  case failed
  /// Nobody wanted it any more.
  case cancelled
  /// A refresh took its place.
  case superseded
  /// Its page added nothing and auto-loading has stopped.
  case paused
}

/// One call of a source.
public struct Fetch: Equatable, Sendable {
  /// Names this try; every try has its own.
  public var ticket: Int
  /// Why the page is loaded.
  public var kind: LoadKind
  /// The generation that the page is for.
  public var generation: Int
  /// Which page.
  public var place: PagePlace
  /// Items asked for.
  public var limit: Int
  /// Counted from 1.
  public var attempt: Int
}

/// What a timer is for.
public enum Timer: Hashable, Sendable {
  /// The try with this ticket has taken too long.
  case timeout(ticket: Int)
  /// The load whose last try had this ticket is to be tried again.
  case retry(ticket: Int)
  /// The height gate at an edge opens by itself.
  case heightGate(Edge)
}

/// A page as it is announced.
public struct PageEvent: Equatable, Sendable {
  /// The side at which it was added.
  public var edge: Edge
  /// The list's generation, which this page may have begun.
  public var generation: Int
  /// The page's number.
  public var page: Int
  /// The position of its first item.
  public var start: Int
  /// Items that it added.
  public var added: Int
  /// The indices, in the arrival, of the items that are not announced because their ids are loaded already.
  public var dropping: [Int]
  /// Items dropped in all.
  public var duplicates: Int
  /// Whether it stands for the whole list.
  public var replaces: Bool
  /// Whether its items are those gathered by a refresh rather than the arrival's.
  public var isGathered: Bool
  /// Items that the source says it has in all, where this page said so.
  public var total: Int?
  /// Where the scrolled item is now, where the front end should restore its place.
  public var scrollTo: Int?
  /// Whether the place of a resume token was found, on the first page of a session opened with one.
  public var resumed: Bool?
  /// The list after this page.
  public var facts: Facts
}
