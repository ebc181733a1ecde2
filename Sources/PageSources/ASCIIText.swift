extension [UInt8] {
  /// Appends ASCII text.
  @inline(__always)
  mutating func append(text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }
}
