/// What an embedding program allows sources to reach.
public struct SourcePolicy: Sendable, Equatable {
  /// The folder in which files must lie, without symbolic links in it; nil for anywhere.
  public var root: [UInt8]?

  /// Everything is allowed.
  public static let unrestricted = SourcePolicy()

  /// Makes a policy.
  public init(root: [UInt8]? = nil) {
    self.root = root
  }

  /// Whether a path without symbolic links lies in the root.
  func allows(_ resolved: [UInt8]) -> Bool {
    guard let root else { return true }
    if root == [UInt8(ascii: "/")] { return resolved.first == UInt8(ascii: "/") }
    return resolved.starts(with: root)
      && (resolved.count == root.count || resolved[root.count] == UInt8(ascii: "/"))
  }
}
