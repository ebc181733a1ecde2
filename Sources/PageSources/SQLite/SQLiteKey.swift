/// One column of the order in which rows are paged.
struct SQLiteKey: Sendable, Equatable {
  /// The column as SQL, with a collation where it is not the column's own.
  var expression: String
  /// The column's name, for people.
  var name: String
  var descending = false
  /// Whether it may be NULL.
  ///
  /// SQLite places NULL before all else where it ascends.
  var isNullable: Bool
  /// Which of a place's values is this column's.
  var slot: Int
}
