import JSONText

/// A value that was checked.
struct ScannedItem: Equatable {
  /// Its text.
  var value: JSONSlice
  /// The value found by the id path, empty where there is none; nil where it was not looked for yet.
  var id: JSONSlice?

  /// Copies the item from `bytes` into a page; returns false where it does not fit any more.
  func append(from bytes: Span<UInt8>, to builder: inout PageBuilder, key: Int) -> Bool {
    let start = builder.openItem()
    bytes.extracting(value.range).withUnsafeBufferPointer { builder.bytes.append(contentsOf: $0) }
    guard let id else { return builder.closeItem(from: start, key: key) }
    return builder.closeItem(from: start, id: id.isEmpty ? .none : id.moved(by: start - value.start), key: key)
  }
}

/// Checks values one by one, and finds an object's id in the same pass where the id path is a single name.
struct JSONItemScanner {
  private let scanner = JSONScanner()
  /// The name of the member that is an object's id; nil where the id path is more than a name.
  let idName: JSONMemberName?
  private var members: [JSONMember] = []
  private var marks = JSONMarks()

  init(idPath: JSONPointer) {
    idName = idPath.tokens.count == 1 ? idPath.tokens.first.map(JSONMemberName.init) : nil
  }

  /// The value that starts at `start`, inside of `depth` arrays; what follows it is not looked at.
  mutating func scan(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, depth: Int = 0
  ) throws(JSONSyntaxError) -> ScannedItem {
    guard let idName, start < end, bytes[start] == UInt8(ascii: "{") else {
      let valueEnd = try scanner.scanValue(bytes, from: start, to: end, depth: depth)
      return ScannedItem(value: JSONSlice(start: start, end: valueEnd), id: nil)
    }
    let valueEnd = try scanner.scanObject(bytes, from: start, to: end, depth: depth, members: &members)
    let id = JSONReader.value(bytes, of: members, named: idName.bytes.span) ?? .none
    return ScannedItem(value: JSONSlice(start: start, end: valueEnd), id: id)
  }

  /// The only value of `text`, which may have white space around it.
  mutating func scanOnly(_ bytes: Span<UInt8>, _ text: Range<Int>) throws(JSONSyntaxError) -> ScannedItem {
    let start = JSONScanner.skipWhitespace(bytes, text.lowerBound, text.upperBound)
    if start + 3 <= text.upperBound, bytes[start] == 0xEF, bytes[start + 1] == 0xBB, bytes[start + 2] == 0xBF {
      throw JSONSyntaxError(.byteOrderMark, at: start)
    }
    let item: ScannedItem
    if let large = scanLarge(bytes, from: start, to: text.upperBound) {
      item = large
    } else {
      item = try scan(bytes, from: start, to: text.upperBound)
    }
    let rest = JSONScanner.skipWhitespace(bytes, item.value.end, text.upperBound)
    if rest < text.upperBound { throw JSONSyntaxError(.trailingText, at: rest) }
    return item
  }

  /// The value that starts at `start` and hardly ends before `end`, where it is a large object; nil for all others.
  private mutating func scanLarge(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> ScannedItem? {
    guard let idName, let item = scanner.scanLargeObject(bytes, from: start, to: end, id: idName, marks: &marks) else {
      return nil
    }
    return ScannedItem(value: item.value, id: item.id)
  }
}
