/// Takes a program's standard error apart into lines for the log.
struct ErrorLines: Sendable {
  /// A line beyond this many bytes is cut.
  static let maximumLineBytes = 1_000

  private let name: String
  private var line: [UInt8] = []

  /// Lines that go to the log under a name.
  init(name: String) { self.name = name }

  /// Takes in what was read, and logs the lines that are whole.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      if byte == 0x0A {
        finish()
      } else if line.count < Self.maximumLineBytes {
        // What would move a terminal's cursor is no text.
        line.append(byte < 0x20 || byte == 0x7F ? 0x20 : byte)
      }
    }
  }

  /// Logs what is there of a line.
  mutating func finish() {
    while line.last == 0x20 { line.removeLast() }
    if line.isEmpty { return }
    let text = String(decoding: line, as: UTF8.self)
    line.removeAll(keepingCapacity: true)
    SourceLog.write(.warning, "\(name): \(text)")
  }
}
