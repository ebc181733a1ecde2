#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The program that this is a part of.
enum OwnProgram {
  /// The folder in which its file lies, without symbolic links; nil where the system does not say.
  static let folder: [UInt8]? = {
    guard let path = realpath(link, nil) else { return nil }
    defer { free(path) }
    let bytes = (0..<strlen(path)).map { UInt8(bitPattern: path[$0]) }
    return bytes.lastIndex(of: UInt8(ascii: "/")).map { Array(bytes[..<$0]) }
  }()

  #if canImport(Darwin)
    private static var link: String { CommandLine.arguments.first ?? "" }
  #else
    private static var link: String { "/proc/self/exe" }
  #endif
}
