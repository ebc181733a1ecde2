import JSONText

/// The reading of one page through an open connection.
struct SQLiteReading {
  let connection: SQLiteConnection
  let shape: SQLiteShape
  let limit: Int
  let idPath: JSONPointer
  /// Whether a list begins with the page, so that one before a place must say how it goes on there.
  let isFirst: Bool

  /// The page that the cursor names, from one state of the database.
  func page(at cursor: SQLiteCursor) throws(SQLiteFailure) -> SourcePage {
    // Rows of one page may come from several statements, between which nobody may write.
    try connection.run("BEGIN")
    defer { _ = try? connection.run("ROLLBACK") }
    switch cursor {
    case .start: return shape.isCounted ? try countedPage(from: 0) : try page(after: nil)
    case .after(let place): return try page(after: place)
    case .before(let place): return try page(before: place)
    case .afterCount(let count): return try countedPage(from: count)
    case .beforeCount(let count): return try countedPage(before: count)
    }
  }

  /// Whether the cursor is one that a source of this shape gives.
  func takes(_ cursor: SQLiteCursor) -> Bool {
    switch cursor {
    case .start: true
    case .after(let place), .before(let place): !shape.isCounted && place.values.count == shape.slots.count
    case .afterCount, .beforeCount: shape.isCounted
    }
  }

  // MARK: By key

  private func page(after place: SQLitePlace?) throws(SQLiteFailure) -> SourcePage {
    var rows = SQLiteRows(shape: shape, limit: limit, idPath: idPath)
    if let place, !(shape.isUnique && place.equal > 0) {
      try read(.same(as: place, in: shape), into: &rows, skipping: place.equal)
    }
    for part in SQLiteSelect.parts(of: shape, from: place, backward: false) where !rows.isComplete {
      try read(part, into: &rows)
    }
    var previous = SQLiteCursor.start
    if let place {
      if let first = rows.first {
        previous = .before(SQLitePlace(values: first, equal: isSame(place.values, first) ? place.equal : 0))
      } else {
        previous = .before(place)
      }
    }
    var next = CursorField.absent
    if rows.hasMore, let last = rows.last {
      var equal = rows.lastCount
      if let place, rows.lastCount == rows.count, isSame(place.values, last) { equal += place.equal }
      next = SQLiteCursor.after(SQLitePlace(values: last, equal: shape.isUnique ? 1 : equal)).field
    }
    return rows.page(next: next, previous: previous.field, hasMore: rows.hasMore)
  }

  private func page(before place: SQLitePlace) throws(SQLiteFailure) -> SourcePage {
    var rows = SQLiteRows(shape: shape, limit: limit, idPath: idPath)
    if place.equal > 0 { try read(.same(as: place, in: shape), into: &rows, atMost: place.equal) }
    for part in SQLiteSelect.parts(of: shape, from: place, backward: true) where !rows.isComplete {
      try read(part, into: &rows)
    }
    var previous = CursorField.absent
    if rows.hasMore, let last = rows.last {
      var equal = 0
      if rows.isCutWithinPlace {
        let whole = isSame(place.values, last) ? place.equal : try count(SQLitePlace(values: last, equal: 0))
        equal = max(0, whole - rows.lastCount)
      }
      previous = SQLiteCursor.before(SQLitePlace(values: last, equal: equal)).field
    }
    rows.turnRound()
    return rows.page(next: isFirst ? SQLiteCursor.after(place).field : .absent, previous: previous, hasMore: nil)
  }

  private func read(
    _ part: SQLiteSelect, into rows: inout SQLiteRows, skipping skipped: Int = 0, atMost most: Int = .max
  ) throws(SQLiteFailure) {
    var part = part
    part.limit(min(most, rows.wanted), skipping: skipped)
    let statement = try connection.prepare(part.sql)
    if statement.columnCount != shape.columnCount {
      throw .source(SourceError(.sourceChanged, "The columns of the rows have changed. Refresh to read them anew."))
    }
    try statement.bind(part.parameters)
    while try statement.step() {
      if !rows.append(statement) { break }
    }
  }

  private func count(_ place: SQLitePlace) throws(SQLiteFailure) -> Int {
    let select = SQLiteSelect.countSame(as: place, in: shape)
    return try connection.rows(select.sql, select.parameters).first?.integer(0) ?? 0
  }

  private func isSame(_ one: [SQLiteValue], _ other: [SQLiteValue]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { $0.isSame(as: $1) }
  }

  // MARK: By count

  private func countedPage(from start: Int) throws(SQLiteFailure) -> SourcePage {
    var rows = SQLiteRows(shape: shape, limit: limit, idPath: idPath)
    try read(.all(of: shape), into: &rows, skipping: start)
    let next = rows.hasMore ? SQLiteCursor.afterCount(start + rows.count).field : .absent
    let previous = start > 0 ? SQLiteCursor.beforeCount(start).field : .absent
    return rows.page(next: next, previous: previous, hasMore: rows.hasMore)
  }

  /// A page that turns out too large must lose its first rows, not its last, which the page after it follows on.
  private func countedPage(before end: Int) throws(SQLiteFailure) -> SourcePage {
    var wanted = min(limit, end)
    while true {
      var rows = SQLiteRows(shape: shape, limit: wanted, idPath: idPath)
      let start = end - wanted
      try read(.all(of: shape), into: &rows, skipping: start, atMost: wanted)
      if rows.wasCutShort, wanted > 1 {
        wanted = max(1, min(wanted / 2, rows.count))
        continue
      }
      let previous = start > 0 ? SQLiteCursor.beforeCount(start).field : .absent
      let next = isFirst ? SQLiteCursor.afterCount(end).field : .absent
      return rows.page(next: next, previous: previous, hasMore: nil)
    }
  }
}
