import Synchronization

/// A followed file that stays open while the list's end is its own, so that what was written to it right before another took
/// its place is still read.
///
/// There are only so many at a time in the whole process; the files beyond are followed without.
final class HeldFile: Sendable {
  /// How many descriptors are held at most.
  static let maximum = 128
  private static let count = Atomic<Int>(0)

  let file: OpenFile

  /// Keeps a file open; nil where too many are.
  init?(_ file: OpenFile) {
    // Every property is set before it can fail, so that the end of the object takes back what is added here.
    self.file = file
    let now = Self.count.add(1, ordering: .relaxed).newValue
    if now > Self.maximum { return nil }
  }

  deinit {
    Self.count.subtract(1, ordering: .relaxed)
  }
}
