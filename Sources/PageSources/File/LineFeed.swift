#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Span<UInt8> {
  /// The index of the first line feed from `start` on, nil where there is none.
  func lineFeed(from start: Int) -> Int? {
    guard start < count else { return nil }
    return withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, bytes.count - start) else {
        return nil
      }
      return UnsafeRawPointer(found) - base
    }
  }
}
