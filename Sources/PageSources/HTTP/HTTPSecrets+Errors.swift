// Whatever a server sends back of a secret, and wherever: no error shows it.
extension HTTPSecrets {
  /// Notes what stands behind a value's first word: `Bearer` is no secret, and a server may send back the rest alone.
  mutating func addBehindFirstWord(of value: [UInt8]) {
    guard let blank = value.firstIndex(of: UInt8(ascii: " ")), value.count - blank > 8 else { return }
    add(Array(value[(blank + 1)...]))
  }

  /// The error as it may be shown: without them, and without the details that hold one.
  func hidden(_ error: SourceError) -> SourceError {
    var error = error
    error.details.removeAll { areIn($0.json) }
    if areIn(Array(error.message.utf8)) { error.message = hidden(error.message) }
    if areIn(Array(error.message.utf8)) {
      error.message = "The answer repeats what was sent as a secret, so nothing of it is shown."
    }
    return error
  }
}
