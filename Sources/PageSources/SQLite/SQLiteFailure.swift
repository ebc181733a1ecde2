/// Why something could not be done with a database, before it is put into words for a request.
enum SQLiteFailure: Error {
  /// SQLite says so.
  case fault(SQLiteFault)
  /// It is in words already.
  case source(SourceError)
}

extension SourceError {
  /// The error for a database that does not have what the source names.
  static func unpageable(_ path: [UInt8], _ what: String, _ details: [Detail] = []) -> SourceError {
    SourceError(
      .sourceUnavailable, "\(FilePages.shown(path)) cannot be paged: \(what). Correct the source and open it again.",
      retryable: false, details: [.bytes("path", path)] + details)
  }
}
