import JSONText

/// The cursor by which a source of counted items names the page before one: `{"before":20,"page":-1}`.
///
/// `before` is where that page ends. `page` only makes the cursors of two pages that end at one place differ.
struct BeforeCursor: Equatable {
  var before: Int
  var page: Int

  init(before: Int, page: Int) {
    self.before = before
    self.page = page
  }

  /// The cursor that `text` is, nil where it is no such cursor.
  init?(_ text: [UInt8]) {
    guard let members = CursorMembers(text), let before = members.integer("before") else { return nil }
    self.before = before
    page = members.integer("page") ?? 0
  }

  /// The cursor as a page gives it.
  var field: CursorField {
    var text: [UInt8] = []
    text.append(text: "{\"before\":")
    DecimalDigits.append(before, to: &text)
    text.append(text: ",\"page\":")
    DecimalDigits.append(page, to: &text)
    text.append(UInt8(ascii: "}"))
    return .value(text)
  }
}

/// The members of a cursor that is an object.
struct CursorMembers {
  let text: [UInt8]
  private(set) var members: [JSONMember] = []

  /// Nil where `text` is no JSON object.
  init?(_ text: [UInt8]) {
    self.text = text
    guard let value = try? JSONScanner().scanDocument(text.span, JSONSlice(start: 0, end: text.count)),
      (try? JSONScanner().scanObject(text.span, from: value.start, to: value.end, members: &members)) != nil
    else { return nil }
  }

  /// A member that is an integer of the protocol.
  func integer(_ name: StaticString) -> Int? {
    guard let value = JSONReader.value(text.span, of: members, named: name),
      let integer = JSONReader.integer(text.span, value), SourceObject.integers.contains(integer)
    else { return nil }
    return integer
  }
}

extension CursorMembers {
  /// A member that is a number.
  func number(_ name: StaticString) -> Double? {
    JSONReader.value(text.span, of: members, named: name).flatMap { JSONReader.number(text.span, $0) }
  }
}

extension SourceError {
  /// The error for a cursor that a source of this type never gave.
  static func foreignCursor(_ cursor: [UInt8], typeName: String) -> SourceError {
    let shown = String(decoding: cursor.prefix(200), as: UTF8.self)
    return SourceError(
      .loadFailed,
      "The cursor \(shown) is none of a source of type \"\(typeName)\". Refresh to start from the first page.",
      retryable: false)
  }
}
