/// One statement of those that make a page, with the values of its parameters.
///
/// The rows beyond a place are those that differ from it in the first column of the order, those that are the same there
/// and differ in the second, and so on. Each of these parts is a statement of its own: equalities and one bound, which an
/// index answers at once whatever the directions and NULLs, where one condition with OR would be a scan.
struct SQLiteSelect: Sendable, Equatable {
  private(set) var sql: String
  private(set) var parameters: [SQLiteValue]

  /// The statements for the rows of a page, in the order in which their rows come; `start` is where they begin.
  ///
  /// Backwards, all orders are turned round. Each statement must be given a limit before it is run.
  static func parts(of shape: SQLiteShape, from place: SQLitePlace?, backward: Bool) -> [SQLiteSelect] {
    guard let place else {
      return [SQLiteSelect(shape, where: [], orderedFrom: 0, backward: backward)]
    }
    let builder = Conditions(shape: shape, place: place, backward: backward)
    var parts: [SQLiteSelect] = []
    if !shape.isUnique, let condition = builder.beyondTails() {
      parts.append(
        SQLiteSelect(shape, where: builder.same(shape.heads) + [condition], orderedFrom: .max, backward: backward))
    }
    for index in shape.heads.indices.reversed() {
      for condition in builder.beyond(shape.heads[index]) {
        parts.append(
          SQLiteSelect(
            shape, where: builder.same(shape.heads[..<index]) + [condition], orderedFrom: index, backward: backward))
      }
    }
    return parts
  }

  /// The statement for the rows that have the place's values.
  static func same(as place: SQLitePlace, in shape: SQLiteShape) -> SQLiteSelect {
    let builder = Conditions(shape: shape, place: place, backward: false)
    return SQLiteSelect(shape, where: builder.same(shape.heads + shape.tails), orderedFrom: nil, backward: false)
  }

  /// The statement for the number of rows that have the place's values.
  static func countSame(as place: SQLitePlace, in shape: SQLiteShape) -> SQLiteSelect {
    var shape = shape
    shape.select = "count(*)"
    return same(as: place, in: shape)
  }

  /// The statement for all rows, as they come.
  static func all(of shape: SQLiteShape) -> SQLiteSelect {
    SQLiteSelect(shape, where: [], orderedFrom: nil, backward: false)
  }

  /// Takes at most `count` rows, after `skipped`.
  mutating func limit(_ count: Int, skipping skipped: Int = 0) {
    sql += " LIMIT \(parameter(.integer(count)))"
    if skipped > 0 { sql += " OFFSET \(parameter(.integer(skipped)))" }
  }

  private init(
    _ shape: SQLiteShape, where conditions: [Condition], orderedFrom first: Int?, backward: Bool
  ) {
    sql = "SELECT \(shape.select) FROM \(shape.from) AS t"
    parameters = shape.parameters
    for (index, condition) in conditions.enumerated() {
      sql += index == 0 ? " WHERE " : " AND "
      append(condition)
    }
    guard let first else { return }
    let keys = shape.heads.dropFirst(first) + shape.tails
    for (index, key) in keys.enumerated() {
      sql += index == 0 ? " ORDER BY " : ", "
      sql += key.expression
      if key.descending != backward { sql += " DESC" }
    }
  }

  private mutating func parameter(_ value: SQLiteValue) -> String {
    parameters.append(value)
    return "?\(parameters.count)"
  }

  // MARK: Conditions

  /// A condition as text between values.
  private struct Condition {
    enum Piece {
      case text(String)
      case value(SQLiteValue)
    }
    var pieces: [Piece]

    init(_ text: String) { pieces = [.text(text)] }
    init(_ key: SQLiteKey, _ sign: String, _ value: SQLiteValue) {
      pieces = [.text("\(key.expression) \(sign) "), .value(value)]
    }
    init(_ pieces: [Piece]) { self.pieces = pieces }
  }

  private mutating func append(_ condition: Condition) {
    for piece in condition.pieces {
      switch piece {
      case .text(let text): sql += text
      case .value(let value): sql += parameter(value)
      }
    }
  }

  private struct Conditions {
    let shape: SQLiteShape
    let place: SQLitePlace
    let backward: Bool

    func same(_ keys: some Sequence<SQLiteKey>) -> [Condition] { keys.map { same($0) } }

    private func same(_ key: SQLiteKey) -> Condition {
      let value = place.values[key.slot]
      return value.isNull ? Condition("\(key.expression) IS NULL") : Condition(key, "=", value)
    }

    /// The conditions under which a row lies beyond the place by this column; the rows of the first come first.
    func beyond(_ key: SQLiteKey) -> [Condition] {
      let value = place.values[key.slot]
      let ascends = key.descending == backward
      if value.isNull { return ascends ? [Condition("\(key.expression) IS NOT NULL")] : [] }
      if ascends { return [Condition(key, ">", value)] }
      let below = Condition(key, "<", value)
      return key.isNullable ? [below, Condition("\(key.expression) IS NULL")] : [below]
    }

    /// The condition for rows of the place's key that lie beyond it by any of the other columns; nil where none can.
    func beyondTails() -> Condition? {
      var inner: Condition?
      for key in shape.tails.reversed() {
        var alternatives = beyond(key)
        if let inner {
          alternatives.append(
            Condition([.text("(")] + same(key).pieces + [.text(" AND ")] + inner.pieces + [.text(")")]))
        }
        guard let first = alternatives.first else { continue }
        var pieces: [Condition.Piece] = [.text("(")] + first.pieces
        for other in alternatives.dropFirst() { pieces += [.text(" OR ")] + other.pieces }
        inner = Condition(pieces + [.text(")")])
      }
      return inner
    }
  }
}
