import CBenchSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Small files, read and written whole.
enum Files {
  /// The bytes of a file; none where it cannot be read.
  static func bytes(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count <= 0 { return all }
      all += chunk[..<count]
    }
  }

  /// The lines of a small file.
  static func lines(_ path: String) -> [String] {
    String(decoding: bytes(path), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The size of a file in bytes, 0 where there is none.
  static func size(_ path: String) -> Int {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Writes a text file.
  static func write(_ path: String, text: String) throws {
    let block = Array(text.utf8)
    try write(path, block: block, size: block.count)
  }

  /// Makes a folder, unless there is one.
  static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o777) == 0 || errno == EEXIST, access(path, W_OK) == 0 else {
      throw Misbehaviour(program: path, what: "is no folder that can be written to: errno \(errno)")
    }
  }

  /// Copies a program.
  static func copyProgram(_ path: String, to copy: String) throws {
    let program = bytes(path)
    try write(copy, block: program, size: program.count)
    guard chmod(copy, 0o700) == 0 else {
      throw Misbehaviour(program: copy, what: "cannot be made executable: errno \(errno)")
    }
  }

  /// Nanoseconds that it takes to read a file in pieces of 64 KiB, on the CPU of the programs under measurement.
  static func timeReading(_ path: String, on bench: Setting) throws -> Double {
    bench_pin(bench.serverCPU)
    defer { bench_pin(bench.clientCPU) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Misbehaviour(program: path, what: "cannot be opened: errno \(errno)") }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let begin = bench_now()
    while read(descriptor, &buffer, buffer.count) > 0 {}
    return Double(bench_now() - begin)
  }

  /// Writes `block` over what a file has at an offset.
  static func overwrite(_ path: String, at offset: Int, _ block: [UInt8]) throws {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Misbehaviour(program: path, what: "cannot be opened: errno \(errno)") }
    defer { close(descriptor) }
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0, writeAll(descriptor, block) else {
      throw Misbehaviour(program: path, what: "cannot be written: errno \(errno)")
    }
  }

  /// Writes `block` as often as it takes to reach `size`, whole blocks only, and then sets the length to `length` (the rest is
  /// a hole) if one is given.
  static func write(_ path: String, block: [UInt8], size: Int, length: Int? = nil) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Misbehaviour(program: path, what: "cannot be created: errno \(errno)") }
    defer { close(descriptor) }
    var written = 0
    while written < size {
      guard writeAll(descriptor, block) else {
        throw Misbehaviour(program: path, what: "cannot be written: errno \(errno)")
      }
      written += block.count
    }
    if let length, ftruncate(descriptor, off_t(length)) != 0 {
      throw Misbehaviour(program: path, what: "cannot be set to \(length) bytes: errno \(errno)")
    }
  }
}

/// Writes to standard error.
func complain(_ text: String) {
  _ = writeAll(2, Array((text + "\n").utf8))
}

/// Writes all of several pieces, in one call as far as that goes; false (with errno) where that fails.
func writeAll(_ descriptor: Int32, _ pieces: [[UInt8]]) -> Bool {
  var parts: [iovec] = []
  func withParts(from index: Int) -> Int {
    if index == pieces.count { return writev(descriptor, parts, Int32(parts.count)) }
    return pieces[index].withUnsafeBytes { piece in
      parts.append(iovec(iov_base: UnsafeMutableRawPointer(mutating: piece.baseAddress), iov_len: piece.count))
      return withParts(from: index + 1)
    }
  }
  var written = withParts(from: 0)
  if written < 0 {
    guard errno == EINTR && !Watch.expired else { return false }
    written = 0
  }
  for piece in pieces {
    if written < piece.count, !writeAll(descriptor, piece[written...]) { return false }
    written = max(0, written - piece.count)
  }
  return true
}

/// Writes all of `bytes`; false (with errno) where that fails.
func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool { writeAll(descriptor, bytes[...]) }

/// Writes all of `bytes`; false (with errno) where that fails.
func writeAll(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
  bytes.withUnsafeBytes { buffer in
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR && !Watch.expired { continue }
        return false
      }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
