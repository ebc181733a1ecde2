/// What the server says about a list, with items made ready to show.
enum ListEvent: Equatable {
  case opened(ListStart)
  /// Facts come when a load ends; its start changes none of them.
  case loading(kind: LoadKind, isLoading: Bool, facts: ListFacts?)
  case page(ListPage)
  /// Positions, inclusive.
  case dropped(from: Int, to: Int, facts: ListFacts)
  case cleared(generation: Int, facts: ListFacts)
  case loadFailed(kind: LoadKind, failure: LoadFailure)
}

/// The kinds of load.
enum LoadKind: String, CaseIterable {
  case initial, more, previous, refresh
}

/// What every event carries about the list as a whole.
struct ListFacts: Equatable {
  var count = 0
  var hasMore = true
  var hasPrevious = false
  var isPaused = false
  var phase = ListPhase.idle
}

/// What a front end draws as a whole.
enum ListPhase: String {
  case items, failedFirst, loadingFirst, empty, idle
}

/// A page that came, at the end or at the start, or instead of all.
struct ListPage: Equatable {
  var isPrepended = false
  var replaces = false
  var generation: Int
  var items: ItemPage
  var total: Int?
  /// Where the front end should restore its place.
  var scrollTo: Int?
  var facts: ListFacts
}

/// A load that failed: for good, or until the next try.
struct LoadFailure: Equatable {
  var message: String
  var attempt: Int
  /// Milliseconds until the next try; nil where none follows by itself.
  var retryInMs: Int?
}

/// The state that `open` answers.
struct ListStart: Equatable {
  var generation: Int
  var loading: Set<LoadKind>
  var total: Int?
  var facts: ListFacts
}
