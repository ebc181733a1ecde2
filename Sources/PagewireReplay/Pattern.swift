import JSONText

/// Compares what came with a pattern of a transcript, and remembers what the pattern captures.
///
/// Numbers are compared by their text and strings by their characters, as the transcript format says.
struct PatternMatcher {
  /// The exact texts that were captured, by name.
  var names: [String: [UInt8]] = [:]

  /// Whether a value fits; captures only if it does.
  mutating func fits(_ pattern: JSONNode, _ value: JSONNode) -> Bool {
    let before = names
    do {
      try match(pattern, value)
      return true
    } catch {
      names = before
      return false
    }
  }

  /// Throws the first difference between a value and the pattern that it must fit.
  mutating func match(_ pattern: JSONNode, _ value: JSONNode, at path: String = "") throws(Difference) {
    let wanted = pattern.members
    if wanted.contains(where: { $0.name.hasPrefix("$") }) {
      for (name, operand) in wanted { try matchWildcard(name, operand, pattern, value, at: path) }
      return
    }
    guard pattern.kind == value.kind else { throw differ("another kind of value") }
    switch pattern.kind {
    case .object: try matchMembers(wanted, of: pattern, value, isPartial: false, at: path)
    case .array: try matchElements(pattern, value, at: path)
    case .string: if pattern.stringBytes != value.stringBytes { throw differ("another value") }
    default: if pattern.raw != value.raw { throw differ("another value") }
    }

    func differ(_ why: String) -> Difference { Difference(at: path, why, expected: pattern, got: value) }
  }

  private mutating func matchMembers(
    _ wanted: [(name: String, value: JSONNode)], of pattern: JSONNode, _ value: JSONNode, isPartial: Bool,
    at path: String
  ) throws(Difference) {
    let got = value.members
    for (name, operand) in wanted {
      if let member = got.last(where: { $0.name == name })?.value {
        try match(operand, member, at: "\(path)/\(name)")
      } else if operand["$optional"] == nil {
        throw Difference(at: path, "no member \(name)", expected: pattern, got: value)
      }
    }
    if isPartial { return }
    for (name, _) in got where !wanted.contains(where: { $0.name == name }) {
      throw Difference(at: path, "unexpected member \(name)", expected: pattern, got: value)
    }
  }

  private mutating func matchElements(
    _ pattern: JSONNode, _ value: JSONNode, at path: String
  ) throws(Difference) {
    let wanted = pattern.elements
    let got = value.elements
    for (index, (operand, element)) in zip(wanted, got).enumerated() {
      try match(operand, element, at: "\(path)/\(index)")
    }
    if wanted.count != got.count {
      throw Difference(at: path, "\(got.count) elements, not \(wanted.count)", expected: pattern, got: value)
    }
  }

  private mutating func matchWildcard(
    _ name: String, _ operand: JSONNode, _ pattern: JSONNode, _ value: JSONNode, at path: String
  ) throws(Difference) {
    var why: String?
    switch name {
    case "$any", "$example": break
    case "$type": if !Self.isKind(operand.string ?? "", value) { why = "another kind of value" }
    case "$capture": names[operand.string ?? ""] = value.raw
    case "$ref":
      let captured = names[operand.string ?? ""]
      if captured != value.raw {
        why = "\(operand.string ?? "") was \(captured.map { String(decoding: $0, as: UTF8.self) } ?? "never captured")"
      }
    case "$raw": if operand.stringBytes != value.raw { why = "other text" }
    case "$contains":
      if value.string.map({ Self.contains($0, operand.string ?? "") }) != true { why = "text not found in it" }
    case "$partial":
      guard value.kind == .object else { throw Difference(at: path, "no object", expected: pattern, got: value) }
      try matchMembers(operand.members, of: pattern, value, isPartial: true, at: path)
    case "$optional": try match(operand, value, at: path)
    case "$unordered": why = matchUnordered(operand.elements, value)
    default: why = "the transcript has an unknown wildcard \(name)"
    }
    if let why { throw Difference(at: path, why, expected: pattern, got: value) }
  }

  private mutating func matchUnordered(_ wanted: [JSONNode], _ value: JSONNode) -> String? {
    var rest = value.elements
    if value.kind != .array { return "no array" }
    for operand in wanted {
      guard let index = rest.firstIndex(where: { fits(operand, $0) }) else {
        return "nothing like \(operand.shown) in it"
      }
      rest.remove(at: index)
    }
    return rest.isEmpty ? nil : "too many elements"
  }

  private static func isKind(_ name: String, _ value: JSONNode) -> Bool {
    switch name {
    case "object": value.kind == .object
    case "array": value.kind == .array
    case "string": value.kind == .string
    case "number": value.kind == .number
    case "integer":
      value.kind == .number && !value.raw.contains { $0 == 0x2E || $0 == 0x65 || $0 == 0x45 }
    case "boolean": value.text == "true" || value.text == "false"
    case "null": value.text == "null"
    default: false
    }
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    let text = Array(text.utf8)
    let part = Array(part.utf8)
    if part.isEmpty { return true }
    return text.indices.contains { text[$0...].starts(with: part) }
  }

  // MARK: Sending

  /// The exact text of a message to send, each `{"$ref": name}` in it replaced by what was captured under that name.
  func filled(_ message: JSONNode) throws(Difference) -> [UInt8] {
    let members = message.members
    if members.count == 1, members[0].name == "$ref" {
      guard let captured = names[members[0].value.string ?? ""] else {
        throw Difference("nothing was captured under the name \(members[0].value.text)")
      }
      return captured
    }
    var text: [UInt8] = []
    var offset = message.slice.start
    let parts = (members.map(\.value) + message.elements).sorted { $0.slice.start < $1.slice.start }
    for part in parts {
      text += message.bytes[offset..<part.slice.start]
      text += try filled(part)
      offset = part.slice.end
    }
    text += message.bytes[offset..<message.slice.end]
    return text
  }

  /// The value that a player sends for a pattern: a wildcard as its example, or as the plainest value of its kind.
  func example(of pattern: JSONNode) throws(Difference) -> [UInt8] {
    let members = pattern.members
    if members.contains(where: { $0.name.hasPrefix("$") }) { return try wildcardExample(members) }
    switch pattern.kind {
    case .object:
      var parts: [[UInt8]] = []
      for (name, value) in members where value["$optional"] == nil {
        var key = JSONWriter()
        key.string(name)
        parts.append(key.bytes + [UInt8(ascii: ":")] + (try example(of: value)))
      }
      return [UInt8(ascii: "{")] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    case .array:
      var parts: [[UInt8]] = []
      for element in pattern.elements { parts.append(try example(of: element)) }
      return [UInt8(ascii: "[")] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    default: return pattern.raw
    }
  }

  private func wildcardExample(_ members: [(name: String, value: JSONNode)]) throws(Difference) -> [UInt8] {
    func operand(_ name: String) -> JSONNode? { members.last { $0.name == name }?.value }
    if let value = operand("$example") { return value.raw }
    if let value = operand("$raw") { return value.stringBytes ?? [] }
    if let value = operand("$ref") { return names[value.string ?? ""] ?? Array("null".utf8) }
    if let value = operand("$partial") { return try example(of: value) }
    if let value = operand("$unordered") { return try example(of: value) }
    if let value = operand("$contains") { return value.raw }
    switch operand("$type")?.string {
    case "integer", "number": return Array("0".utf8)
    case "string": return Array("\"\"".utf8)
    case "boolean": return Array("false".utf8)
    case "object": return Array("{}".utf8)
    case "array": return Array("[]".utf8)
    default: return Array("null".utf8)
    }
  }
}
