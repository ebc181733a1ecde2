#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A directory of its own for one test; removed with all in it when the value goes.
final class TemporaryDirectory {
  let path: String

  init() {
    var template = Array("/tmp/pagewire-sources-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
  }

  deinit {
    guard let directory = opendir(path) else { return }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      unlink("\(path)/\(name)")
      rmdir("\(path)/\(name)")
    }
    closedir(directory)
    rmdir(path)
  }

  /// The names of what is in it, in order.
  var names: [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ name: String, _ bytes: some Collection<UInt8>) -> String {
    let file = "\(path)/\(name)"
    put(Array(bytes), at: file, flags: O_WRONLY | O_CREAT | O_TRUNC)
    return file
  }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ name: String, _ text: String) -> String { write(name, text.utf8) }

  /// Appends to a file.
  func append(_ name: String, _ text: String) {
    put(Array(text.utf8), at: "\(path)/\(name)", flags: O_WRONLY | O_APPEND)
  }

  /// Writes `text` at a place of a file that may lie behind its end.
  func write(_ name: String, _ text: String, at offset: Int) {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT, 0o600)
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
    close(descriptor)
  }

  private func put(_ bytes: [UInt8], at file: String, flags: Int32) {
    let descriptor = open(file, flags, 0o600)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done) }
      if count <= 0 { break }
      done += count
    }
    close(descriptor)
  }
}

/// The system's `write`, under a name that no method hides.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
