import JSONText

/// The members of an object, read by name and kept as text.
struct JSONFields {
  private let bytes: [UInt8]
  private let members: [JSONMember]

  /// The members of an object in the text of a JSON value; nil where it is none.
  init?(_ text: String) { self.init(bytes: Array(text.utf8)) }

  /// The members of a message, whose bytes belong to somebody else.
  init(_ span: Span<UInt8>, _ members: [JSONMember]) {
    (bytes, self.members) = (span.withUnsafeBufferPointer { Array($0) }, members)
  }

  private init?(bytes: [UInt8]) {
    var members: [JSONMember] = []
    guard (try? JSONScanner().scanObject(bytes.span, from: 0, to: bytes.count, members: &members)) != nil else {
      return nil
    }
    (self.bytes, self.members) = (bytes, members)
  }

  private func slice(_ name: StaticString) -> JSONSlice? {
    JSONReader.value(bytes.span, of: members, named: name)
  }

  func string(_ name: StaticString) -> String? { slice(name).flatMap { JSONReader.string(bytes.span, $0) } }
  func integer(_ name: StaticString) -> Int? { slice(name).flatMap { JSONReader.integer(bytes.span, $0) } }
  func isTrue(_ name: StaticString) -> Bool { slice(name).flatMap { JSONReader.bool(bytes.span, $0) } ?? false }
  func object(_ name: StaticString) -> JSONFields? {
    slice(name).flatMap { JSONFields(bytes: JSONReader.raw(bytes.span, $0)) }
  }

  /// The texts of an array's elements; empty where there is none.
  func elements(_ name: StaticString) -> [String] {
    var elements: [JSONElement] = []
    guard let slice = slice(name),
      (try? JSONScanner().scanArray(bytes.span, from: slice.start, to: slice.end, elements: &elements)) != nil
    else { return [] }
    return elements.map { JSONReader.text(bytes.span, $0.value) }
  }
}
