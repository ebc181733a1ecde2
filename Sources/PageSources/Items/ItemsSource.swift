import JSONText

/// The `items` source: a list that came along with the request.
final class ItemsSource: PageSource {
  /// The entry in the factory.
  static let type = SourceType(name: "items") { (object) throws(SourceOpenError) in
    try object.refuseOthers(than: ["items"])
    guard let value = object.value("items") else { throw object.error("items", "expected an array") }
    return ItemsSource(object.bytes, try object.elements(of: value, "items", expected: "an array"))
  }

  private let bytes: [UInt8]
  private let elements: [JSONElement]

  private init(_ bytes: [UInt8], _ elements: [JSONElement]) {
    self.bytes = bytes
    self.elements = elements
  }

  var typeName: String { Self.type.name }

  func plan(_ request: PageRequest, idPath: JSONPointer) -> FetchPlan {
    .ready(Result { () throws(SourceError) in try page(request, idPath: idPath) })
  }

  func facts(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("type", typeName)
    writer.member("total", elements.count)
    writer.endObject()
  }

  func close() {}

  private func page(_ request: PageRequest, idPath: JSONPointer) throws(SourceError) -> SourcePage {
    let limit = max(0, request.limit)
    let range: Range<Int>
    if let cursor = request.cursor {
      guard let cursor = BeforeCursor(cursor) else {
        throw .foreignCursor(cursor, typeName: typeName)
      }
      let end = min(max(0, cursor.before), elements.count)
      range = max(0, end - min(limit, end))..<end
    } else {
      let start = min(max(0, request.offset), elements.count)
      range = start..<(start + min(limit, elements.count - start))
    }
    var builder = PageBuilder(limit: limit, idPath: idPath)
    let known = idPath.isSingleName("id")
    // Pages before another are filled from their end, so that a page cut for its size leaves nothing out between.
    let start = request.cursor == nil ? range.lowerBound : fittingStart(of: range)
    for element in elements[start..<range.upperBound] {
      let place = builder.openItem()
      builder.bytes.append(contentsOf: bytes[element.value.range])
      let closed =
        known
        ? builder.closeItem(from: place, id: element.idMoved(to: place)) : builder.closeItem(from: place)
      if !closed { break }
    }
    let end = start + builder.items.count
    return builder.page(
      previous: start > 0 ? BeforeCursor(before: start, page: request.page &- 1).field : .absent,
      hasMore: end < elements.count, total: elements.count)
  }

  /// The first item from which on the items up to the end of `range` fit into a page; at least one item does.
  private func fittingStart(of range: Range<Int>) -> Int {
    var start = range.upperBound
    var size = 0
    while start > range.lowerBound {
      size += elements[start - 1].value.count + 1
      if size > PageBuilder.maximumPageBytes && start < range.upperBound { break }
      start -= 1
    }
    return start
  }
}

extension JSONElement {
  /// Where the id lies in a buffer that the element was copied into at `place`.
  func idMoved(to place: Int) -> JSONSlice {
    id.isEmpty ? .none : id.moved(by: place - value.start)
  }
}
