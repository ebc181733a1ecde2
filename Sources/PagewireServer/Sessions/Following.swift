import PageSources
import PaginationCore

/// What becomes of a session's followed file: when it is looked at, and what waits for that.
final class Following {
  /// A look at the file that runs on a thread.
  struct Look {
    let ticket: Int
    let generation: Int
    /// The list's tail when it began.
    let place: PagePlace
    let flag: CancellationFlag
  }

  /// The file's absolute path.
  let path: [UInt8]
  /// Whether its changes are noticed at present; only while the list's end is the file's.
  var isOn = false
  /// What the system watches for it; nil where it is looked at now and then instead.
  var registration: FileWatch.Registration?
  /// Whether it may have changed since the last look began.
  var mayHaveChanged = false
  var look: Look?
  /// Whether the next look waits for the client to read.
  var isHeld = false
  /// No look begins before this time.
  var notBefore = 0
  /// Since when the file is missing.
  var missingSince: Int?

  init(path: [UInt8]) { self.path = path }
}
