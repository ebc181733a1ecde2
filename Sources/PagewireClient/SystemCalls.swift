import CSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The C library's sentence for an `errno` value.
public func errorText(_ number: Int32) -> String {
  guard let text = strerror(number) else { return "error \(number)" }
  return String(cString: text)
}

/// What a read or write came to.
public enum TransferResult: Sendable, Equatable {
  /// So many bytes were moved; at least one.
  case moved(Int)
  /// Nothing can be moved now.
  case wouldBlock
  /// A signal came in between.
  case interrupted
  /// The other side is gone: end of file for a read, a broken pipe for a write.
  case closed
  /// Any other failure, with its `errno`.
  case failed(Int32)
}

/// Reads what is there, once.
public func readOnce(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> TransferResult {
  let count = read(descriptor, buffer.baseAddress, buffer.count)
  if count > 0 { return .moved(count) }
  if count == 0 { return .closed }
  return failure(errno)
}

/// Writes what the other side takes, once.
public func writeOnce(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> TransferResult {
  if buffer.isEmpty { return .wouldBlock }
  let count = write(descriptor, buffer.baseAddress, buffer.count)
  if count >= 0 { return count == 0 ? .wouldBlock : .moved(count) }
  return failure(errno)
}

/// Waits until one descriptor is ready, or the time in milliseconds runs out (negative: no limit).
///
/// True where it is ready, or has an error or an end that the next call will report.
public func waitUntilReady(_ descriptor: Int32, events: Int32, milliseconds: Int32) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
  return poll(&entry, 1, milliseconds) > 0
}

private func failure(_ number: Int32) -> TransferResult {
  switch number {
  case EAGAIN, EWOULDBLOCK: .wouldBlock
  case EINTR: .interrupted
  case EPIPE, ECONNRESET: .closed
  default: .failed(number)
  }
}

/// Makes a pipe hold more, where the system allows it.
func growPipe(_ descriptor: Int32, bytes: Int32) {
  csystem_pipe_size(descriptor, bytes)
}
