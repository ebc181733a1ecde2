/// What stands in place of items while there are none.
enum EmptyListNotice: Equatable {
  case firstLoad
  case retrying(String, milliseconds: Int)
  case failed(String)
  case paused
  case empty
  case idle
}
