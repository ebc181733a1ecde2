/// Why a page of a file could not be read.
enum ReadFault: Error, Equatable {
  /// The file cannot be read.
  case file(FileFault)
  /// Nobody wants the page any more.
  case cancelled
  /// What the file holds, or that it changed, is an error of its own.
  case source(SourceError)
}
