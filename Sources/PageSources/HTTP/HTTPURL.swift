/// An http or https URL, cut into the parts that matter here; resolves references as RFC 3986 says.
///
/// Its text is passed on as it stands. Only what may not be in a URL at all is percent-encoded, and what is encoded already is
/// never encoded again. Hosts are held to plain names and addresses, so that this and any other reader see the same origin.
struct HTTPURL: Sendable, Equatable {
  /// Why a text is no URL that may be asked.
  enum Fault: Error, Equatable {
    case noHTTP
    case userInfo
    case badHost
    case badPort

    /// The end of a sentence that begins with "it".
    var reason: String {
      switch self {
      case .noHTTP: "is no http or https URL"
      case .userInfo: "has a user name or password, which belong into a header"
      case .badHost: "has no plain host name or address"
      case .badPort: "has no port from 1 to 65535"
      }
    }
  }

  /// `http` or `https`.
  let scheme: String
  /// In lower case; an IPv6 address with its brackets.
  let host: String
  /// Nil where it is the scheme's own.
  let port: Int?
  /// Begins with a slash.
  var path: [UInt8]
  /// Without the question mark; nil where there is none.
  var query: [UInt8]?

  /// The URL that an absolute text is; a fragment is dropped.
  init(_ text: [UInt8]) throws(Fault) {
    try self.init(encoded: Self.encoded(text)[...])
  }

  /// The URL that `reference` means on a page that came from `base`.
  init(_ reference: [UInt8], relativeTo base: HTTPURL) throws(Fault) {
    let text = Self.encoded(Self.trimmed(reference))[...]
    if Self.hasScheme(text) {
      try self.init(encoded: text)
      return
    }
    if text.starts(with: Array("//".utf8)) {
      try self.init(encoded: Array("\(base.scheme):".utf8)[...] + text)
      return
    }
    self = base
    let (rest, query) = Self.split(Self.split(text, at: UInt8(ascii: "#")).0, at: UInt8(ascii: "?"))
    if rest.isEmpty {
      if let query { self.query = Array(query) }
      return
    }
    self.query = query.map { Array($0) }
    if rest.first == UInt8(ascii: "/") {
      path = Self.withoutDots(rest)
    } else {
      let folder = base.path.lastIndex(of: UInt8(ascii: "/")).map { base.path[...$0] } ?? []
      path = Self.withoutDots(folder + rest)
    }
  }

  private init(encoded text: ArraySlice<UInt8>) throws(Fault) {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { throw .noHTTP }
    let scheme = Self.lowercased(text[..<colon])
    var rest = text[(colon + 1)...]
    guard scheme == "http" || scheme == "https", rest.starts(with: Array("//".utf8)) else { throw .noHTTP }
    rest = rest.dropFirst(2)
    let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? rest.endIndex
    let authority = rest[..<end]
    if authority.contains(UInt8(ascii: "@")) { throw .userInfo }
    self.scheme = scheme
    let (host, port) = try Self.hostAndPort(authority)
    self.host = host
    self.port = port == (scheme == "http" ? 80 : 443) ? nil : port
    let (path, query) = Self.split(Self.split(rest[end...], at: UInt8(ascii: "#")).0, at: UInt8(ascii: "?"))
    self.path = path.isEmpty ? [UInt8(ascii: "/")] : Self.withoutDots(path)
    self.query = query.map { Array($0) }
  }

  /// Scheme, host and port: who gets what is sent.
  var origin: String { "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "") }

  /// What may be shown of it, unless its path has secrets: a query can hold some.
  var shown: String { origin + String(decoding: path, as: UTF8.self) }

  /// The whole text, always ASCII.
  var text: [UInt8] {
    var text = Array(origin.utf8) + path
    if let query {
      text.append(UInt8(ascii: "?"))
      text.append(contentsOf: query)
    }
    return text
  }

  // MARK: Query

  /// Sets a parameter: those of this name go, and the new one is the last.
  mutating func setQuery(_ name: [UInt8], to value: [UInt8]) {
    let kept = query.map { $0.split(separator: UInt8(ascii: "&")).filter { Self.name(of: $0) != name } } ?? []
    query = Array(kept.joined(separator: [UInt8(ascii: "&")]))
    addQuery(name, value)
  }

  /// The number that the last parameter of a name has; nil where there is none, or it has no number.
  func number(of name: [UInt8]) -> Int? {
    guard let part = query?.split(separator: UInt8(ascii: "&")).last(where: { Self.name(of: $0) == name }) else {
      return nil
    }
    return Self.split(part, at: UInt8(ascii: "=")).1.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
  }

  /// Adds a parameter behind the others.
  mutating func addQuery(_ name: [UInt8], _ value: [UInt8]) {
    var text = query ?? []
    if !text.isEmpty { text.append(UInt8(ascii: "&")) }
    text += Self.escaped(name)
    text.append(UInt8(ascii: "="))
    text += Self.escaped(value)
    query = text
  }

  /// The decoded name of a part `name=value` of a query.
  private static func name(of part: ArraySlice<UInt8>) -> [UInt8] {
    let raw = Array(split(part, at: UInt8(ascii: "=")).0)
    var name: [UInt8] = []
    var index = 0
    while index < raw.count {
      if raw[index] == UInt8(ascii: "%"), index + 2 < raw.count, let high = hex(raw[index + 1]),
        let low = hex(raw[index + 2])
      {
        name.append(high << 4 | low)
        index += 3
      } else {
        name.append(raw[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : raw[index])
        index += 1
      }
    }
    return name
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// A text as it is put into a URL: everything outside of the unreserved characters is encoded, since servers disagree on
  /// what the others mean.
  ///
  /// With arguments it is as others write the same: with a sign for a blank, or some characters as they are.
  static func escaped(
    _ value: [UInt8], keeping kept: [UInt8] = [], blank: UInt8? = nil, hexadecimal: StaticString = hexadecimalDigits
  ) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(value.count)
    for byte in value {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: text.append(byte)
      case _ where kept.contains(byte): text.append(byte)
      case 0x20: if let blank { text.append(blank) } else { appendPercent(byte, hexadecimal, to: &text) }
      default: appendPercent(byte, hexadecimal, to: &text)
      }
    }
    return text
  }

  private static let hexadecimalDigits: StaticString = "0123456789ABCDEF"

  private static func appendPercent(
    _ byte: UInt8, _ hexadecimal: StaticString = hexadecimalDigits, to text: inout [UInt8]
  ) {
    let digits = hexadecimal.withUTF8Buffer { Array($0) }
    text.append(UInt8(ascii: "%"))
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }

  // MARK: Parts

  /// The text with what no URL may hold encoded: blanks, controls, quotes, braces, bytes beyond ASCII.
  private static func encoded(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for byte in text {
      switch byte {
      case 0...0x20, 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D, 0x7F...: appendPercent(byte, to: &result)
      default: result.append(byte)
      }
    }
    return result
  }

  private static func trimmed(_ text: [UInt8]) -> [UInt8] {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return Array(text[first...last])
  }

  private static func hasScheme(_ text: ArraySlice<UInt8>) -> Bool {
    for (index, byte) in text.enumerated() {
      switch byte {
      case 0x41...0x5A, 0x61...0x7A: continue
      case 0x30...0x39, 0x2B, 0x2D, 0x2E: if index == 0 { return false }
      case 0x3A: return index > 0
      default: return false
      }
    }
    return false
  }

  private static func hostAndPort(_ authority: ArraySlice<UInt8>) throws(Fault) -> (String, Int?) {
    var host = authority
    var port: ArraySlice<UInt8>?
    let isAddress = authority.first == UInt8(ascii: "[")
    if isAddress {
      guard let close = authority.firstIndex(of: UInt8(ascii: "]")) else { throw .badHost }
      host = authority[...close]
      let rest = authority[(close + 1)...]
      if !rest.isEmpty {
        guard rest.first == UInt8(ascii: ":") else { throw .badHost }
        port = rest.dropFirst()
      }
      let inner = host.dropFirst().dropLast()
      guard !inner.isEmpty, inner.allSatisfy({ $0 == 0x3A || $0 == 0x2E || Self.hex($0) != nil }) else {
        throw .badHost
      }
    } else {
      (host, port) = split(authority, at: UInt8(ascii: ":"))
      guard !host.isEmpty, host.allSatisfy(Self.isHostByte) else { throw .badHost }
    }
    guard let port, !port.isEmpty else { return (lowercased(host), nil) }
    guard port.count <= 5, let number = Int(String(decoding: port, as: UTF8.self)), (1...65535).contains(number),
      port.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw .badPort }
    return (lowercased(host), number)
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }

  private static func lowercased(_ text: ArraySlice<UInt8>) -> String {
    String(decoding: text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  private static func split(_ text: ArraySlice<UInt8>, at byte: UInt8) -> (ArraySlice<UInt8>, ArraySlice<UInt8>?) {
    guard let index = text.firstIndex(of: byte) else { return (text, nil) }
    return (text[..<index], text[(index + 1)...])
  }

  /// The path without its segments `.` and `..`, as RFC 3986 section 5.2.4 removes them.
  private static func withoutDots(_ path: ArraySlice<UInt8>) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    var kept: [ArraySlice<UInt8>] = []
    let segments = path.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      if segment.elementsEqual([0x2E]) {
        if isLast { kept.append([]) }
      } else if segment.elementsEqual([0x2E, 0x2E]) {
        _ = kept.popLast()
        if isLast { kept.append([]) }
      } else {
        kept.append(segment)
      }
    }
    return [slash] + kept.joined(separator: [slash])
  }
}
