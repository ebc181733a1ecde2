/// What an embedding program allows sources to reach.
public struct SourcePolicy: Sendable, Equatable {
  /// The folder in which files must lie, without symbolic links in it; nil for anywhere.
  public var root: [UInt8]?
  /// Whether programs may be started, which read what they like: not where files are confined, unless somebody says so.
  public var allowsPrograms = true

  /// Everything is allowed.
  public static let unrestricted = SourcePolicy()

  /// Makes a policy.
  public init(root: [UInt8]? = nil) {
    self.root = root
  }

  /// The error for a source that would start a program; nil where that is allowed.
  func refusal(ofProgram type: String) -> SourceError? {
    if allowsPrograms { return nil }
    return SourceError(
      .refused,
      "A source of type \"\(type)\" starts a program, which reads what it likes, and files are confined to a folder"
        + " (--root). Start the server with --allow \(type) as well to allow it.",
      details: [.string("type", type), .string("reason", "--root")])
  }

  /// Whether a path without symbolic links lies in the root.
  func allows(_ resolved: [UInt8]) -> Bool {
    guard let root else { return true }
    if root == [UInt8(ascii: "/")] { return resolved.first == UInt8(ascii: "/") }
    return resolved.starts(with: root)
      && (resolved.count == root.count || resolved[root.count] == UInt8(ascii: "/"))
  }
}
