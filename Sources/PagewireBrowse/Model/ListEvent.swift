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
