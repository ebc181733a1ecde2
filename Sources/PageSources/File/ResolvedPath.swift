#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where paths really lead.
enum ResolvedPath {
  /// The path from the root on, as it is without symbolic links and without dots.
  ///
  /// Its last part need not be there; nil where its folder is not.
  static func of(_ path: [UInt8]) -> [UInt8]? {
    if let whole = real(path) { return whole }
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")), slash + 1 < path.count,
      let folder = real(slash == 0 ? [UInt8(ascii: "/")] : Array(path[..<slash]))
    else { return nil }
    let name = Array(path[(slash + 1)...])
    // A link whose target is missing would lead elsewhere once it is there.
    var facts = stat()
    if lstat(path.map { CChar(bitPattern: $0) } + [0], &facts) == 0 { return nil }
    return (folder.count == 1 ? folder : folder + [UInt8(ascii: "/")]) + name
  }

  /// Where an open descriptor's file really lies, which no renaming after a check can change; nil where nobody can say.
  static func of(descriptor: Int32) -> [UInt8]? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    #if os(Linux)
      let count = readlink("/proc/self/fd/\(descriptor)", &buffer, Int(PATH_MAX))
      guard count > 0 else { return nil }
      return buffer[..<count].map { UInt8(bitPattern: $0) }
    #else
      guard fcntl(descriptor, F_GETPATH, &buffer) == 0 else { return nil }
      return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    #endif
  }

  private static func real(_ path: [UInt8]) -> [UInt8]? {
    guard let found = realpath(path.map { CChar(bitPattern: $0) } + [0], nil) else { return nil }
    defer { free(found) }
    return Array(UnsafeBufferPointer(start: found, count: strlen(found))).map { UInt8(bitPattern: $0) }
  }
}
