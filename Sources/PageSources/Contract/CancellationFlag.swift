import Synchronization

/// Tells work on another thread that nobody wants its result any more.
///
/// Raised at most once and never lowered. Work looks at it between bounded pieces, so it ends soon after, not at once.
public final class CancellationFlag: Sendable {
  private let raised = Atomic<Bool>(false)

  /// Makes a flag that is not raised.
  public init() {}

  /// Says that the result is not wanted any more.
  public func cancel() { raised.store(true, ordering: .relaxed) }

  /// Whether the result is not wanted any more.
  public var isCancelled: Bool { raised.load(ordering: .relaxed) }
}
