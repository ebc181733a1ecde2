/// Why `open` could not make a source of what it was given.
public enum SourceOpenError: Error, Sendable, Equatable {
  /// The request itself is wrong: invalid params (`-32602`).
  case params(SourceParamsError)
  /// The request is well formed, but there is no such source or it cannot be used.
  case source(SourceError)
}

/// A member of a source object that is malformed, unknown, or not supported by this build.
public struct SourceParamsError: Sendable, Equatable {
  /// JSON Pointer to the member, from the params object: `/source/path`.
  public var pointer: String
  /// What is wrong with it, without the pointer: `expected a string`.
  public var problem: String

  /// Makes an error for the member at `pointer`.
  public init(pointer: String, problem: String) {
    self.pointer = pointer
    self.problem = problem
  }

  /// The whole message: `/source/path: expected a string`.
  public var message: String { "\(pointer): \(problem)" }
}
