/// What a database says of one of its tables or views.
struct SQLiteTable {
  struct Column {
    var name: String
    var isNotNull: Bool
    /// Whether `SELECT *` leaves it out.
    var isHidden: Bool
  }

  /// A column of the primary key.
  struct KeyColumn {
    /// Which of `columns` it is.
    var column: Int
    /// The collation that the key's index compares it by, where it is not the column's own.
    var collation: String?
  }

  /// The table as it stands after FROM.
  let from: String
  /// `table` or `view`; nil where there is neither.
  private(set) var kind: String?
  /// All columns, in their order; empty where there is no such table.
  private(set) var columns: [Column] = []
  /// The primary key's columns, in their order.
  private(set) var primaryKey: [KeyColumn] = []
  /// A name by which a row's id can be had; nil for views and for tables without one.
  private(set) var rowid: String?
  /// The column that is the row id itself: an `INTEGER PRIMARY KEY`.
  private(set) var rowidAlias: Int?
  /// Whether it is a table whose primary key is what finds its rows.
  private(set) var isWithoutRowid = false

  private let connection: SQLiteConnection
  private let name: String

  init(_ connection: SQLiteConnection, _ name: String) throws(SQLiteFailure) {
    self.connection = connection
    self.name = name
    from = "\"main\".\(SQLiteName.quoted(name))"
    kind = try Self.kind(connection, name)
    if kind == nil { return }
    var positions: [(position: Int, column: Int, type: String)] = []
    let rows = try connection.rows(
      "SELECT name, \"notnull\", hidden, pk, type FROM pragma_table_xinfo(?1, 'main') ORDER BY cid",
      [.text(Array(name.utf8))])
    for row in rows {
      let position = row.integer(3)
      if position > 0 { positions.append((position, columns.count, row.text(4))) }
      columns.append(Column(name: row.text(0), isNotNull: row.integer(1) != 0, isHidden: row.integer(2) == 1))
    }
    positions.sort { $0.position < $1.position }
    primaryKey = positions.map { KeyColumn(column: $0.column) }
    if kind == "view" { return }
    rowid = rowidName()
    let keyIndex = try connection.rows(
      "SELECT name FROM pragma_index_list(?1, 'main') WHERE origin = 'pk'", [.text(Array(name.utf8))]
    ).first?.text(0)
    if rowid != nil || hidesRowid(), keyIndex == nil, positions.count == 1, let only = positions.first,
      SQLiteName.same(only.type, "INTEGER")
    {
      rowidAlias = only.column
    }
    isWithoutRowid = rowid == nil && rowidAlias == nil && !hidesRowid()
    if let keyIndex { try findCollations(index: keyIndex) }
  }

  private static func kind(_ connection: SQLiteConnection, _ name: String) throws(SQLiteFailure) -> String? {
    for schema in ["sqlite_master", "sqlite_schema"] where SQLiteName.same(schema, name) { return "table" }
    return try connection.rows(
      "SELECT type FROM main.sqlite_master WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')",
      [.text(Array(name.utf8))]
    ).first?.text(0)
  }

  private static let rowidNames = ["rowid", "_rowid_", "oid"]

  /// Whether columns have taken all the names of the row id.
  private func hidesRowid() -> Bool {
    Self.rowidNames.allSatisfy { name in columns.contains { SQLiteName.same($0.name, name) } }
  }

  private func rowidName() -> String? {
    guard let free = Self.rowidNames.first(where: { name in !columns.contains { SQLiteName.same($0.name, name) } }),
      (try? connection.prepare("SELECT t.\(free) FROM \(from) AS t")) != nil
    else { return nil }
    return free
  }

  /// An index may compare a column otherwise than the column says, and only by the index's way the key is unique.
  private mutating func findCollations(index: String) throws(SQLiteFailure) {
    let rows = try connection.rows(
      "SELECT cid, coll FROM pragma_index_xinfo(?1, 'main') WHERE key ORDER BY seqno", [.text(Array(index.utf8))])
    for row in rows {
      guard let place = primaryKey.firstIndex(where: { $0.column == row.integer(0) }) else { continue }
      let own = connection.collation(ofColumn: columns[primaryKey[place].column].name, table: name)
      if let own, !SQLiteName.same(own, row.text(1)) { primaryKey[place].collation = row.text(1) }
    }
  }
}
