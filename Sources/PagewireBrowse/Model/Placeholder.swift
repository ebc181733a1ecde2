/// What stands in place of items while there are none.
enum Placeholder: Equatable {
  case firstLoad
  case retrying(String, milliseconds: Int)
  case failed(String)
  case paused
  case empty
  case idle
}
