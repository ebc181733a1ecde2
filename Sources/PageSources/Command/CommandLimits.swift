/// The bounds that the `command` source keeps to.
struct CommandLimits: Sendable, Equatable {
  /// The most bytes that one run may write for a page (`page`).
  var pageOutputBytes = 64 << 20
  /// How many bytes of a program's output are kept so that pages can be opened again (`stream`).
  var keptBytes = 256 << 20
  /// How many of these are in memory; the rest is in a temporary file.
  var memoryBytes = 2 << 20
  /// How many bytes are read for one page (`stream`): an item without an end must not be read for ever.
  var pageReadBytes = 128 << 20
  /// How long a page that has items waits for more, in milliseconds, where the program writes nothing (`stream`).
  var idleMilliseconds = 500
  /// How long a page that has items waits for more, in milliseconds, where the program writes slowly (`stream`).
  var pageMilliseconds = 2_000
  /// How much is read from the program at a time: what a pipe holds.
  var readBytes = 64 << 10
}
