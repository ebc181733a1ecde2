import JSONText

// The items of an answer: where they are, and how they become a page.
extension HTTPPages {
  /// The elements of the list; those of a GraphQL connection may be edges around the items.
  struct Items {
    var elements: [JSONElement]
    var areEdges = false
  }

  private static let edges = JSONPointer(tokens: [Array("edges".utf8)])
  private static let nodes = JSONPointer(tokens: [Array("nodes".utf8)])
  private static let node = JSONPointer(tokens: [Array("node".utf8)])

  /// The items; nil where there are none at all: no content, or null in their place.
  func items(_ answer: Answer, isFirst: Bool) throws(SourceError) -> Items? {
    guard let document = answer.document else { return nil }
    let bytes = answer.response.body
    if let pointer = settings.items {
      let value = pointer.resolve(in: bytes.span, document)
      return try elements(answer, value, at: pointer, isFirst: isFirst).map { Items(elements: $0) }
    }
    if case .graphQL(let connection, _, _, _, _) = settings.paging {
      guard let value = connection.resolve(in: bytes.span, document), JSONReader.kind(bytes.span, value) == .object
      else {
        throw missing(answer, connection, "an object, the connection")
      }
      if let edges = Self.edges.resolve(in: bytes.span, value) {
        return try elements(answer, edges, at: connection, isFirst: isFirst).map { Items(elements: $0, areEdges: true) }
      }
      let nodes = Self.nodes.resolve(in: bytes.span, value)
      return try elements(answer, nodes, at: connection, isFirst: isFirst).map { Items(elements: $0) }
    }
    switch ItemFinder.find(bytes.span, document) {
    case .array(let value, let pointer):
      found.note(pointer)
      return try elements(answer, value, at: pointer, isFirst: isFirst).map { Items(elements: $0) }
    case .unclear(let pointers):
      let shown = SourceObject.shown(pointers.map(\.text).joined(separator: ", "))
      throw SourceError(
        .badPage, "The answer of \(answer.call.shown) has several lists (\(shown)). Say with items which of them it is."
      )
    case .nothing:
      if isNothing(bytes, document) { return nil }
      throw SourceError(
        .badPage, "No list of items was found in the answer of \(answer.call.shown). Say with items where it is.")
    }
  }

  private func elements(
    _ answer: Answer, _ value: JSONSlice?, at pointer: JSONPointer, isFirst: Bool
  ) throws(SourceError) -> [JSONElement]? {
    let bytes = answer.response.body
    guard let value else {
      // Some leave the list out where it has no items; on the first page it may as well be a pointer that is wrong.
      if !isFirst || answer.document.map({ isNothing(bytes, $0) }) ?? true { return nil }
      throw missing(answer, pointer, "an array")
    }
    if JSONReader.kind(bytes.span, value) == .null { return nil }
    var elements: [JSONElement] = []
    do throws(JSONSyntaxError) {
      _ = try HTTPDocument.scanner.scanArray(bytes.span, from: value.start, to: value.end, elements: &elements)
    } catch {
      if error.reason == .tooMany {
        throw SourceError(
          .limitExceeded, "The answer of \(answer.call.shown) has more than \(HTTPDocument.scanner.maxRecorded) items.")
      }
      throw missing(answer, pointer, "an array")
    }
    return elements
  }

  /// Whether an answer is `{}` or `null`, which says no more than that there is nothing.
  private func isNothing(_ bytes: [UInt8], _ document: JSONSlice) -> Bool {
    if JSONReader.isNull(bytes.span, document) { return true }
    return bytes[document.start] == UInt8(ascii: "{")
      && JSONScanner.skipWhitespace(bytes.span, document.start + 1, document.end) == document.end - 1
  }

  private func missing(_ answer: Answer, _ pointer: JSONPointer, _ expected: String) -> SourceError {
    SourceError(
      .badPage, "The answer of \(answer.call.shown) has at \"\(SourceObject.shown(pointer.text))\" not \(expected).",
      details: [.string("pointer", pointer.text), .integer("status", answer.response.status)])
  }

  /// A page of the elements: the response's own bytes where they lie in it as they must, else a copy.
  func collect(
    _ elements: [JSONElement], _ answer: Answer, idPath: JSONPointer, inEdges: Bool
  ) throws(SourceError) -> SourcePage {
    let bytes = answer.response.body
    let isPlain = idPath.isSingleName("id")
    if !inEdges, isJoined(bytes, elements) {
      let items = elements.map { element in
        SourceItem(
          value: element.value, id: isPlain ? element.id : idPath.resolve(in: bytes.span, element.value) ?? .none)
      }
      return SourcePage(bytes: bytes, items: items)
    }
    var builder = PageBuilder(limit: .max, idPath: idPath, maximumBytes: .max)
    builder.bytes.reserveCapacity(bytes.count)
    for element in elements {
      let place = builder.openItem()
      if inEdges {
        if let node = Self.node.resolve(in: bytes.span, element.value) {
          builder.bytes += bytes[node.range]
        } else {
          builder.bytes.append(text: "null")
        }
        _ = builder.closeItem(from: place)
      } else {
        builder.bytes += bytes[element.value.range]
        _ = isPlain ? builder.closeItem(from: place, id: element.idMoved(to: place)) : builder.closeItem(from: place)
      }
    }
    return builder.page()
  }

  /// Whether nothing but one comma lies between each two elements.
  private func isJoined(_ bytes: [UInt8], _ elements: [JSONElement]) -> Bool {
    var end: Int?
    for element in elements {
      if let end, element.value.start != end + 1 || bytes[end] != UInt8(ascii: ",") { return false }
      end = element.value.end
    }
    return true
  }
}
