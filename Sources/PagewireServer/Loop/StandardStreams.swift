import CSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard input and output, taken out of everybody else's reach.
///
/// Descriptor 1 is pointed at stderr and 0 at nothing, so that no stray print can get between frames and no child process
/// can eat input. Output is made non-blocking without changing what others share: a pipe is opened anew, a socket is
/// written with a flag.
struct StandardStreams {
  enum OutputKind {
    case pipe
    case socket
    /// A terminal or a file: written to as it is.
    case other
  }

  let input: Int32
  let output: Int32
  let outputKind: OutputKind

  /// Whether the pipes have been made larger.
  private(set) var areWide = false

  /// Takes the streams over; nil where there are no descriptors left.
  static func claim() -> StandardStreams? {
    signal(SIGPIPE, SIG_IGN)
    // A log or a recording that has reached the longest allowed file (`ulimit -f`) is an error of that write.
    signal(SIGXFSZ, SIG_IGN)
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      // A closed standard stream would be the next file opened. Fill the hole.
      _ = open("/dev/null", O_RDWR)
    }
    let input = fcntl(0, F_DUPFD_CLOEXEC, 3)
    var output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard input >= 0, output >= 0 else { return nil }
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if null >= 0 {
      dup2(null, 0)
      close(null)
    }
    dup2(2, 1)

    var status = stat()
    var kind = OutputKind.other
    if fstat(output, &status) == 0 {
      let type = status.st_mode & S_IFMT
      kind = type == S_IFIFO ? .pipe : type == S_IFSOCK ? .socket : .other
    }
    if kind == .pipe { output = nonBlockingPipe(output) }
    return StandardStreams(input: input, output: output, outputKind: kind)
  }

  /// The same pipe behind a description of its own, whose flags are nobody else's business.
  private static func nonBlockingPipe(_ descriptor: Int32) -> Int32 {
    #if os(Linux)
      let reopened = csystem_reopen(descriptor, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if reopened >= 0 {
        close(descriptor)
        return reopened
      }
    #endif
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    return descriptor
  }

  /// Gives the pipes room for large pages; the system may refuse, and then they stay as they are.
  mutating func widen() {
    guard !areWide else { return }
    areWide = true
    csystem_pipe_size(input, 1 << 20)
    if outputKind == .pipe { csystem_pipe_size(output, 1 << 20) }
  }

  /// Writes as much as goes at once; the count, or a negative errno.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    while true {
      let count =
        outputKind == .socket
        ? send(output, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
        : writeToDescriptor(output, bytes)
      if count >= 0 { return count }
      if errno != EINTR { return -Int(errno) }
    }
  }

  /// Writes as much of several pieces, one after the other, as goes at once; the count, or a negative errno.
  func write(_ pieces: [iovec]) -> Int {
    while true {
      let count: Int
      if outputKind == .socket {
        count = pieces.withUnsafeBufferPointer { buffer in
          var message = msghdr()
          message.msg_iov = UnsafeMutablePointer(mutating: buffer.baseAddress)
          message.msg_iovlen = .init(buffer.count)
          return sendmsg(output, &message, Int32(MSG_DONTWAIT))
        }
      } else {
        count = writev(output, pieces, Int32(pieces.count))
      }
      if count >= 0 { return count }
      if errno != EINTR { return -Int(errno) }
    }
  }
}

/// The system's `write`, which a method of that name hides.
private func writeToDescriptor(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
