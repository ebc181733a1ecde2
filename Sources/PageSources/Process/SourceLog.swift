import Synchronization

/// Where sources say what has no place in an answer: what programs print to their standard error, that one was started again.
///
/// The server points it at its log when it starts; without that nothing is written. What is written must not block.
public enum SourceLog {
  /// How much a line matters.
  public enum Level: Sendable {
    /// Something is odd.
    case warning
    /// What happens.
    case info
  }

  private static let sink = Mutex<(@Sendable (Level, String) -> Void)?>(nil)

  /// Sends everything that is said from now on to `sink`, which may be called on any thread.
  public static func send(to sink: @escaping @Sendable (Level, String) -> Void) {
    Self.sink.withLock { $0 = sink }
  }

  static func write(_ level: Level, _ line: @autoclosure () -> String) {
    guard let sink = Self.sink.withLock({ $0 }) else { return }
    sink(level, line())
  }
}
