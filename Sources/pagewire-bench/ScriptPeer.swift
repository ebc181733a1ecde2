/// A script that measures itself: it says `ready`, and answers each line it gets by one with its figures.
final class ScriptPeer {
  private let child: Child

  init(_ bench: Setting, _ command: Command) throws {
    child = try bench.child(command)
    let greeting = try child.line()
    guard greeting == "ready" else { throw Misbehaviour(program: child.name, what: "began with \(greeting)") }
  }

  /// Has it do a round; the figures it gives.
  func round(_ order: String) throws -> [Double] {
    try child.send(Array("\(order)\n".utf8))
    return try child.line().split(separator: " ").compactMap { Double($0) }
  }
}
