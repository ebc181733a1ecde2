/// How far work has come that may take long: what a front end shows of it.
public struct SourceProgress: Sendable, Equatable {
  /// What is done, for people: "Counting the lines of /var/log/syslog".
  public var title: String
  /// How much of `whole` is done, in whatever unit.
  public var done: Int
  /// How much there is to do, as far as it is known.
  public var whole: Int
  /// What came of it, for people; nil while that is not known.
  public var outcome: String?

  /// Makes a state of the work.
  public init(title: String, done: Int, whole: Int, outcome: String? = nil) {
    self.title = title
    self.done = done
    self.whole = whole
    self.outcome = outcome
  }

  /// The part that is done, in percent.
  public var percentage: Int {
    if whole <= 0 || done >= whole { return 100 }
    return max(0, min(100, Int(Double(done) / Double(whole) * 100)))
  }
}
