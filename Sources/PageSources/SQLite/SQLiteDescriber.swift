/// Finds out how the rows of a table, view or query are to be paged.
struct SQLiteDescriber {
  let connection: SQLiteConnection
  let settings: SQLiteSettings
  /// The database's path, for messages.
  let path: [UInt8]

  /// A column that may be named.
  private struct Column {
    var name: String
    /// The column as SQL.
    var expression: String
    var isNullable: Bool
    /// What it is compared by, where that is not its own collation.
    var collation: String?
    /// Whether an item has it where no columns are named.
    var isShown = true

    /// The column as it stands in conditions and orders.
    var compared: String { collation.map { "\(expression) COLLATE \(SQLiteName.quoted($0))" } ?? expression }
  }

  func shape() throws(SQLiteFailure) -> SQLiteShape {
    switch settings.rows {
    case .table(let name): return try shape(ofTable: name)
    case .query(let text): return try shape(ofQuery: text)
    }
  }

  // MARK: Tables

  private func shape(ofTable table: String) throws(SQLiteFailure) -> SQLiteShape {
    let facts = try SQLiteTable(connection, table)
    guard let kind = facts.kind, !facts.columns.isEmpty else {
      let shown = SourceObject.shown(table)
      throw .source(.unpageable(path, "there is no table or view \(shown)", [.string("table", shown)]))
    }
    let columns = facts.columns.enumerated().map { index, column in
      Column(
        name: column.name, expression: "t." + SQLiteName.quoted(column.name),
        isNullable: !column.isNotNull && index != facts.rowidAlias, isShown: !column.isHidden)
    }
    let rowid = facts.rowid.map { Column(name: "rowid", expression: "t.\($0)", isNullable: false) }
    // A column that is called rowid comes before the row id.
    let all = columns + (rowid.map { [$0] } ?? [])
    var draft = Draft(from: facts.from)
    if let wanted = settings.columns {
      for column in wanted { draft.show(try find(column, in: all)) }
    } else {
      for column in columns where column.isShown { draft.show(column) }
    }
    for key in settings.key { draft.order(by: try find(key.column, in: all), descending: key.descending) }
    let primary = facts.primaryKey.map { primaryColumn($0, columns[$0.column]) }
    if settings.key.isEmpty, facts.rowidAlias == nil { for column in primary { draft.order(by: column) } }
    if let own = facts.rowidAlias.map({ columns[$0] }) ?? rowid {
      // The row id makes the order one of single rows, and costs nothing: every index ends with it.
      draft.complete(with: [own])
      draft.keyColumn = draft.column(for: own)
    } else if facts.isWithoutRowid, !primary.isEmpty {
      draft.complete(with: primary)
      if draft.heads.count == 1 { draft.keyColumn = draft.slots.first }
    } else if !draft.heads.isEmpty {
      draft.orderRest(by: columns.filter(\.isShown).map { ($0.name, $0.expression) })
    }
    return draft.shape(reason: reason(draft, of: kind))
  }

  /// A column of the primary key, compared as its index compares it.
  private func primaryColumn(_ key: SQLiteTable.KeyColumn, _ column: Column) -> Column {
    var column = column
    column.collation = key.collation
    return column
  }

  private func reason(_ draft: Draft, of kind: String) -> String {
    if draft.heads.isEmpty {
      return
        "A \(kind) without a row id has no key unless one is declared, so rows are counted; declare key to page by it."
    }
    let declared = settings.key.isEmpty ? "The table's own key" : "The declared key"
    if !draft.tails.isEmpty { return "\(declared), then all columns: it is not known to be unique." }
    return settings.key.isEmpty ? "\(declared)." : "\(declared), made unique by the table's own."
  }

  // MARK: Queries

  private func shape(ofQuery text: String) throws(SQLiteFailure) -> SQLiteShape {
    let query = SQLiteQuery(connection, path: path)
    let (inner, statement) = try query.single(text)
    let from = "(\(inner)\n)"
    let names = statement.columnNames
    var draft = Draft(from: from)
    draft.parameters = try query.values(for: statement, settings.parameters)
    // Inside of another SELECT columns of one name get names of their own.
    let whole = try wrapped("SELECT t.* FROM \(from) AS t", of: query)
    let inside = whole.columnNames
    if inside.count != names.count { throw query.refused("it cannot stand inside of another SELECT") }
    var columns: [Column] = []
    for (name, column) in zip(names, inside) {
      columns.append(Column(name: name, expression: "t." + SQLiteName.quoted(column), isNullable: true))
    }
    if let wanted = settings.columns {
      for column in wanted { draft.show(try find(column, in: columns)) }
    } else if settings.key.isEmpty {
      draft.showAll(names)
    } else {
      for column in columns { draft.show(column) }
    }
    for key in settings.key { draft.order(by: try find(key.column, in: columns), descending: key.descending) }
    if !draft.heads.isEmpty {
      if draft.heads.count == 1 { draft.keyColumn = draft.slots.first }
      draft.orderRest(by: columns.map { ($0.name, $0.expression) })
    }
    let reason =
      draft.heads.isEmpty
      ? "A query has no key unless one is declared, so rows are counted; declare key to page by it."
      : "The declared key, then all columns: it is not known to be unique."
    return draft.shape(reason: reason)
  }

  private func wrapped(_ sql: String, of query: SQLiteQuery) throws(SQLiteFailure) -> SQLiteStatement {
    do throws(SQLiteFailure) {
      return try connection.prepare(sql)
    } catch {
      guard case .fault(let fault) = error, fault.isCompiling else { throw error }
      throw query.refused("it cannot stand inside of another SELECT (\(fault.reason))")
    }
  }

  // MARK: Names

  private func find(_ name: String, in columns: [Column]) throws(SQLiteFailure) -> Column {
    let found = columns.filter { SQLiteName.same($0.name, name) }
    if found.count == 1 || found.count > 1 && isTable, let column = found.first { return column }
    let shown = SourceObject.shown(name)
    let what = found.isEmpty ? "there is no column \(shown)" : "there is more than one column \(shown)"
    throw .source(.unpageable(path, what, [.string("column", shown)]))
  }

  private var isTable: Bool {
    switch settings.rows {
    case .table: true
    case .query: false
    }
  }

  // MARK: Putting together

  /// A shape that is being put together.
  private struct Draft {
    let from: String
    var parameters: [SQLiteValue] = []
    private(set) var heads: [SQLiteKey] = []
    private(set) var tails: [SQLiteKey] = []
    private(set) var slots: [Int] = []
    var keyColumn: Int?
    private var names: [String] = []
    private var selected: [String] = []

    init(from: String) {
      self.from = from
    }

    /// Adds a column to the items; all of them before the first of the order.
    mutating func show(_ column: Column) {
      names.append(column.name)
      selected.append(column.expression)
    }

    /// Adds all columns of a query to the items.
    mutating func showAll(_ names: [String]) {
      self.names = names
      selected = ["t.*"]
    }

    /// The column of a row that has this value; hidden where no item shows it.
    mutating func column(for column: Column) -> Int {
      if let index = selected.firstIndex(of: column.expression) { return index }
      selected.append(column.expression)
      return selected.count - 1
    }

    mutating func order(by column: Column, descending: Bool = false) {
      heads.append(
        SQLiteKey(
          expression: column.compared, name: column.name, descending: descending, isNullable: column.isNullable,
          slot: slot(for: column)))
    }

    /// Adds those of a table's own key that the order lacks.
    mutating func complete(with columns: [Column]) {
      for column in columns where !heads.contains(where: { $0.expression == column.compared }) {
        order(by: column)
      }
    }

    /// Orders rows of one key by all columns, byte by byte, so that only rows that are the same stay in one place.
    mutating func orderRest(by columns: [(name: String, expression: String)]) {
      // 1 and 1.0 differ in nothing but their types.
      let types = "(" + columns.map { "typeof(\($0.expression))" }.joined(separator: "||") + ")"
      for (name, expression) in columns + [("types", types)] {
        let column = Column(name: name, expression: expression, isNullable: true, collation: "BINARY")
        tails.append(
          SQLiteKey(expression: column.compared, name: name, isNullable: true, slot: slot(for: column)))
      }
    }

    private mutating func slot(for column: Column) -> Int {
      let index = self.column(for: column)
      if let slot = slots.firstIndex(of: index) { return slot }
      slots.append(index)
      return slots.count - 1
    }

    func shape(reason: String) -> SQLiteShape {
      SQLiteShape(
        from: from, select: selected.joined(separator: ", "), names: names,
        columnCount: selected == ["t.*"] ? names.count : selected.count, parameters: parameters, heads: heads,
        tails: tails, slots: slots, keyColumn: keyColumn, reason: reason)
    }
  }
}
