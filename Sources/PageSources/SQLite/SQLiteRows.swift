import JSONText

/// The rows of a page as they come, and what its cursors need to know of them.
struct SQLiteRows {
  private let shape: SQLiteShape
  private let limit: Int
  private var builder: PageBuilder
  private let header: CSVHeader

  /// The values of the first row's place; nil where there is no row.
  private(set) var first: [SQLiteValue]?
  /// The values of the last row's place; nil where there is no row.
  private(set) var last: [SQLiteValue]?
  /// How many rows up to the last have its values.
  private(set) var lastCount = 0
  /// Whether there are rows after those of the page.
  private(set) var hasMore = false
  /// Whether the row after the page has the values of the last one.
  private(set) var isCutWithinPlace = false

  init(shape: SQLiteShape, limit: Int, idPath: JSONPointer) {
    self.shape = shape
    self.limit = limit
    builder = PageBuilder(limit: limit, idPath: idPath)
    var fields: [[UInt8]] = []
    for name in shape.names {
      var field: [UInt8] = [UInt8(ascii: "\"")]
      JSONStringEncoder.append(Array(name.utf8).span, to: &field)
      fields.append(field + [UInt8(ascii: "\"")])
    }
    header = CSVHeader(fields: fields, idPath: idPath)
    usesIDPath = !(idPath.tokens.count == 1)
  }

  private let usesIDPath: Bool

  /// How many rows the page has.
  var count: Int { builder.items.count }
  /// How many rows are still to be asked for: one more than the page may have, to know whether there are more.
  var wanted: Int { limit - count + 1 }
  /// Whether no further row is of use.
  var isComplete: Bool { hasMore }
  /// Whether the page ended before what was asked for because of its size.
  var wasCutShort: Bool { builder.wasCutShort }

  /// Takes the row that the statement is at; false where it is one more than the page has.
  mutating func append(_ statement: SQLiteStatement) -> Bool {
    if builder.isFull { return end(at: statement) }
    let start = builder.openItem()
    var id = JSONSlice.none
    builder.bytes.append(UInt8(ascii: "{"))
    for column in header.keys.indices {
      builder.bytes.append(contentsOf: header.keys[column])
      let valueStart = builder.bytes.count
      statement.appendJSON(column, to: &builder.bytes)
      if column == header.idColumn { id = JSONSlice(start: valueStart, end: builder.bytes.count) }
    }
    builder.bytes.append(UInt8(ascii: "}"))
    let key = key(statement)
    let fits =
      usesIDPath ? builder.closeItem(from: start, key: key) : builder.closeItem(from: start, id: id, key: key)
    if !fits { return end(at: statement) }
    if !shape.isCounted { note(statement) }
    return true
  }

  private mutating func end(at statement: SQLiteStatement) -> Bool {
    hasMore = true
    isCutWithinPlace = !shape.isUnique && last.map { isSame($0, values(statement)) } ?? false
    return false
  }

  private mutating func note(_ statement: SQLiteStatement) {
    let values = values(statement)
    if let last, !shape.isUnique, isSame(last, values) { lastCount += 1 } else { lastCount = 1 }
    if first == nil { first = values }
    last = values
  }

  private func isSame(_ one: [SQLiteValue], _ other: [SQLiteValue]) -> Bool {
    zip(one, other).allSatisfy { $0.isSame(as: $1) }
  }

  private func values(_ statement: SQLiteStatement) -> [SQLiteValue] { shape.slots.map { statement.value($0) } }

  private func key(_ statement: SQLiteStatement) -> Int? {
    guard let column = shape.keyColumn, case .integer(let key) = statement.value(column) else { return nil }
    return key
  }

  /// Turns the order of the rows round, for those that were read backwards.
  mutating func turnRound() { builder.turnRound() }

  consuming func page(next: CursorField, previous: CursorField, hasMore: Bool?) -> SourcePage {
    builder.page(next: next, previous: previous, hasMore: hasMore)
  }
}
