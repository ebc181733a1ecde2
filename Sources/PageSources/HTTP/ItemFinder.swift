import JSONText

/// Finds the list of items in a response whose source was not told where it is.
///
/// The rule: the response itself, where it is an array. Else, level by level down to the third, the first of the well-known
/// names whose value is an array; where none has, the only array of the level that is empty or begins with an object or
/// array. Where several may be meant there is no answer: it is never guessed.
enum ItemFinder {
  /// What was found.
  enum Finding: Equatable {
    case array(JSONSlice, pointer: JSONPointer)
    /// Several may be meant.
    case unclear([JSONPointer])
    case nothing
  }

  /// In the order in which they count.
  static let names: [StaticString] = [
    "items", "results", "data", "records", "rows", "entries", "nodes", "objects", "values", "value", "hits", "content",
    "list", "elements", "entities", "documents", "docs",
  ]
  private static let maximumLevel = 3
  /// How many objects are looked into; a response with more of them is none of a list.
  private static let maximumObjects = 200

  /// Looks through valid JSON text.
  static func find(_ bytes: Span<UInt8>, _ document: JSONSlice) -> Finding {
    if JSONReader.kind(bytes, document) == .array { return .array(document, pointer: .root) }
    var level = [(value: document, path: [[UInt8]]())]
    for _ in 1...maximumLevel {
      var arrays: [(name: Int, value: JSONSlice, path: [[UInt8]])] = []
      var deeper: [(value: JSONSlice, path: [[UInt8]])] = []
      var members: [JSONMember] = []
      for object in level where JSONReader.kind(bytes, object.value) == .object {
        _ = try? JSONScanner().scanObject(bytes, from: object.value.start, to: object.value.end, members: &members)
        for member in members {
          let kind = JSONReader.kind(bytes, member.value)
          guard kind == .array || kind == .object else { continue }
          var name: [UInt8] = []
          JSONReader.appendDecoded(bytes, content: member.key, to: &name)
          let path = object.path + [name]
          if kind == .object {
            if deeper.count < maximumObjects { deeper.append((member.value, path)) }
          } else {
            let rank = rank(bytes, member.key)
            if rank < names.count || mayHoldRecords(bytes, member.value) { arrays.append((rank, member.value, path)) }
          }
        }
      }
      if let best = arrays.min(by: { $0.name < $1.name }) {
        let rivals = arrays.filter { $0.name == best.name }
        if rivals.count > 1 { return .unclear(rivals.prefix(8).map { JSONPointer(tokens: $0.path) }) }
        return .array(best.value, pointer: JSONPointer(tokens: best.path))
      }
      level = deeper
    }
    return .nothing
  }

  private static func mayHoldRecords(_ bytes: Span<UInt8>, _ array: JSONSlice) -> Bool {
    let first = JSONScanner.skipWhitespace(bytes, array.start + 1, array.end)
    return first < array.end && [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "]")].contains(bytes[first])
  }

  private static func rank(_ bytes: Span<UInt8>, _ key: JSONSlice) -> Int {
    names.firstIndex { JSONReader.contentEquals(bytes, key, $0) } ?? names.count
  }
}
