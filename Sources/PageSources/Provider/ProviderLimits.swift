/// The bounds that talking to providers keeps to.
enum ProviderLimits {
  /// How often a provider may end by itself within `crashWindowMilliseconds` before it is not started again.
  static let maximumCrashes = 5
  /// Over how long crashes count, in milliseconds.
  static let crashWindowMilliseconds = 180_000
  /// The most bytes that wait for a provider that does not read.
  static let maximumQueuedBytes = 16 << 20
  /// How often its output is read before it is looked whether there is something to send.
  static let readsInARow = 64
  /// How long an answer is still waited for, in milliseconds, once something came that is no message.
  static let garbagePatienceMilliseconds = 1_000
  /// How long the exit status of a provider that has closed its output is waited for, in milliseconds.
  static let statusMilliseconds = 1_000
}
