#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Finds the file that a program's name means.
enum ProgramSearch {
  private static let slash = UInt8(ascii: "/")
  /// Where programs are where no `PATH` says so.
  private static let usualPath = Array("/usr/local/bin:/usr/bin:/bin".utf8)

  /// The file to execute for a name: one with a slash is a path, relative to `directory`; any other is looked for in the
  /// `PATH` of `environment`.
  static func find(
    _ name: [UInt8], in environment: Environment, from directory: [UInt8]?
  ) throws(SourceError) -> [UInt8] {
    if name.contains(slash) {
      let isRelative = name.first != slash
      let place = isRelative ? (directory ?? [UInt8(ascii: ".")]) + [slash] + name : name
      if let reason = reasonAgainst(place) { throw unavailable(name, reason) }
      return name
    }
    let path = environment.value(of: Array("PATH".utf8)) ?? usualPath
    var reason: String?
    for folder in folders(path) {
      // The program is started from another directory, where the same relative path would lead elsewhere.
      guard let file = absolute(folder + [slash] + name) else { continue }
      guard let against = reasonAgainst(file) else { return file }
      if access(terminated(file), F_OK) == 0 { reason = reason ?? against }
    }
    throw unavailable(name, reason ?? "there is no such program on PATH")
  }

  /// The file for a name in a folder, nil where there is none that can be executed.
  static func find(_ name: [UInt8], inFolder folder: [UInt8]) -> [UInt8]? {
    let file = folder + [slash] + name
    return reasonAgainst(file) == nil ? file : nil
  }

  private static func folders(_ path: [UInt8]) -> [[UInt8]] {
    path.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { $0.isEmpty ? [UInt8(ascii: ".")] : Array($0) }
  }

  private static func absolute(_ path: [UInt8]) -> [UInt8]? {
    if path.first == slash { return path }
    guard let directory = getcwd(nil, 0) else { return nil }
    defer { free(directory) }
    return (0..<strlen(directory)).map { UInt8(bitPattern: directory[$0]) } + [slash] + path
  }

  /// Why a file cannot be executed, nil where nothing speaks against it.
  private static func reasonAgainst(_ file: [UInt8]) -> String? {
    var facts = stat()
    let path = terminated(file)
    if stat(path, &facts) != 0 { return FileFault(errno: errno).reason }
    if facts.st_mode & S_IFMT == S_IFDIR { return "it is a directory" }
    if access(path, X_OK) != 0 { return FileFault(errno: errno).reason }
    return nil
  }

  private static func terminated(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }

  private static func unavailable(_ name: [UInt8], _ reason: String) -> SourceError {
    let shown = SourceObject.shown(String(decoding: name, as: UTF8.self))
    return SourceError(
      .sourceUnavailable, "Cannot run \"\(shown)\": \(reason). Check argv, then open it again.",
      details: [.string("program", shown), .string("reason", reason)])
  }
}
