/// The programs that sources have started, for whoever ends the server.
public enum ChildPrograms {
  /// Asks all of them to end, waits for half a second at most, and kills those that have not.
  public static func endAll() { ProcessKeeper.shared.endAll() }

  /// Kills all of them at once; may be called on any thread.
  public static func killAll() { ProcessKeeper.shared.killAll() }
}
