/// A row of values.
struct SQLiteRow {
  var values: [SQLiteValue]

  /// The integer in a column; 0 for anything else.
  func integer(_ column: Int) -> Int {
    guard values.indices.contains(column), case .integer(let integer) = values[column] else { return 0 }
    return integer
  }

  /// The text in a column; empty for anything else.
  func text(_ column: Int) -> String {
    guard values.indices.contains(column), case .text(let text) = values[column] else { return "" }
    return String(decoding: text, as: UTF8.self)
  }
}

extension SQLiteConnection {
  /// All rows of a statement that has few.
  func rows(_ sql: String, _ parameters: [SQLiteValue] = []) throws(SQLiteFailure) -> [SQLiteRow] {
    let statement = try prepare(sql)
    try statement.bind(parameters)
    var rows: [SQLiteRow] = []
    while try statement.step() {
      rows.append(SQLiteRow(values: (0..<statement.columnCount).map { statement.value($0) }))
    }
    return rows
  }
}
