#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of our own under `TMPDIR`, removed with the files in it.
struct TemporaryFolder {
  let path: String

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/pagewire-bench.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Misbehaviour(program: parent, what: "no folder can be made there: errno \(errno)")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes the folder and all in it.
  func remove() { TemporaryFolder.remove(path) }

  private static func remove(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name == "." || name == ".." { continue }
        // What is no folder, a link to one included, goes away so; a folder does not.
        if unlink(path + "/" + name) != 0 { remove(path + "/" + name) }
      }
      closedir(folder)
    }
    rmdir(path)
  }
}
