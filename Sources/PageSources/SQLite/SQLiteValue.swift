/// A value as SQLite stores it, with its type.
enum SQLiteValue: Sendable, Equatable {
  case null
  case integer(Int)
  case real(Double)
  /// UTF-8 as it is stored; nothing makes sure that it is valid.
  case text([UInt8])
  case blob([UInt8])

  /// Whether SQLite takes both for the same in a comparison byte by byte: a NULL is a NULL here, and 1 is 1.0.
  func isSame(as other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
      Int(exactly: real) == integer
    case (.null, _), (.integer, _), (.real, _), (.text, _), (.blob, _): self == other
    }
  }

  var isNull: Bool { self == .null }
}
