/// Why a page could not be read.
enum ReadFault: Error, Equatable {
  /// The file cannot be read.
  case file(FileFault)
  /// Nothing more came for a while from an input that has not ended.
  case idle
  /// Nobody wants the page any more.
  case cancelled
  /// What the file holds, or that it changed, is an error of its own.
  case source(SourceError)
}
