/// The bounds that reading a file keeps to.
struct FileLimits: Sendable, Equatable {
  /// Milliseconds without anything new after which a followed file that has left its place is done with, as many as that may
  /// take in all, and those between two looks.
  static let leftQuietMs = 1_000
  static let leftPatienceMs = 5_000
  static let leftLookMs = 100

  /// A line's text beyond this many bytes is cut (`lines`).
  var lineBytes = 1 << 20
  /// A record beyond this many bytes fails its page (`jsonl`, `json`): half a JSON value is none.
  var recordBytes = 16 << 20
  /// A record beyond this many bytes fails its page (`csv`, `tsv`): one quote too many would take in the rest of the file.
  var rowBytes = 1 << 20
  /// A page's items take at most this many bytes, unless its only item takes more.
  var pageBytes = PageBuilder.maximumPageBytes
  /// How many bytes are looked through for a page's first item before an empty page is given.
  var scanBytes = 256 << 20
  /// How many bytes are read at first.
  var firstReadBytes = 32 << 10
  /// How many bytes are read at a time after that: a page of a thousand lines takes about as many, and reading more than it
  /// needs costs as much as a tenth of it.
  var readBytes = 128 << 10
}
