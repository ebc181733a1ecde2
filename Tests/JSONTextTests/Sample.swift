import JSONText

/// A text with the scanner's answers about it as plain values, since the test macros cannot take spans.
struct Sample {
  let bytes: [UInt8]

  init(_ text: String) { bytes = Array(text.utf8) }
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var whole: JSONSlice { JSONSlice(start: 0, end: bytes.count) }

  func document(maxDepth: Int = 1000) throws(JSONSyntaxError) -> JSONSlice {
    try JSONScanner(maxDepth: maxDepth).scanDocument(bytes.span, whole)
  }

  /// What is wrong with the text; nil if nothing is.
  func error(maxDepth: Int = 1000) -> JSONSyntaxError? {
    do throws(JSONSyntaxError) {
      _ = try document(maxDepth: maxDepth)
      return nil
    } catch {
      return error
    }
  }

  func text(_ slice: JSONSlice) -> String { JSONReader.text(bytes.span, slice) }

  /// The members of the object that the text is, names decoded, values as they stand.
  func members() throws -> [[String]] {
    try memberSlices().map { [JSONReader.string(bytes.span, content: $0.key), text($0.value)] }
  }

  func memberSlices() throws -> [JSONMember] {
    let document = try document()
    var members: [JSONMember] = []
    let end = try JSONScanner().scanObject(bytes.span, from: document.start, to: document.end, members: &members)
    precondition(end == document.end, "the walk ends elsewhere than the scan")
    return members
  }

  /// The elements of the array that the text is, each with the text of its id.
  func elements() throws -> [[String]] {
    let document = try document()
    var elements: [JSONElement] = []
    let end = try JSONScanner().scanArray(bytes.span, from: document.start, to: document.end, elements: &elements)
    precondition(end == document.end, "the walk ends elsewhere than the scan")
    return elements.map { [text($0.value), text($0.id)] }
  }

  func value(_ name: StaticString) throws -> String? {
    JSONReader.value(bytes.span, of: try memberSlices(), named: name).map(text)
  }

  func resolve(_ pointer: JSONPointer) throws -> String? {
    pointer.resolve(in: bytes.span, try document()).map(text)
  }

  var kind: JSONKind? { JSONReader.kind(bytes.span, whole) }
  var integer: Int? { JSONReader.integer(bytes.span, whole) }
  var number: Double? { JSONReader.number(bytes.span, whole) }
  var bool: Bool? { JSONReader.bool(bytes.span, whole) }
  var string: String? { JSONReader.string(bytes.span, whole) }
  var stringBytes: [UInt8]? { JSONReader.stringBytes(bytes.span, whole) }
  var canonicalID: CanonicalID? { CanonicalID(bytes.span, whole) }

  func stringEquals(_ text: StaticString) -> Bool { JSONReader.stringEquals(bytes.span, whole, text) }
}
