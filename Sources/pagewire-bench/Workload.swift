/// One thing that is measured.
protocol Workload {
  /// The name on the command line.
  static var name: String { get }
  /// What it measures, in one line.
  static var summary: String { get }
  /// Whether it runs only where its name is given.
  static var isOnlyByName: Bool { get }
  /// Measures, ours and its peers in turn, and returns the rows of the table. Throws `Misbehaviour`.
  static func measure(_ bench: Setting) throws -> [Row]
}

extension Workload {
  static var isOnlyByName: Bool { false }
}
