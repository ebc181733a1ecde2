/// The header lines of a response.
struct HTTPHeaders: Sendable, Equatable {
  private(set) var fields: [(name: String, value: [UInt8])] = []

  /// Reads the lines of the last response in `text`; informational ones that came before are dropped.
  init(_ text: [UInt8]) {
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if line.starts(with: Array("HTTP/".utf8)) {
        fields = []
        continue
      }
      if let first = line.first, first == 0x20 || first == 0x09, !fields.isEmpty {
        // A folded line goes on with the one before it.
        fields[fields.count - 1].value += [0x20] + Self.trimmed(line)
        continue
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      fields.append((name, Self.trimmed(line[(colon + 1)...])))
    }
  }

  /// The value of the first header of this name, which is given in lower case.
  func first(_ name: String) -> [UInt8]? { fields.first { $0.name == name }?.value }

  /// The values of all headers of this name, which is given in lower case.
  func all(_ name: String) -> [[UInt8]] { fields.filter { $0.name == name }.map(\.value) }

  static func == (left: Self, right: Self) -> Bool {
    left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return Array(text[first...last])
  }
}
