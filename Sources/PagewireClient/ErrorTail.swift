/// The end of what a server has written to its standard error.
struct ErrorTail {
  private var bytes: [UInt8] = []
  private static let maxBytes = 4096

  /// Reads what is there without waiting and keeps the last of it; false where nothing more can come.
  mutating func read(_ descriptor: Int32) -> Bool {
    var chunk = [UInt8](repeating: 0, count: Self.maxBytes)
    // A server that writes without end should not keep its client here.
    for _ in 0..<64 {
      switch chunk.withUnsafeMutableBytes({ readOnce(descriptor, into: $0) }) {
      case .moved(let count):
        bytes += chunk[..<count]
        if bytes.count > Self.maxBytes { bytes.removeSubrange(..<(bytes.count - Self.maxBytes)) }
      case .wouldBlock, .interrupted: return true
      case .closed, .failed: return false
      }
    }
    return true
  }

  /// The last line that is not blank; nil where there is none.
  var lastLine: String? {
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
    let last = lines.last { line in line.contains { $0 > 0x20 } }
    return last.map { String(decoding: $0, as: UTF8.self) }
  }
}
