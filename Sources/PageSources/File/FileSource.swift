import CSystem
import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The `file` source: the lines or JSON values of a regular file, of any size.
///
/// A page's cursor is the byte offset where it starts, so any page costs what the page holds. Nothing stays open between
/// pages: each opens the path anew, which also shows when another file has taken its place.
final class FileSource: PageSource {
  /// The entry in the factory.
  static let type = SourceType(name: "file") { (object) throws(SourceOpenError) in
    let settings = try FileSettings(object)
    do throws(SourceError) {
      return try FileSource(settings)
    } catch {
      throw .source(error)
    }
  }

  private let pages: FilePages
  /// The last generation whose first page was asked for, and whether its count is still to be begun.
  private var counted = 0
  private var isUncounted = false

  /// A source for a file that can be opened now.
  init(_ settings: FileSettings, limits: FileLimits = FileLimits()) throws(SourceError) {
    let path = try Self.absolutePath(settings.path)
    if settings.isCompressed, let problem = csystem_inflate_problem() {
      throw SourceError(
        .sourceUnavailable,
        "Compressed files need zlib, which could not be opened (\(String(cString: problem))). Install the package zlib1g.",
        retryable: false, details: [.string("package", "zlib1g")])
    }
    pages = FilePages(settings, path: path, limits: limits)
    do {
      _ = try OpenFile.open(path, policy: settings.policy)
    } catch {
      throw FilePages.unavailable(path, error)
    }
  }

  var typeName: String { Self.type.name }

  func plan(_ request: PageRequest, idPath: JSONPointer) -> FetchPlan {
    if pages.settings.countsTotal, request.kind == .initial || request.kind == .refresh, request.generation > counted {
      counted = request.generation
      isUncounted = true
    }
    return .blocking { [pages] cancellation in pages.page(request, idPath: idPath, cancellation: cancellation) }
  }

  var followedPath: [UInt8]? { pages.settings.isFollowed ? pages.path : nil }

  func workBehind() -> (@Sendable (CancellationFlag) -> Result<SourcePage, SourceError>)? {
    guard isUncounted else { return nil }
    isUncounted = false
    return { [pages] cancellation in pages.count(cancellation) }
  }

  var progress: SourceProgress? {
    var looksThrough = pages.settings.countsTotal
    if case .line(let number) = pages.settings.from, number > 1 { looksThrough = true }
    return looksThrough ? pages.progress : nil
  }

  func facts(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("type", typeName)
    let path = pages.path
    writer.key("path")
    writer.string(utf8: path.span)
    writer.member("format", pages.settings.format.rawValue)
    if pages.settings.isFollowed { writer.member("follow", true) }
    writer.endObject()
  }

  func close() { pages.close() }

  /// The path from the root on; a relative one is resolved now, once.
  static func absolutePath(_ path: [UInt8]) throws(SourceError) -> [UInt8] {
    if path.isEmpty { throw FilePages.unavailable(path, FileFault(reason: "the path is empty")) }
    if path.contains(0) { throw FilePages.unavailable(path, FileFault(reason: "the path holds a NUL character")) }
    if path.first == UInt8(ascii: "/") { return path }
    guard let directory = getcwd(nil, 0) else { throw FilePages.unavailable(path, FileFault(errno: errno)) }
    defer { free(directory) }
    var absolute = (0..<strlen(directory)).map { UInt8(bitPattern: directory[$0]) }
    if absolute.last != UInt8(ascii: "/") { absolute.append(UInt8(ascii: "/")) }
    absolute.append(contentsOf: path)
    return absolute
  }
}
