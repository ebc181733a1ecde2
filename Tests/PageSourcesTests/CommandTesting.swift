import JSONText

@testable import PageSources

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A text as one word of a shell script.
func shellQuoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}

/// The source object that a JSON text is.
func sourceObject(_ json: String) throws -> SourceObject {
  let bytes = Array(json.utf8)
  return try SourceObject(bytes.span, JSONSlice(start: 0, end: bytes.count), pointer: "/source")
}

/// A thread that raises a flag after a while.
final class CancellingThread {
  #if canImport(Glibc)
    private var thread = pthread_t()
  #else
    private var thread: pthread_t?
  #endif

  private final class Order: Sendable {
    let flag: CancellationFlag
    let milliseconds: Int32

    init(_ flag: CancellationFlag, _ milliseconds: Int32) {
      self.flag = flag
      self.milliseconds = milliseconds
    }
  }

  init(_ flag: CancellationFlag, afterMilliseconds milliseconds: Int32) {
    let order = Unmanaged.passRetained(Order(flag, milliseconds))
    pthread_create(
      &thread, nil,
      { argument in
        #if canImport(Glibc)
          guard let argument else { return nil }
        #endif
        let order = Unmanaged<Order>.fromOpaque(argument).takeRetainedValue()
        poll(nil, 0, order.milliseconds)
        order.flag.cancel()
        return nil
      }, order.toOpaque())
  }

  func join() {
    #if canImport(Glibc)
      pthread_join(thread, nil)
    #else
      if let thread { pthread_join(thread, nil) }
    #endif
  }
}

/// Whether a process is there and has not ended.
func isRunning(_ id: pid_t) -> Bool {
  if kill(id, 0) != 0 { return false }
  // One that nobody has asked yet how it ended is there, but runs no more.
  guard let file = fopen("/proc/\(id)/stat", "r") else { return true }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  guard fgets(&line, 256, file) != nil else { return false }
  let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return !text.contains(") Z ")
}

/// Whether a process ends within ten seconds.
func endsSoon(_ id: pid_t) -> Bool {
  for _ in 0..<2_000 {
    if !isRunning(id) { return true }
    poll(nil, 0, 5)
  }
  return false
}
