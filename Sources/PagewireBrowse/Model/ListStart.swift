/// The state that `open` answers.
struct ListStart: Equatable {
  var generation: Int
  var loading: Set<LoadKind>
  var total: Int?
  var facts: ListFacts
}
