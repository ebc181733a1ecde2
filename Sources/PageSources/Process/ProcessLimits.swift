/// The bounds that running other programs keeps to.
enum ProcessLimits {
  /// How long a program that was asked to end may take, in milliseconds, before it is killed.
  static let graceMilliseconds = 2_000
  /// The same once the server itself ends.
  static let exitGraceMilliseconds = 500
  /// How many bytes are kept of the end of what a program says on its standard error.
  static let errorTailBytes = 4 << 10
  /// How many bytes of standard error are taken from one program at a time.
  static let errorReadBytes = 64 << 10
  /// How many reads in a row may be full before nothing is taken from that program for `errorPauseMilliseconds`.
  static let errorReads = 16
  /// How long nothing is taken from a program's standard error that never stops talking, in milliseconds.
  static let errorPauseMilliseconds = 10
  /// How long to wait for the end of the output, in milliseconds, once a program has ended: what it left running may
  /// hold its pipes for ever.
  static let lingerMilliseconds = 1_000
  /// How long a program that has closed its output may take to end, in milliseconds, before it is asked to.
  static let endMilliseconds = 5_000
}
