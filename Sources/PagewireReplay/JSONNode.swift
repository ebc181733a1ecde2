import JSONText

/// A value of a transcript or a message with its exact text.
struct JSONNode {
  /// The text that the value is part of.
  let bytes: [UInt8]
  let slice: JSONSlice

  /// Reads a text that holds one JSON value; nil where it does not.
  init?(parsing bytes: [UInt8]) {
    let whole = JSONSlice(start: 0, end: bytes.count)
    guard let slice = try? JSONScanner(maxDepth: 1_000_000).scanDocument(bytes.span, whole) else { return nil }
    self.bytes = bytes
    self.slice = slice
  }

  init(_ bytes: [UInt8], _ slice: JSONSlice) {
    self.bytes = bytes
    self.slice = slice
  }

  /// The exact text.
  var raw: [UInt8] { Array(bytes[slice.range]) }
  var text: String { String(decoding: bytes[slice.range], as: UTF8.self) }
  var kind: JSONKind? { JSONReader.kind(bytes.span, slice) }
  /// The characters of a string; nil where it is none.
  var string: String? { JSONReader.string(bytes.span, slice) }
  var stringBytes: [UInt8]? { JSONReader.stringBytes(bytes.span, slice) }
  var integer: Int? { JSONReader.integer(bytes.span, slice) }

  /// The members of an object, the last of each name; empty where it is none.
  var members: [(name: String, value: JSONNode)] {
    guard kind == .object else { return [] }
    var found: [JSONMember] = []
    let scanner = JSONScanner(maxDepth: Int.max)
    guard (try? scanner.scanObject(bytes.span, from: slice.start, to: slice.end, members: &found)) != nil else {
      return []
    }
    var result: [(name: String, value: JSONNode)] = []
    for member in found {
      let name = JSONReader.string(bytes.span, content: member.key)
      result.removeAll { $0.name == name }
      result.append((name, JSONNode(bytes, member.value)))
    }
    return result
  }

  /// The elements of an array; empty where it is none.
  var elements: [JSONNode] {
    guard kind == .array else { return [] }
    var found: [JSONElement] = []
    let scanner = JSONScanner(maxDepth: Int.max)
    guard (try? scanner.scanArray(bytes.span, from: slice.start, to: slice.end, elements: &found)) != nil else {
      return []
    }
    return found.map { JSONNode(bytes, $0.value) }
  }

  /// The member of an object with this name.
  subscript(name: String) -> JSONNode? { members.last { $0.name == name }?.value }

  /// The same value with another text in the place of a part of it.
  func replacing(_ part: JSONNode, by text: [UInt8]) -> JSONNode {
    let whole = Array(bytes[slice.start..<part.slice.start]) + text + Array(bytes[part.slice.end..<slice.end])
    return JSONNode(parsing: whole) ?? self
  }

  /// The text as a report shows it.
  var shown: String { Self.shorten(text) }

  static func shorten(_ text: String) -> String {
    text.utf8.count <= 1_500
      ? text : "\(text.prefix(1_000)) … (\(text.utf8.count) bytes) … \(text.suffix(300))"
  }
}

/// What came is not what the transcript expects; the text tells both.
struct Difference: Error {
  let report: String

  init(_ report: String) { self.report = report }

  init(at path: String, _ why: String, expected: JSONNode, got: JSONNode) {
    report = "\(path.isEmpty ? "/" : path): \(why)\n    expected \(expected.shown)\n    got      \(got.shown)"
  }
}
