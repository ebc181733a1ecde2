/// What every event carries about the list as a whole.
struct ListFacts: Equatable {
  var count = 0
  var hasMore = true
  var hasPrevious = false
  var isPaused = false
  var phase = ListPhase.idle
}
