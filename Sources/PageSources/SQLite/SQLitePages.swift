import JSONText
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads the pages of one source, a page at a time.
final class SQLitePages: Sendable {
  /// An open database, how its rows are paged, and which file it was when it was opened.
  private struct Open {
    var connection: SQLiteConnection
    var shape: SQLiteShape
    var node: FileNode
  }

  /// A database's file.
  struct Place {
    var path: [UInt8]
    var node: FileNode
  }

  /// More rows than this are never asked for at once; a page ends with its size long before.
  private static let maximumRows = 1 << 40

  let settings: SQLiteSettings
  /// The absolute path.
  let path: [UInt8]
  private let library: SQLiteLibrary
  private let open = Mutex<Open?>(nil)
  /// The shape of the open database, apart from it, since the loop must not wait for a page that is being read.
  private let known = Mutex<SQLiteShape?>(nil)

  /// The pages of the database at an absolute path.
  init(_ settings: SQLiteSettings, path: [UInt8], library: SQLiteLibrary) {
    self.settings = settings
    self.path = path
    self.library = library
  }

  /// How rows are paged; nil before the first page was read.
  var shape: SQLiteShape? { known.withLock { $0 } }

  /// The page that `request` asks for.
  ///
  /// May block, and waits for another page of the same source.
  func page(
    _ request: PageRequest, idPath: JSONPointer, cancellation: CancellationFlag
  ) -> Result<SourcePage, SourceError> {
    Result { () throws(SourceError) in
      var cursor = SQLiteCursor.start
      if let text = request.cursor {
        guard let found = SQLiteCursor(text) else { throw .foreignCursor(text, typeName: SQLiteSource.type.name) }
        cursor = found
      }
      do throws(SQLiteFailure) {
        return try open.withLock { (open) throws(SQLiteFailure) in
          try page(&open, at: cursor, request, idPath: idPath, cancellation: cancellation)
        }
      } catch {
        throw sourceError(error)
      }
    }
  }

  /// Closes the database now, if no page is being read; otherwise it goes with the last reference to this object.
  func close() { _ = open.withLockIfAvailable { $0 = nil } }

  private func page(
    _ open: inout sending Open?, at cursor: SQLiteCursor, _ request: PageRequest, idPath: JSONPointer,
    cancellation: CancellationFlag
  ) throws(SQLiteFailure) -> SourcePage {
    if cancellation.isCancelled { throw .fault(SQLiteFault(code: SQLiteFault.interrupted, reason: "interrupted")) }
    let place: Place
    do throws(SourceError) { place = try self.place() } catch { throw .source(error) }
    if let former = open, former.node != place.node {
      open = nil
      if cursor != .start {
        throw .source(
          SourceError(
            .sourceChanged,
            "\(FilePages.shown(path)) has changed since it was opened: another file has taken its place. Refresh to read "
              + "it from its start.", details: [.bytes("path", path)]))
      }
    }
    do throws(SQLiteFailure) {
      let current: Open
      if let former = open { current = former } else { current = try opened(place, cancellation) }
      open = current
      current.connection.watch.cancellation = cancellation
      let reading = SQLiteReading(
        connection: current.connection, shape: current.shape, limit: max(1, min(request.limit, Self.maximumRows)),
        idPath: idPath,
        isFirst: request.kind == .initial || request.kind == .refresh)
      guard reading.takes(cursor) else {
        throw .source(.foreignCursor(request.cursor ?? [], typeName: SQLiteSource.type.name))
      }
      return try reading.page(at: cursor)
    } catch {
      // Another try begins with another connection.
      if case .fault(let fault) = error, fault.isFatal { open = nil }
      throw error
    }
  }

  private func opened(_ place: Place, _ cancellation: CancellationFlag) throws(SQLiteFailure) -> Open {
    let connection = try SQLiteConnection(
      library, path: place.path, followsLinks: settings.policy.root == nil, busyTimeoutMs: settings.busyTimeoutMs,
      cancellation: cancellation)
    let shape = try SQLiteDescriber(connection: connection, settings: settings, path: path).shape()
    known.withLock { $0 = shape }
    return Open(connection: connection, shape: shape, node: place.node)
  }

  /// Where the path leads now; nothing is opened.
  ///
  /// Under a policy it is the path without links, and SQLite is told to follow none, so that no link that is changed
  /// meanwhile leads elsewhere.
  func place() throws(SourceError) -> Place {
    do throws(FileFault) {
      if settings.policy.root == nil { return Place(path: path, node: try OpenFile.node(path)) }
      guard let resolved = ResolvedPath.of(path), settings.policy.allows(resolved) else { throw .outsideOfRoot }
      return Place(path: resolved, node: try OpenFile.node(resolved))
    } catch {
      throw FilePages.unavailable(path, error)
    }
  }

  private func sourceError(_ failure: SQLiteFailure) -> SourceError {
    switch failure {
    case .source(let error): error
    case .fault(let fault): fault.error(path: path, busyTimeoutMs: settings.busyTimeoutMs)
    }
  }
}
