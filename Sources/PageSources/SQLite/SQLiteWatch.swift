import CSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What SQLite asks while it works on a page: whether anybody wants it still, and whether to wait for a lock any longer.
///
/// Belongs to a connection and is used only while that is: SQLite calls back on the thread that called it.
final class SQLiteWatch {
  /// Says that the page is not wanted any more.
  var cancellation = CancellationFlag()
  private let timeoutMs: Int
  private var waitingSince: UInt64 = 0

  init(timeoutMs: Int) {
    self.timeoutMs = timeoutMs
  }

  /// How many instructions of SQLite's machine lie between two looks: some 50 microseconds.
  static let instructionsBetweenLooks: Int32 = 1000

  /// Not 0 ends the statement.
  static let progress: SQLiteLibrary.Progress = { pointer in
    SQLiteWatch.at(pointer)?.cancellation.isCancelled == true ? 1 : 0
  }

  /// Waits a little for a lock; 0 gives up.
  static let busy: SQLiteLibrary.Busy = { pointer, calls in
    SQLiteWatch.at(pointer)?.wait(calls: calls) == true ? 1 : 0
  }

  /// The pointer that SQLite hands back; it holds no reference.
  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// The pointer was made by `pointer` of a watch that its connection owns, and a connection calls back only from within
  /// calls that it is given, so the watch lives.
  private static func at(_ pointer: UnsafeMutableRawPointer?) -> SQLiteWatch? {
    pointer.map { Unmanaged<SQLiteWatch>.fromOpaque($0).takeUnretainedValue() }
  }

  private func wait(calls: Int32) -> Bool {
    let now = Self.milliseconds()
    if calls == 0 { waitingSince = now }
    if cancellation.isCancelled || now &- waitingSince >= UInt64(timeoutMs) { return false }
    // Short at first, since most locks are held for a moment only.
    usleep(calls < 10 ? 1000 : 10_000)
    return true
  }

  private static func milliseconds() -> UInt64 {
    UInt64(csystem_milliseconds())
  }
}
