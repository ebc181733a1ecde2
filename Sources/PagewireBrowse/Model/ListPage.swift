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
