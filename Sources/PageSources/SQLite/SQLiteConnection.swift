/// An open database, read-only; closed with the last reference.
///
/// Of one thread at a time.
final class SQLiteConnection {
  /// A value, and with it a row, may have this many bytes: what is larger fits into no frame.
  static let maximumRowBytes: Int32 = 64 << 20
  /// How much of a database is kept in memory, in KiB: there may be thousands of sessions, and the system keeps the file.
  static let cacheKiB = 1024

  let library: SQLiteLibrary
  /// What SQLite asks while it works.
  let watch: SQLiteWatch
  private let handle: OpaquePointer

  /// Opens the database at an absolute path.
  ///
  /// Opening reads nothing yet: what is no database shows with the first statement. Without `followsLinks` no part of the
  /// path may be a symbolic link.
  init(
    _ library: SQLiteLibrary, path: [UInt8], followsLinks: Bool, busyTimeoutMs: Int, cancellation: CancellationFlag
  ) throws(SQLiteFailure) {
    let readOnly: Int32 = 0x1
    let noMutex: Int32 = 0x8000
    let noFollow: Int32 = 0x0100_0000
    var opened: OpaquePointer?
    let name = path.map { CChar(bitPattern: $0) } + [0]
    let code = library.open(name, &opened, readOnly | noMutex | (followsLinks ? 0 : noFollow), nil)
    guard code == 0, let opened else {
      let reason = Self.reason(library, opened, code)
      _ = library.close(opened)
      throw .fault(SQLiteFault(code: code & 0xFF, reason: reason))
    }
    self.library = library
    handle = opened
    watch = SQLiteWatch(timeoutMs: busyTimeoutMs)
    watch.cancellation = cancellation
    _ = library.busyHandler(handle, SQLiteWatch.busy, watch.pointer)
    library.progressHandler(handle, SQLiteWatch.instructionsBetweenLooks, SQLiteWatch.progress, watch.pointer)
    _ = library.limit(handle, 0, Self.maximumRowBytes)
    _ = library.loadExtensions(handle, 0)
    // The views and defaults of a database are not trusted more than its rows.
    let pragmas = ["query_only=ON", "trusted_schema=OFF", "cache_size=-\(Self.cacheKiB)"]
    for pragma in pragmas { try run("PRAGMA " + pragma) }
  }

  deinit {
    // All statements are gone: each holds a reference to its connection.
    _ = library.close(handle)
  }

  /// Compiles a statement.
  func prepare(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
    guard let statement = try prepareFirst(of: sql).statement else {
      throw .fault(SQLiteFault(code: 1, reason: "there is no statement in it", isCompiling: true))
    }
    return statement
  }

  /// Compiles the first statement of `sql`, and says how many bytes of the text it takes; nil where there is none.
  func prepareFirst(of sql: String) throws(SQLiteFailure) -> (statement: SQLiteStatement?, length: Int) {
    var compiled: OpaquePointer?
    var length = 0
    var code: Int32 = 0
    var text = sql
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress, let count = Int32(exactly: characters.count) else { return }
        var tail: UnsafePointer<CChar>?
        code = library.prepare(handle, start, count, &compiled, &tail)
        length = tail.map { $0 - start } ?? 0
      }
    }
    if code != 0 { throw failure(code, isCompiling: true) }
    return (compiled.map { SQLiteStatement($0, of: self) }, length)
  }

  /// Runs a statement that gives no rows that anybody wants.
  func run(_ sql: String) throws(SQLiteFailure) {
    let statement = try prepare(sql)
    while try statement.step() {}
  }

  /// The failure that a call has just ended with.
  func failure(_ code: Int32, isCompiling: Bool = false) -> SQLiteFailure {
    .fault(
      SQLiteFault(
        code: code & 0xFF, reason: Self.reason(library, handle, code), isCompiling: isCompiling && code & 0xFF == 1))
  }

  /// The name of the collation that a table's column is compared by; nil where there is no such column.
  func collation(ofColumn column: String, table: String) -> String? {
    var name: UnsafePointer<CChar>?
    let code = library.columnMetadata(handle, "main", table, column, nil, &name, nil, nil, nil)
    return code == 0 ? name.map { String(cString: $0) } : nil
  }

  private static func reason(_ library: SQLiteLibrary, _ handle: OpaquePointer?, _ code: Int32) -> String {
    let text = handle == nil ? library.errorText(code) : library.errorMessage(handle)
    return text.map { SourceObject.shown(String(cString: $0)) } ?? "error \(code)"
  }
}
