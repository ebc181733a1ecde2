/// The kinds of load.
enum LoadKind: String, CaseIterable {
  case initial, more, previous, refresh
}
