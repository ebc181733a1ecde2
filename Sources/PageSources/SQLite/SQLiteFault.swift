/// A failure that SQLite reported.
struct SQLiteFault {
  /// SQLite's primary result code.
  var code: Int32
  /// SQLite's words.
  var reason: String
  /// Whether a statement was being compiled, so that its text, the table or a column is at fault.
  var isCompiling = false

  static let busy: Int32 = 5
  static let locked: Int32 = 6
  static let readOnly: Int32 = 8
  static let interrupted: Int32 = 9
  static let corrupt: Int32 = 11
  static let cannotOpen: Int32 = 14
  static let tooBig: Int32 = 18
  static let noDatabase: Int32 = 26

  /// Whether the connection is of no use any more.
  var isFatal: Bool {
    switch code {
    case Self.busy, Self.locked, Self.tooBig: false
    default: !isCompiling
    }
  }

  /// The failure in words; `path` is the database's.
  func error(path: [UInt8], busyTimeoutMs: Int) -> SourceError {
    let shown = FilePages.shown(path)
    let details: [SourceError.Detail] = [.bytes("path", path), .string("reason", reason)]
    switch code {
    case Self.busy, Self.locked:
      return SourceError(
        .loadFailed,
        "\(shown) was locked by another program for \(busyTimeoutMs) ms. Load again, or open it with a longer "
          + "busyTimeoutMs.", retryable: true, details: details)
    case Self.interrupted:
      return SourceError(.loadFailed, "The page of \(shown) was not wanted any more.", details: details)
    case Self.tooBig:
      return SourceError(
        .limitExceeded,
        "A row of \(shown) has more than \(SQLiteConnection.maximumRowBytes) bytes. Name the columns wanted in columns.",
        retryable: false, details: details)
    case Self.noDatabase:
      return SourceError(
        .sourceUnavailable, "\(shown) is no SQLite database: \(reason). Check the path.", retryable: false,
        details: details)
    case Self.readOnly:
      return SourceError(
        .sourceUnavailable,
        "\(shown) cannot be read without being written to: \(reason). A program that crashed has left it half written, "
          + "or it is in WAL mode in a folder that is read-only; open it once with a program that may write.",
        retryable: false, details: details)
    case Self.cannotOpen:
      return SourceError(
        .sourceUnavailable, "Cannot open \(shown): \(reason). Check the path and the permissions, then open it again.",
        details: details)
    case Self.corrupt:
      return SourceError(
        .loadFailed, "\(shown) is damaged: \(reason). Restore it, then refresh.", retryable: false, details: details)
    default:
      if isCompiling {
        return SourceError(
          .sourceUnavailable,
          "\(shown) cannot be asked for this: \(reason). Check the table, the columns and the query.",
          retryable: false, details: details)
      }
      // 1 is an error of the query itself, which comes again.
      return SourceError(
        .loadFailed, "Cannot read \(shown): \(reason). Load again.", retryable: code == 1 ? false : nil,
        details: details)
    }
  }
}
