import PageSources

/// A source that was opened for a session.
struct OpenedSource {
  let source: any PageSource
  /// The JSON text that describes it in `state`.
  let text: [UInt8]
  /// Tells it from others, in other processes too.
  let digest: UInt64
}
