/// What stands in the row before the first or after the last item.
enum EdgeRow: Equatable {
  case loading
  case retrying(String, milliseconds: Int)
  case failed(String)
  case paused
}
