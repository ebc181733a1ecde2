/// How the rows of a source are had: found out once, when its first page is loaded.
struct SQLiteShape: Sendable, Equatable {
  /// What stands after FROM, named `t`.
  var from: String
  /// What stands after SELECT: first the columns of an item, then hidden ones of the key.
  var select: String
  /// The names of the columns of an item.
  var names: [String]
  /// How many columns a row has, hidden ones too.
  var columnCount: Int
  /// The values of the query's own parameters, which come first.
  var parameters: [SQLiteValue] = []
  /// The declared key or the table's own; empty where rows are counted (offset paging).
  var heads: [SQLiteKey] = []
  /// What orders rows with one key where the key is not known to be unique: all columns.
  var tails: [SQLiteKey] = []
  /// The column of a row that gives each value of a place.
  var slots: [Int] = []
  /// The column of a row that is its key where it is a single integer.
  var keyColumn: Int?
  /// Why rows are paged so, as a sentence for people.
  var reason: String

  /// Whether no two rows are in one place.
  var isUnique: Bool { tails.isEmpty }
  /// Whether rows are counted, for want of a key.
  var isCounted: Bool { heads.isEmpty }
}
