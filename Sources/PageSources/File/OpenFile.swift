#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open regular file; the descriptor is closed with the last reference.
///
/// Only positioned reads, never a mapping: a file that is cut while it is mapped kills the process.
final class OpenFile: Sendable {
  private let descriptor: Int32
  /// What names the file on this machine as long as it lives.
  let node: FileNode
  /// Its size in bytes when it was opened.
  ///
  /// Files made up by the kernel say 0 and have bytes all the same.
  let size: Int

  private init(descriptor: Int32, node: FileNode, size: Int) {
    self.descriptor = descriptor
    self.node = node
    self.size = size
  }

  deinit {
    _ = close(descriptor)
  }

  /// Opens the file at an absolute path, and nothing but a regular file.
  ///
  /// The path is looked at before it is opened, because opening alone wakes the writer of a FIFO and may move a device;
  /// and after it again, because it may have changed between. Opening never waits.
  ///
  /// A policy is asked twice: about the path, so that nothing outside is even looked at, and about the descriptor, which no
  /// link that is changed in between can lead elsewhere.
  static func open(_ path: [UInt8], policy: SourcePolicy = .unrestricted) throws(FileFault) -> OpenFile {
    if policy.root != nil {
      guard let resolved = ResolvedPath.of(path), policy.allows(resolved) else { throw .outsideOfRoot }
    }
    _ = try node(path)
    let terminated = path.map { CChar(bitPattern: $0) } + [0]
    var descriptor: Int32 = -1
    repeat {
      descriptor = openReadOnly(terminated)
    } while descriptor < 0 && errno == EINTR
    if descriptor < 0 { throw FileFault(errno: errno) }
    // From here on the object owns the descriptor, so that every way out closes it.
    var facts = stat()
    let opened = fstat(descriptor, &facts)
    let failure = errno
    let file = OpenFile(
      descriptor: descriptor,
      node: FileNode(facts),
      size: Int(truncatingIfNeeded: facts.st_size))
    if opened != 0 { throw FileFault(errno: failure) }
    if policy.root != nil {
      guard let place = ResolvedPath.of(descriptor: descriptor), policy.allows(place) else { throw .outsideOfRoot }
    }
    try requireRegular(facts)
    return file
  }

  /// The same file with its size as it is now, whatever its name leads to by now.
  func lookedAtAgain() throws(FileFault) -> OpenFile {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    if copy < 0 { throw FileFault(errno: errno) }
    var facts = stat()
    let looked = fstat(copy, &facts)
    let failure = errno
    let file = OpenFile(descriptor: copy, node: FileNode(facts), size: Int(truncatingIfNeeded: facts.st_size))
    if looked != 0 { throw FileFault(errno: failure) }
    return file
  }

  /// What the absolute path leads to, which must be a regular file.
  ///
  /// Nothing is opened.
  static func node(_ path: [UInt8]) throws(FileFault) -> FileNode {
    let terminated = path.map { CChar(bitPattern: $0) } + [0]
    var facts = stat()
    while stat(terminated, &facts) != 0 {
      if errno != EINTR { throw FileFault(errno: errno) }
    }
    try requireRegular(facts)
    return FileNode(facts)
  }

  /// Reads at `offset` until `target` is full or the file ends; returns how many bytes there were.
  func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFault) -> Int {
    guard let base = target.baseAddress else { return 0 }
    var done = 0
    while done < target.count {
      let (position, overflow) = offset.addingReportingOverflow(done)
      guard offset >= 0, !overflow, let place = off_t(exactly: position) else { break }
      let count = pread(descriptor, base + done, target.count - done, place)
      if count > 0 {
        done += count
      } else if count == 0 {
        break
      } else if errno != EINTR {
        throw FileFault(errno: errno)
      }
    }
    return done
  }

  /// The bytes in `[offset, offset + count)`, fewer where the file ends before.
  func bytes(at offset: Int, count: Int) throws(FileFault) -> [UInt8] {
    var outcome = Result<Int, FileFault>.success(0)
    // Not cleared first, which takes a twentieth of a count: only what was read belongs to the array.
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, initializedCount in
      outcome = Result { () throws(FileFault) in try read(into: UnsafeMutableRawBufferPointer(target), at: offset) }
      initializedCount = (try? outcome.get()) ?? 0
    }
    _ = try outcome.get()
    return bytes
  }

  private static func openReadOnly(_ path: [CChar]) -> Int32 {
    #if canImport(Glibc)
      Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    #else
      Darwin.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    #endif
  }

  private static func requireRegular(_ facts: stat) throws(FileFault) {
    switch facts.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw FileFault(reason: "it is a directory")
    case S_IFIFO: throw FileFault(reason: "it is a FIFO, which cannot be read at a place")
    case S_IFSOCK: throw FileFault(reason: "it is a socket")
    case S_IFCHR, S_IFBLK: throw FileFault(reason: "it is a device")
    default: throw FileFault(reason: "it is no regular file")
    }
  }
}

/// Device and inode: the name that the system itself has for a file.
///
/// It is used again once the file is gone.
struct FileNode: Sendable, Equatable {
  var device: UInt64
  var inode: UInt64

  /// The name that a look at the file gave.
  init(_ facts: stat) {
    device = UInt64(truncatingIfNeeded: facts.st_dev)
    inode = UInt64(truncatingIfNeeded: facts.st_ino)
  }
}
