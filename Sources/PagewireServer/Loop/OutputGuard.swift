import CSystem
import PageSources
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ends the process when nobody reads its output any more, while the loop sleeps in a read and cannot see it.
enum OutputGuard {
  private static let hasStarted = Atomic<Bool>(false)

  /// Starts the watch once; false where that is not possible and the loop must look for itself.
  static func start(_ streams: StandardStreams) -> Bool {
    if hasStarted.load(ordering: .relaxed) { return true }
    // A terminal or a file has no reader that could go.
    if streams.outputKind == .other { return true }
    let argument = UnsafeMutableRawPointer(bitPattern: Int(streams.output))
    guard csystem_start_thread(watchOutput, argument, 0) == 0 else { return false }
    hasStarted.store(true, ordering: .relaxed)
    return true
  }
}

private func watchOutput(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  let descriptor = Int32(truncatingIfNeeded: Int(bitPattern: argument))
  while true {
    var output = pollfd(fd: descriptor, events: 0, revents: 0)
    if poll(&output, 1, -1) > 0, Int32(output.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0 {
      ChildPrograms.killAll()
      _exit(0)
    }
  }
}
