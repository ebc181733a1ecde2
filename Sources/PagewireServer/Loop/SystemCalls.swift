import CSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The few calls the loop makes, with interruptions handled in one place.
enum SystemCalls {
  /// Milliseconds of a clock that never goes back.
  static func now() -> Int {
    Int(csystem_milliseconds())
  }

  /// Reads once; 0 at the end of the input, negative errno on failure.
  static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, base, buffer.count)
      #else
        let count = Darwin.read(descriptor, base, buffer.count)
      #endif
      if count >= 0 { return count }
      if errno != EINTR { return -Int(errno) }
    }
  }

  /// Waits for descriptors, a `pollfd` or a tuple of several; the number that are ready, 0 when the time is over.
  ///
  /// No array of them, for which the start would have to make a type and every turn to ask for memory.
  @inline(__always)
  static func wait<Descriptors: BitwiseCopyable>(_ descriptors: inout Descriptors, milliseconds: Int?) -> Int {
    let timeout = milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
    let count = withUnsafeMutableBytes(of: &descriptors) { bytes in
      let list = bytes.assumingMemoryBound(to: pollfd.self)
      return poll(list.baseAddress, nfds_t(list.count), timeout)
    }
    return count < 0 ? 0 : Int(count)
  }

  /// A pipe whose ends are closed on exec; nil when there are no descriptors left.
  static func makePipe() -> (read: Int32, write: Int32)? {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2) { ends in
      csystem_pipe(ends.baseAddress) == 0 ? (ends[0], ends[1]) : nil
    }
  }
}
