import JSONText

/// The names of the columns, ready to be written before each field.
struct CSVHeader {
  /// For each column `"name":`, all different.
  private(set) var keys: [[UInt8]] = []
  /// The column that an id path of a single name leads to.
  private(set) var idColumn: Int?
  private var names: Set<[UInt8]> = []

  /// The header that a record's fields, as JSON text, make.
  ///
  /// A column without a name is called by its number, and of two columns with one name the later gets a number as well:
  /// members of one name would hide each other.
  init(fields: [[UInt8]], idPath: JSONPointer) {
    for field in fields {
      let wanted = field == [0x22, 0x22] ? Self.numbered("column", keys.count + 1) : field
      add(wanted)
      if idPath.tokens.count == 1, let token = idPath.tokens.first, idColumn == nil, isName(wanted, token) {
        idColumn = keys.count - 1
      }
    }
  }

  /// Makes sure that there are keys for `count` columns: a record may have more fields than the header.
  mutating func extend(to count: Int) {
    while keys.count < count { add(Self.numbered("column", keys.count + 1)) }
  }

  private mutating func add(_ wanted: [UInt8]) {
    var name = wanted
    var number = 2
    while !names.insert(name).inserted {
      name = wanted.dropLast() + Array("_\(number)\"".utf8)
      number += 1
    }
    keys.append(name + [UInt8(ascii: ":")])
  }

  private func isName(_ quoted: [UInt8], _ token: [UInt8]) -> Bool {
    JSONReader.stringBytes(quoted.span, JSONSlice(start: 0, end: quoted.count)) == token
  }

  private static func numbered(_ name: String, _ number: Int) -> [UInt8] {
    Array("\"\(name)_\(number)\"".utf8)
  }
}
