/// A place between two rows, in the order in which they are paged.
struct SQLitePlace: Sendable, Equatable {
  /// The values by which rows are ordered, those of a row beside the place.
  var values: [SQLiteValue]
  /// How many of the rows with these values lie before the place: 0 or 1 where no two rows have the same.
  var equal: Int
}
