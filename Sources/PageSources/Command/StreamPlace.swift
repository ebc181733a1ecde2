import JSONText

/// Where in a program's output a page starts: `{"run":"k3f","offset":120}`, in JSON also `"in":"array"`.
///
/// `run` names the run of the program: no other one's output has the same bytes at the same place for certain.
struct StreamPlace: Sendable, Equatable {
  var run: String
  /// In bytes.
  var offset: Int
  /// Whether an element of an array ends there, so that more of them may follow (`json`).
  var isInArray = false

  init(run: String, offset: Int, isInArray: Bool = false) {
    self.run = run
    self.offset = offset
    self.isInArray = isInArray
  }

  /// The place that `cursor` names, nil where it is none.
  init?(_ cursor: [UInt8]) {
    guard let members = CursorMembers(cursor), let run = members.string("run"), let offset = members.integer("offset"),
      offset >= 0
    else { return nil }
    self.init(run: run, offset: offset, isInArray: members.string("in") == "array")
  }

  /// The place as a page's cursor.
  var field: CursorField {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("run", run)
    writer.member("offset", offset)
    if isInArray { writer.member("in", "array") }
    writer.endObject()
    return .value(writer.bytes)
  }
}

extension CursorMembers {
  /// A member that is a string.
  func string(_ name: StaticString) -> String? {
    JSONReader.value(text.span, of: members, named: name).flatMap { JSONReader.string(text.span, $0) }
  }
}
