#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Both ends of a pipe, close-on-exec and outside the standard descriptors, which a spawn would overwrite.
struct Pipe {
  let readEnd: Int32
  let writeEnd: Int32

  /// Nil with `errno` set where the system has none left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for index in 0..<2 {
      let moved = fcntl(ends[index], F_DUPFD_CLOEXEC, 3)
      let number = errno
      close(ends[index])
      ends[index] = moved
      if moved < 0 {
        for end in ends where end >= 0 { close(end) }
        errno = number
        return nil
      }
    }
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  func closeBoth() {
    close(readEnd)
    close(writeEnd)
  }
}
