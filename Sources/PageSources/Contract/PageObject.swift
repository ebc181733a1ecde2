import JSONText

/// Reads the object that a program answers with: `{items, next?, previous?, hasMore?, total?, ids?}`.
enum PageObject {
  /// What is wrong with an object that should be a page.
  struct Fault: Error, Equatable {
    /// JSON Pointer to the member, from the page on.
    var pointer: String
    /// What is wrong with it.
    var problem: String

    /// The sentence for an error: `/items: expected an array`.
    var message: String { "\(pointer): \(problem)" }
  }

  /// The page that an object's members make; `items` are the elements of its member of that name.
  ///
  /// The items' text is copied, so that the page outlives `bytes`.
  static func page(
    _ bytes: Span<UInt8>, _ members: [JSONMember], items: [JSONElement], idPath: JSONPointer
  ) throws(Fault) -> SourcePage {
    let isPlain = idPath.isSingleName("id")
    var builder = PageBuilder(limit: .max, idPath: idPath, maximumBytes: .max)
    for item in items {
      let place = builder.openItem()
      bytes.extracting(item.value.range).withUnsafeBufferPointer { builder.bytes.append(contentsOf: $0) }
      _ = isPlain ? builder.closeItem(from: place, id: item.idMoved(to: place)) : builder.closeItem(from: place)
    }
    var page = builder.page()
    page.next = field(bytes, members, "next")
    page.previous = field(bytes, members, "previous")
    if let value = value(bytes, members, "hasMore") {
      guard let hasMore = JSONReader.bool(bytes, value) else {
        throw Fault(pointer: "/hasMore", problem: "expected true or false")
      }
      page.hasMore = hasMore
    }
    if let value = value(bytes, members, "total") {
      guard let total = JSONReader.integer(bytes, value), SourceObject.counts.contains(total) else {
        throw Fault(pointer: "/total", problem: SourceObject.expectedInteger(in: SourceObject.counts))
      }
      page.total = total
    }
    if let value = value(bytes, members, "ids") { try readKeys(bytes, value, &page) }
    return page
  }

  /// Puts the source's own ids behind the items.
  private static func readKeys(_ bytes: Span<UInt8>, _ value: JSONSlice, _ page: inout SourcePage) throws(Fault) {
    var elements: [JSONElement] = []
    let scanner = JSONScanner(maxDepth: Int.max)
    guard JSONReader.kind(bytes, value) == .array,
      (try? scanner.scanArray(bytes, from: value.start, to: value.end, elements: &elements)) != nil,
      elements.count == page.items.count
    else { throw Fault(pointer: "/ids", problem: "expected an array with as many ids as there are items") }
    for element in elements {
      if JSONReader.isNull(bytes, element.value) {
        page.keys.append(.none)
      } else {
        let start = page.bytes.count
        bytes.extracting(element.value.range).withUnsafeBufferPointer { page.bytes.append(contentsOf: $0) }
        page.keys.append(JSONSlice(start: start, end: page.bytes.count))
      }
    }
  }

  /// A member that is there and not null.
  private static func value(_ bytes: Span<UInt8>, _ members: [JSONMember], _ name: StaticString) -> JSONSlice? {
    guard let value = JSONReader.value(bytes, of: members, named: name), !JSONReader.isNull(bytes, value) else {
      return nil
    }
    return value
  }

  private static func field(_ bytes: Span<UInt8>, _ members: [JSONMember], _ name: StaticString) -> CursorField {
    guard let value = JSONReader.value(bytes, of: members, named: name) else { return .absent }
    return JSONReader.isNull(bytes, value) ? .null : .value(JSONReader.raw(bytes, value))
  }
}
