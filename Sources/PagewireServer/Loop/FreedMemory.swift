import CSystem

/// When the memory that large messages took is given back to the system.
///
/// Given back at once, it would have to be mapped and cleared again for the next one, which costs more than half of such a
/// message; so the allocator keeps it, until there has been no large message for a second.
struct FreedMemory {
  /// From here on a message is large.
  private static let largeBytes = 1 << 20
  /// How long none must have come, in milliseconds.
  private static let rest = 1_000

  /// When there will have been none for long enough; nil while nothing is kept.
  private(set) var due: Int?

  /// A message of so many bytes has come, or goes out.
  @inline(__always)
  mutating func note(bytes: Int, now: Int) {
    if bytes >= FreedMemory.largeBytes { due = now + FreedMemory.rest }
  }

  /// Gives back what is kept, if it is time.
  @inline(__always)
  mutating func giveBack(now: Int) {
    guard let due, due <= now else { return }
    self.due = nil
    csystem_give_back_freed_memory()
  }
}
