import JSONText

/// The end of what a program has said on its standard error.
struct ErrorTail: Sendable, Equatable {
  /// The last bytes, at most twice as many as are shown.
  private var bytes: [UInt8] = []
  /// Whether more came before.
  private(set) var isCut = false

  /// Takes in what was read.
  mutating func append(_ new: UnsafeRawBufferPointer) {
    let limit = ProcessLimits.errorTailBytes
    bytes.append(contentsOf: new.suffix(limit))
    if new.count > limit { isCut = true }
    if bytes.count > 2 * limit {
      bytes.removeFirst(bytes.count - limit)
      isCut = true
    }
  }

  /// The last bytes, without white space at their end and without a character that is cut at their start.
  var text: [UInt8] {
    var text = bytes.suffix(ProcessLimits.errorTailBytes)
    if isCut || text.count < bytes.count {
      while let first = text.first, first & 0xC0 == 0x80 { text.removeFirst() }
    }
    while let last = text.last, last <= 0x20 { text.removeLast() }
    return Array(text)
  }

  /// The last line, cut to what fits into a message; empty where nothing was said.
  var lastLine: String {
    let text = text
    let start = text.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let line = String(decoding: text[start...], as: UTF8.self)
    let shown = String.UnicodeScalarView(line.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 })
    return SourceObject.shown(String(shown))
  }

  /// The end of a message that shows the last line: `: No such file`, or nothing.
  var ending: String { lastLine.isEmpty ? "" : ": \(lastLine)" }

  /// What goes into an error's `data`.
  var details: [SourceError.Detail] {
    let text = text
    return text.isEmpty ? [] : [.bytes("stderr", text)]
  }
}
