import JSONText

/// The names of the columns, ready to be written before each field.
struct CSVHeader {
  /// For each column `"name":`, after a comma for all but the first; all different.
  private(set) var keys: [[UInt8]] = []
  /// The column that an id path of a single name leads to.
  private(set) var idColumn: Int?
  /// How many columns the header itself names.
  private(set) var columnCount = 0
  private var idName: [UInt8]?
  private var names: Set<[UInt8]> = []
  private var numbers: [[UInt8]: Int] = [:]

  /// A header of no columns.
  init() {}

  /// The header that a record's fields, as JSON text, make.
  ///
  /// A column without a name is called by its number, and of two columns with one name the later gets a number as well:
  /// members of one name would hide each other.
  init(fields: [[UInt8]], idPath: JSONPointer) {
    idName = idPath.tokens.count == 1 ? idPath.tokens.first : nil
    for field in fields {
      add(field == [0x22, 0x22] ? Self.numbered("column", keys.count + 1) : field)
    }
    columnCount = keys.count
  }

  /// Makes sure that there are keys for `count` columns: a record may have more fields than the header.
  mutating func extend(to count: Int) {
    while keys.count < count { add(Self.numbered("column", keys.count + 1)) }
  }

  private mutating func add(_ wanted: [UInt8]) {
    var name = wanted
    // Going on where the last one of this name stopped keeps a header of nothing but one name from taking for ever.
    var number = numbers[wanted] ?? 2
    while !names.insert(name).inserted {
      name = wanted.dropLast() + Array("_\(number)\"".utf8)
      number += 1
    }
    numbers[wanted] = number
    if let idName, JSONReader.stringBytes(name.span, JSONSlice(start: 0, end: name.count)) == idName {
      idColumn = keys.count
    }
    keys.append((keys.isEmpty ? [] : [UInt8(ascii: ",")]) + name + [UInt8(ascii: ":")])
  }

  private static func numbered(_ name: String, _ number: Int) -> [UInt8] {
    Array("\"\(name)_\(number)\"".utf8)
  }
}
