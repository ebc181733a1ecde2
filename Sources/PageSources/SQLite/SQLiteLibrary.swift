#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The functions of SQLite that this program calls, found in the shared library when a source first needs them.
///
/// Each has the name and the meaning of `sqlite3_NAME`. A database connection and a statement are opaque pointers.
struct SQLiteLibrary: Sendable {
  typealias Handle = OpaquePointer
  /// What SQLite calls back with the pointer that it was given.
  typealias Progress = @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Int32
  typealias Busy = @convention(c) @Sendable (UnsafeMutableRawPointer?, Int32) -> Int32
  typealias OnConnection = @convention(c) @Sendable (Handle?) -> Int32
  typealias OnStatement = @convention(c) @Sendable (Handle?) -> Int32
  typealias OfColumn = @convention(c) @Sendable (Handle?, Int32) -> Int32
  typealias Text = UnsafePointer<CChar>

  let open: @convention(c) @Sendable (Text?, UnsafeMutablePointer<Handle?>?, Int32, Text?) -> Int32
  let close: OnConnection
  let errorMessage: @convention(c) @Sendable (Handle?) -> Text?
  let errorText: @convention(c) @Sendable (Int32) -> Text?
  let busyHandler: @convention(c) @Sendable (Handle?, Busy?, UnsafeMutableRawPointer?) -> Int32
  let progressHandler: @convention(c) @Sendable (Handle?, Int32, Progress?, UnsafeMutableRawPointer?) -> Void
  let limit: @convention(c) @Sendable (Handle?, Int32, Int32) -> Int32
  let loadExtensions: @convention(c) @Sendable (Handle?, Int32) -> Int32
  let threadSafe: @convention(c) @Sendable () -> Int32
  let columnMetadata:
    @convention(c) @Sendable (
      Handle?, Text?, Text?, Text?, UnsafeMutablePointer<Text?>?, UnsafeMutablePointer<Text?>?,
      UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?
    ) -> Int32

  let prepare:
    @convention(c) @Sendable (
      Handle?, Text?, Int32, UnsafeMutablePointer<Handle?>?, UnsafeMutablePointer<Text?>?
    ) -> Int32
  let finalize: OnStatement
  let step: OnStatement
  let isReadOnly: OnStatement
  let parameterCount: OnStatement
  let parameterName: @convention(c) @Sendable (Handle?, Int32) -> Text?
  let bindInteger: @convention(c) @Sendable (Handle?, Int32, Int64) -> Int32
  let bindReal: @convention(c) @Sendable (Handle?, Int32, Double) -> Int32
  /// The last argument is a function pointer in C; only the constant -1 (`SQLITE_TRANSIENT`: copy it now) is passed.
  let bindText: @convention(c) @Sendable (Handle?, Int32, UnsafeRawPointer?, Int32, Int) -> Int32
  let bindBlob: @convention(c) @Sendable (Handle?, Int32, UnsafeRawPointer?, Int32, Int) -> Int32
  let bindNull: OfColumn
  let columnCount: OnStatement
  let columnName: @convention(c) @Sendable (Handle?, Int32) -> Text?
  let columnType: OfColumn
  let columnInteger: @convention(c) @Sendable (Handle?, Int32) -> Int64
  let columnReal: @convention(c) @Sendable (Handle?, Int32) -> Double
  let columnText: @convention(c) @Sendable (Handle?, Int32) -> UnsafePointer<UInt8>?
  let columnBlob: @convention(c) @Sendable (Handle?, Int32) -> UnsafeRawPointer?
  let columnByteCount: OfColumn

  /// The library of this process, opened once.
  static let shared = load()

  #if canImport(Darwin)
    private static let names = ["libsqlite3.dylib", "/usr/lib/libsqlite3.dylib"]
  #else
    private static let names = ["libsqlite3.so.0"]
  #endif

  /// Opens the first library that is there by one of `names`; it stays open as long as the process lives.
  static func load(_ names: [String] = names) -> Result<SQLiteLibrary, SourceError> {
    var reason = ""
    for name in names {
      if let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) {
        do throws(MissingSymbol) {
          let functions = try SQLiteLibrary(SQLiteSymbols(library))
          if functions.threadSafe() != 0 { return .success(functions) }
          reason = "\(name) was built for programs of one thread"
        } catch {
          reason = "\(name) has no function \(error.name)"
        }
      } else {
        reason = dlerror().map { String(cString: $0) } ?? "\(name) cannot be opened"
      }
    }
    return .failure(
      SourceError(
        .sourceUnavailable,
        "SQLite's library cannot be used: \(reason). Install the package that has it (libsqlite3-0 on Debian and "
          + "Ubuntu, sqlite-libs on Fedora), then open the source again.",
        retryable: false, details: [.string("package", "libsqlite3-0"), .string("reason", reason)]))
  }

  /// A function that the library lacks.
  struct MissingSymbol: Error {
    var name: String
  }

  private init(_ symbols: SQLiteSymbols) throws(MissingSymbol) {
    // The types are those of sqlite3.h, whose interface never changes within version 3.
    open = try symbols("open_v2")
    close = try symbols("close_v2")
    errorMessage = try symbols("errmsg")
    errorText = try symbols("errstr")
    busyHandler = try symbols("busy_handler")
    progressHandler = try symbols("progress_handler")
    limit = try symbols("limit")
    // Some systems build it without; then nothing can be loaded anyway.
    loadExtensions = (try? symbols("enable_load_extension")) ?? { _, _ in 0 }
    threadSafe = try symbols("threadsafe")
    columnMetadata = try symbols("table_column_metadata")
    prepare = try symbols("prepare_v2")
    finalize = try symbols("finalize")
    step = try symbols("step")
    isReadOnly = try symbols("stmt_readonly")
    parameterCount = try symbols("bind_parameter_count")
    parameterName = try symbols("bind_parameter_name")
    bindInteger = try symbols("bind_int64")
    bindReal = try symbols("bind_double")
    bindText = try symbols("bind_text")
    bindBlob = try symbols("bind_blob")
    bindNull = try symbols("bind_null")
    columnCount = try symbols("column_count")
    columnName = try symbols("column_name")
    columnType = try symbols("column_type")
    columnInteger = try symbols("column_int64")
    columnReal = try symbols("column_double")
    columnText = try symbols("column_text")
    columnBlob = try symbols("column_blob")
    columnByteCount = try symbols("column_bytes")
  }
}
