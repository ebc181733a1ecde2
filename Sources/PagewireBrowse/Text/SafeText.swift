/// The text in quotes, safe to be shown on one line.
func quoted(_ text: String) -> String {
  "\"" + oneLine(text) + "\""
}

/// The text as one line without anything that a terminal would obey.
func oneLine(_ text: String) -> String {
  var safe: [UInt8] = []
  // Lines of messages are not cut: a terminal wraps them.
  _ = LineCutter(width: Int.max / 4).append(Array(text.utf8).span, to: &safe)
  return String(decoding: safe, as: UTF8.self)
}

/// Upper-case hexadecimal with at least so many digits.
func hexadecimal(_ value: UInt32, digits: Int) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
