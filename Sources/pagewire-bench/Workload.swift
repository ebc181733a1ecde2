/// One thing that is measured.
protocol Workload {
  /// The name on the command line.
  static var name: String { get }
  /// What it measures, in one line.
  static var summary: String { get }
  /// Measures, ours and the baseline in turn, and returns the rows of the table. Throws `Misbehaviour`.
  static func measure(_ bench: Setting) throws -> [Row]
}
