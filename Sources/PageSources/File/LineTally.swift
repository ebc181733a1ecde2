import CSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How many lines and items were counted in a file, from its start to a byte.
struct LineTally: Sendable, Equatable {
  /// Up to where the file was read.
  var offset = 0
  /// Line feeds before it.
  var lines = 0
  /// Items among the lines that these end.
  var items = 0
  /// Whether what stands behind the last of them is an item, if nothing more is added.
  var hasRest = false

  /// Takes in the bytes that follow at `offset`.
  mutating func add(_ bytes: Span<UInt8>, skipsBlank: Bool) {
    if skipsBlank { addJSONLines(bytes) } else { addLines(bytes) }
    offset += bytes.count
  }

  private mutating func addLines(_ bytes: Span<UInt8>) {
    let found = Self.lineFeeds(in: bytes)
    lines += found
    items += found
    if !bytes.isEmpty { hasRest = bytes[bytes.count - 1] != 0x0A }
  }

  /// Lines of nothing but blanks are no items.
  private mutating func addJSONLines(_ bytes: Span<UInt8>) {
    var index = 0
    bytes.withUnsafeBytes { raw in
      guard let base = raw.baseAddress else { return }
      while index < raw.count {
        let feed = memchr(base + index, 0x0A, raw.count - index).map { UnsafeRawPointer($0) - base }
        let end = feed ?? raw.count
        while !hasRest, index < end {
          hasRest = raw[index] != 0x20 && raw[index] != 0x09 && raw[index] != 0x0D
          index += 1
        }
        guard feed != nil else { return }
        lines += 1
        if hasRest { items += 1 }
        hasRest = false
        index = end + 1
      }
    }
  }

  /// How many line feeds there are.
  static func lineFeeds(in bytes: Span<UInt8>) -> Int {
    bytes.withUnsafeBufferPointer { csystem_count_byte($0.baseAddress, $0.count, 0x0A) }
  }
}
