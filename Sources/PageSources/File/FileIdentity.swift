#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What tells whether a path still leads to the file that the cursors point into.
///
/// Device and inode alone do not: rotation hands an inode to the next file. So the file's first bytes count as well.
/// Growth changes neither.
struct FileIdentity: Sendable, Equatable {
  /// How many of the file's first bytes are compared.
  static let headBytes = 4096

  private var node: FileNode
  private var head: [UInt8]
  /// Whether the file has bytes although its size is 0, as files made up by the kernel do.
  ///
  /// Such a file is written anew for every reader, so neither its size nor its first bytes say anything.
  private let isSizeless: Bool

  /// The identity of an open file as it is now.
  init(of file: OpenFile) throws(FileFault) {
    node = file.node
    let first = try file.bytes(at: 0, count: Self.headBytes)
    isSizeless = file.size == 0 && !first.isEmpty
    head = isSizeless ? [] : first
  }

  /// Whether the system has the same name for `file`.
  func isNode(of file: OpenFile) -> Bool { file.node == node }

  /// Whether the system has the same name for the file of another identity.
  func isNode(like other: FileIdentity) -> Bool { other.node == node }

  /// What shows that `file` is not the one this identity was taken of, or that it was cut before `offset`; nil where
  /// nothing does.
  ///
  /// Where the file has grown, the identity takes in what its head has gained.
  mutating func change(in file: OpenFile, before offset: Int) throws(FileFault) -> String? {
    if file.node != node { return "another file has taken its place" }
    if isSizeless { return nil }
    if file.size < offset { return "it was cut to \(file.size) bytes" }
    let first = try file.bytes(at: 0, count: Self.headBytes)
    if first.count < head.count { return "it was cut to \(first.count) bytes" }
    if memcmp(first, head, head.count) != 0 { return "its first bytes were written over" }
    head = first
    return nil
  }
}
