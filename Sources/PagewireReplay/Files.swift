import CSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The few things that playing needs of the file system.
enum Files {
  static func lastError() -> String { String(cString: strerror(errno)) }

  /// The whole of a file; nil where it cannot be read, with errno set.
  static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
      #else
        let count = Darwin.read(descriptor, &buffer, buffer.count)
      #endif
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        return nil
      }
      bytes += buffer[..<count]
    }
  }

  /// Writes a file; false where that fails.
  static func write(_ path: String, _ bytes: [UInt8], appending: Bool = false) -> Bool {
    let mode = appending ? O_APPEND : O_TRUNC
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0o644)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return csystem_write_all(descriptor, bytes, bytes.count) == 0
  }

  /// The names in a folder; nil where the path is none.
  static func list(_ path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Makes an empty folder for one run; nil where that fails.
  static func makeTemporaryFolder() -> String? {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/pagewire-replay-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a folder and what lies in it.
  static func removeFolder(_ path: String) {
    for name in list(path) ?? [] {
      let child = "\(path)/\(name)"
      if unlink(child) != 0 { removeFolder(child) }
    }
    rmdir(path)
  }
}
