/// How a page is to be had.
///
/// The event loop carries a plan out; making one never blocks.
public enum FetchPlan: Sendable {
  /// The answer is there.
  case ready(Result<SourcePage, SourceError>)
  /// The answer is there, but counts only after this time, in milliseconds.
  case after(milliseconds: Int, Result<SourcePage, SourceError>)
  /// Work that may block, for a thread of the worker pool. Where the flag is raised it ends early with any result.
  case blocking(@Sendable (CancellationFlag) -> Result<SourcePage, SourceError>)
  /// The same, but what it waits for is a server or a program, which may be silent for as long as a page may take. So that many
  /// of these leave threads to the others, they never have all of them.
  case waiting(@Sendable (CancellationFlag) -> Result<SourcePage, SourceError>)
  /// Somebody else's thread has the answer later, and no thread of the pool waits for it meanwhile.
  ///
  /// The body begins the work and returns at once; the second argument is called once, on any thread, before the body
  /// returns or after, and soon after the flag is raised with any result.
  case deferred(@Sendable (CancellationFlag, @escaping @Sendable (Result<SourcePage, SourceError>) -> Void) -> Void)
  /// The front end has the page: the server asks it with `fetchPage`.
  case frontEnd
}
