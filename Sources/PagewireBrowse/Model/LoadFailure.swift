/// A load that failed: for good, or until the next try.
struct LoadFailure: Equatable {
  var message: String
  var attempt: Int
  /// Milliseconds until the next try; nil where none follows by itself.
  var retryInMs: Int?
}
