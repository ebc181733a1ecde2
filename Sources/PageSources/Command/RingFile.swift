#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A temporary file without a name that holds the last bytes of a stream; those before them are written over.
///
/// It is gone with the last reference, or with the process.
final class RingFile: Sendable {
  /// How many bytes it holds.
  let capacity: Int
  private let descriptor: Int32

  /// Makes the file in the directory for temporary files; nil where that is not possible.
  init?(capacity: Int) {
    guard capacity > 0 else { return nil }
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array("\(folder.isEmpty ? "/tmp" : folder)/pagewire-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    if descriptor < 0 { return nil }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    self.capacity = capacity
    self.descriptor = descriptor
  }

  deinit {
    _ = close(descriptor)
  }

  /// Writes the bytes that come at `offset` in the stream; false where the system has no room for them.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    return move(bytes.count, at: offset) { pwrite(descriptor, base + $0, $1, $2) }
  }

  /// Reads the bytes at `offset` in the stream, which must be among those that it holds; false where that fails.
  func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
    guard let base = target.baseAddress else { return true }
    return move(target.count, at: offset) { pread(descriptor, base + $0, $1, $2) }
  }

  /// Calls `transfer` with a place in memory, a number of bytes and a place in the file until all bytes are moved.
  private func move(_ count: Int, at offset: Int, _ transfer: (Int, Int, off_t) -> Int) -> Bool {
    for (place, piece) in pieces(offset, count) {
      var done = 0
      while done < piece.count {
        let moved = transfer(piece.lowerBound + done, piece.count - done, off_t(place + done))
        if moved > 0 {
          done += moved
        } else if moved == 0 || errno != EINTR {
          return false
        }
      }
    }
    return true
  }

  /// Where so many bytes of the stream lie in the file: one place, or two where they go round its end.
  private func pieces(_ offset: Int, _ count: Int) -> [(place: Int, piece: Range<Int>)] {
    let place = offset % capacity
    let first = min(count, capacity - place)
    return first == count ? [(place, 0..<count)] : [(place, 0..<first), (0, first..<count)]
  }
}
