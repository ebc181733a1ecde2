#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Diagnostics for people: to stderr or a file, never to stdout, and never at the price of waiting for who reads them.
public struct Log: Sendable {
  /// How much a line matters.
  public enum Level: Int, Sendable, CaseIterable {
    /// Something is lost.
    case error
    /// Something is odd.
    case warning
    /// What happens.
    case info
    /// Everything.
    case debug

    /// The name used on the command line.
    public var name: String { "\(self)" }
  }

  let level: Level
  private let descriptor: Int32

  /// Opens the log; nil where the file cannot be opened for appending.
  init?(path: String?, level: Level) {
    self.level = level
    guard let path else {
      descriptor = 2
      return
    }
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
    if descriptor < 0 { return nil }
  }

  /// Where lines go that say how the process died: stderr, and the log's file if it has one; -1 for none.
  var crashDescriptors: (Int32, Int32) { (2, descriptor == 2 ? -1 : descriptor) }

  /// Writes a line, or drops it where the reader of a pipe does not keep up.
  func write(_ level: Level, _ message: @autoclosure () -> String) {
    guard level.rawValue <= self.level.rawValue else { return }
    let line = Array("pagewire: \(level.name): \(message())\n".utf8)
    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&ready, 1, 0) == 1, ready.revents & Int16(POLLOUT) != 0 else { return }
    // At most what a pipe takes in one piece, so that a ready descriptor cannot block.
    line.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      #if canImport(Glibc)
        _ = Glibc.write(descriptor, base, min(bytes.count, 4096))
      #else
        _ = Darwin.write(descriptor, base, min(bytes.count, 512))
      #endif
    }
  }
}
