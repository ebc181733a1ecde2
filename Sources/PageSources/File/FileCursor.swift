import JSONText

/// The cursor of a file's page: `{"offset":1234}`, the byte where its first line starts.
struct FileCursor: Equatable {
  var offset: Int

  init(offset: Int) {
    self.offset = offset
  }

  /// The cursor that `text` is, nil where it is no such cursor.
  ///
  /// A plain integer is taken as well.
  init?(_ text: [UInt8]) {
    let offset =
      CursorMembers(text)?.integer("offset") ?? JSONReader.integer(text.span, JSONSlice(start: 0, end: text.count))
    guard let offset, SourceObject.counts.contains(offset) else { return nil }
    self.offset = offset
  }

  /// The cursor as a page gives it.
  var field: CursorField {
    var text: [UInt8] = []
    text.append(text: "{\"offset\":")
    DecimalDigits.append(offset, to: &text)
    text.append(UInt8(ascii: "}"))
    return .value(text)
  }
}
