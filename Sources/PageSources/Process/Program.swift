/// What a child process is started with; nothing in it goes through a shell.
struct Program: Sendable, Hashable {
  /// The file that is executed; relative to `directory` unless it starts with a slash.
  var path: [UInt8]
  /// The arguments, the first being the program's own name.
  var arguments: [[UInt8]]
  /// The environment, each entry as `NAME=value`.
  var environment: [[UInt8]]
  /// The directory that it runs in; nil for ours.
  var directory: [UInt8]?
  /// What asks it to end.
  var stopSignal = StopSignal.term

  /// The name under which people know it: its first argument.
  var name: String { SourceObject.shown(String(decoding: arguments.first ?? path, as: UTF8.self)) }
}
