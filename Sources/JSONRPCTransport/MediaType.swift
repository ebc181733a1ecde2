import JSONText

/// The one thing that is read from a `Content-Type`: whether the body is UTF-8.
enum MediaType {
  /// Whether the value names no charset, or `utf-8`, or the name `utf8` that some clients send; any media type will do.
  static func isUTF8(_ bytes: Span<UInt8>, _ value: JSONSlice) -> Bool {
    var i = value.start
    while i < value.end {
      // Parameters follow semicolons; one inside quotes is part of a value.
      let parameter = i
      var isQuoted = false
      while i < value.end, isQuoted || bytes[i] != UInt8(ascii: ";") {
        if bytes[i] == UInt8(ascii: "\"") { isQuoted.toggle() }
        i &+= 1
      }
      if !names(bytes, JSONSlice(start: parameter, end: i)) { return false }
      i &+= 1
    }
    return true
  }

  /// False only for a parameter that names a charset other than UTF-8.
  private static func names(_ bytes: Span<UInt8>, _ parameter: JSONSlice) -> Bool {
    var equals = parameter.start
    while equals < parameter.end, bytes[equals] != UInt8(ascii: "=") { equals &+= 1 }
    guard equals < parameter.end else { return true }
    let name = HeaderLine.trimmed(bytes, JSONSlice(start: parameter.start, end: equals))
    guard HeaderLine.equals(bytes, name, "charset") else { return true }
    var charset = HeaderLine.trimmed(bytes, JSONSlice(start: equals &+ 1, end: parameter.end))
    if charset.count >= 2, bytes[charset.start] == UInt8(ascii: "\""), bytes[charset.end &- 1] == UInt8(ascii: "\"") {
      charset = JSONSlice(start: charset.start &+ 1, end: charset.end &- 1)
    }
    return HeaderLine.equals(bytes, charset, "utf-8") || HeaderLine.equals(bytes, charset, "utf8")
  }
}
