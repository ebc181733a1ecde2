import CBenchSupport

/// Frames as bytes, and what little the benchmark reads in them.
enum Wire {
  /// One frame around `body`.
  static func frame(_ body: String) -> [UInt8] {
    Array("Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
  }

  /// A request; one whose id is nil is a notification.
  static func request(_ id: Int?, _ method: String, _ params: String = "{}") -> [UInt8] {
    let identity = id.map { "\"id\":\($0)," } ?? ""
    return frame("{\"jsonrpc\":\"2.0\",\(identity)\"method\":\"\(method)\",\"params\":\(params)}")
  }

  /// What language servers want to know too.
  static let initialize = request(
    1, "initialize",
    "{\"processId\":null,\"clientInfo\":{\"name\":\"pagewire-bench\",\"version\":\"1\"},\"rootUri\":null,\"capabilities\":{}}"
  )

  /// The first integer that follows `label`, for instance `"count":`.
  static func integer(_ bytes: ArraySlice<UInt8>, after label: String) -> Int? {
    guard var at = offset(of: label, in: bytes) else { return nil }
    at += label.utf8.count
    var value = 0
    var digits = 0
    let negative = at < bytes.endIndex && bytes[at] == UInt8(ascii: "-")
    if negative { at += 1 }
    while at < bytes.endIndex, digits < 18, case UInt8(ascii: "0")...UInt8(ascii: "9") = bytes[at] {
      value = value * 10 + Int(bytes[at] - UInt8(ascii: "0"))
      digits += 1
      at += 1
    }
    return digits == 0 ? nil : negative ? -value : value
  }

  /// The text from after `label` up to the next of the bytes in `end`.
  static func text(_ bytes: ArraySlice<UInt8>, after label: String, upTo end: [UInt8]) -> String? {
    guard let at = offset(of: label, in: bytes) else { return nil }
    let rest = bytes[(at + label.utf8.count)...]
    guard let stop = rest.firstIndex(where: { end.contains($0) }) else { return nil }
    return String(decoding: rest[..<stop], as: UTF8.self)
  }

  /// Where `text` first occurs.
  static func offset(of text: String, in bytes: ArraySlice<UInt8>) -> Int? {
    var text = text
    let found = text.withUTF8 { needle in
      bytes.withUnsafeBytes { bench_find($0.baseAddress, $0.count, needle.baseAddress, needle.count) }
    }
    return found < 0 ? nil : bytes.startIndex + found
  }
}

extension ArraySlice<UInt8> {
  /// Whether `text` occurs.
  func has(_ text: String) -> Bool { Wire.offset(of: text, in: self) != nil }

  /// The start of the bytes for messages, the whole where it is short.
  var shown: String { String(decoding: prefix(300), as: UTF8.self) }
}
