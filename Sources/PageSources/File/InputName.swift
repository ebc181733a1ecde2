/// How messages speak of what is read.
struct InputName: Sendable {
  /// What is read, as a part of a sentence: a path, or `the output of "x"`.
  var shown: String
  /// What somebody may mend or open otherwise: `file`, `program`.
  var noun: String
  /// What goes into `data` of every error.
  var details: [SourceError.Detail]

  /// The name of a file.
  static func file(_ path: [UInt8]) -> InputName {
    InputName(shown: FilePages.shown(path), noun: "file", details: [.bytes("path", path)])
  }

  /// What to do about text that is not what its format says.
  var remedy: String { "Mend the \(noun) and refresh, or open it with the format \"lines\"." }
}
