import JSONText

/// What names a page of a `sqlite` source.
///
/// As JSON `{"after":["i:7","t:name",null]}`: each value with its type, as text, so that no reader of JSON can alter it.
/// `equal` is added where it is not 1 after a place and 0 before one. Where rows are counted, `{"after":40}`.
enum SQLiteCursor: Sendable, Equatable {
  case start
  case after(SQLitePlace)
  case before(SQLitePlace)
  case afterCount(Int)
  case beforeCount(Int)

  /// The cursor that `text` is; nil where it is none of this form.
  init?(_ text: [UInt8]) {
    var members: [JSONMember] = []
    guard let value = try? JSONScanner().scanDocument(text.span, JSONSlice(start: 0, end: text.count)),
      (try? JSONScanner().scanObject(text.span, from: value.start, to: value.end, members: &members)) != nil
    else { return nil }
    let after = JSONReader.value(text.span, of: members, named: "after")
    let before = JSONReader.value(text.span, of: members, named: "before")
    guard let place = after ?? before, (after == nil) != (before == nil) else { return nil }
    if let count = JSONReader.integer(text.span, place) {
      guard SourceObject.counts.contains(count) else { return nil }
      self = after == nil ? .beforeCount(count) : .afterCount(count)
      return
    }
    guard let values = Self.values(text, place) else { return nil }
    var equal = after == nil ? 0 : 1
    if let given = JSONReader.value(text.span, of: members, named: "equal") {
      guard let count = JSONReader.integer(text.span, given), SourceObject.counts.contains(count) else { return nil }
      equal = count
    }
    let found = SQLitePlace(values: values, equal: equal)
    self = after == nil ? .before(found) : .after(found)
  }

  /// The cursor as a page gives it.
  var field: CursorField {
    var json = JSONWriter()
    json.beginObject()
    switch self {
    case .start: return .absent
    case .after(let place): Self.write("after", place, usual: 1, &json)
    case .before(let place): Self.write("before", place, usual: 0, &json)
    case .afterCount(let count): json.member("after", count)
    case .beforeCount(let count): json.member("before", count)
    }
    json.endObject()
    return .value(json.bytes)
  }

  private static func write(_ name: StaticString, _ place: SQLitePlace, usual: Int, _ json: inout JSONWriter) {
    json.key(name)
    json.beginArray()
    for value in place.values {
      switch value {
      case .null: json.null()
      case .integer(let integer): json.string("i:\(integer)")
      case .real(let real): json.string("r:\(real)")
      case .text(let text):
        // Text that is not UTF-8 would be altered in a JSON string, so it is told by its bytes.
        var tagged = Array("t:".utf8)
        if JSONStringEncoder.append(text.span, to: &tagged) {
          json.string(utf8: (Array("t:".utf8) + text).span)
        } else {
          tagged = Array("x:".utf8)
          Base64.append(text.span, to: &tagged)
          json.string(utf8: tagged.span)
        }
      case .blob(let blob):
        var tagged = Array("b:".utf8)
        Base64.append(blob.span, to: &tagged)
        json.string(utf8: tagged.span)
      }
    }
    json.endArray()
    if place.equal != usual { json.member("equal", place.equal) }
  }

  private static func values(_ text: [UInt8], _ slice: JSONSlice) -> [SQLiteValue]? {
    var elements: [JSONElement] = []
    guard (try? JSONScanner().scanArray(text.span, from: slice.start, to: slice.end, elements: &elements)) != nil else {
      return nil
    }
    var values: [SQLiteValue] = []
    for element in elements {
      guard let value = value(text, element.value) else { return nil }
      values.append(value)
    }
    return values
  }

  private static func value(_ text: [UInt8], _ slice: JSONSlice) -> SQLiteValue? {
    if JSONReader.isNull(text.span, slice) { return .null }
    guard let tagged = JSONReader.stringBytes(text.span, slice), tagged.count >= 2, tagged[1] == UInt8(ascii: ":")
    else {
      return nil
    }
    let content = tagged[2...]
    switch tagged[0] {
    case UInt8(ascii: "i"): return Int(String(decoding: content, as: UTF8.self)).map { .integer($0) }
    case UInt8(ascii: "r"):
      // SQLite has no NaN and would take one for NULL, behind which there is nothing.
      return Double(String(decoding: content, as: UTF8.self)).flatMap { $0.isNaN ? nil : .real($0) }
    case UInt8(ascii: "t"): return .text(Array(content))
    case UInt8(ascii: "x"): return Base64.decode(content).map { .text($0) }
    case UInt8(ascii: "b"): return Base64.decode(content).map { .blob($0) }
    default: return nil
    }
  }
}
