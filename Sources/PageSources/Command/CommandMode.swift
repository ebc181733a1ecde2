/// How a program gives its items.
enum CommandMode: String, Sendable, Equatable, CaseIterable {
  /// It runs once, and its output is the list.
  case stream
  /// It runs once for each page.
  case page
  /// It answers requests for pages.
  case provider
}
