/// One entry of the factory: a name of `source.type`, and how a source of that type is made.
///
/// A new source is one file that has such an entry, and one line in `SourceFactory.types`.
struct SourceType: Sendable {
  /// The name, as in `source.type`.
  var name: String
  /// Makes the source from the members of the source object; checks all of them, and that it can be used at all.
  var open: @Sendable (SourceObject) throws(SourceOpenError) -> any PageSource
}
