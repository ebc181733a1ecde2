import JSONText

/// The arguments of a program that is run for each page: `{offset}`, `{limit}`, `{page}` and `{cursor}` in them stand for
/// what a request says.
struct ArgumentTemplate: Sendable {
  /// The arguments as they were given.
  let arguments: [[UInt8]]

  private static let open = UInt8(ascii: "{")
  private static let close = UInt8(ascii: "}")

  /// The arguments for one page; anything else in braces stays as it is, and so does the program's name.
  ///
  /// A cursor that is a string is put in as its content, any other as its JSON text, and where there is none, nothing.
  /// Nil where the cursor holds a NUL character, which no argument can.
  func filled(for request: PageRequest) -> [[UInt8]]? {
    let cursor = Self.text(of: request.cursor)
    if cursor.contains(0) { return nil }
    let values: [(name: [UInt8], value: [UInt8])] = [
      (Array("offset".utf8), Array("\(request.offset)".utf8)), (Array("limit".utf8), Array("\(request.limit)".utf8)),
      (Array("page".utf8), Array("\(request.page)".utf8)), (Array("cursor".utf8), cursor),
    ]
    return arguments.enumerated().map { index, argument in index == 0 ? argument : Self.fill(argument, with: values) }
  }

  private static func fill(_ argument: [UInt8], with values: [(name: [UInt8], value: [UInt8])]) -> [UInt8] {
    var filled: [UInt8] = []
    var index = 0
    while index < argument.count {
      if argument[index] == open, let end = argument[index...].firstIndex(of: close),
        let value = values.first(where: { argument[(index + 1)..<end].elementsEqual($0.name) })
      {
        filled += value.value
        index = end + 1
      } else {
        filled.append(argument[index])
        index += 1
      }
    }
    return filled
  }

  private static func text(of cursor: [UInt8]?) -> [UInt8] {
    guard let cursor else { return [] }
    return JSONReader.stringBytes(cursor.span, JSONSlice(start: 0, end: cursor.count)) ?? cursor
  }
}
