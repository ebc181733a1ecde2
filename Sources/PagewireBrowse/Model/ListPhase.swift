/// What a front end draws as a whole.
enum ListPhase: String {
  case items, failedFirst, loadingFirst, empty, idle
}
