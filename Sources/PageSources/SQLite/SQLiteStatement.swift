import JSONText

/// A compiled statement; finalized with the last reference.
final class SQLiteStatement {
  private let connection: SQLiteConnection
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer, of connection: SQLiteConnection) {
    self.handle = handle
    self.connection = connection
  }

  deinit {
    _ = library.finalize(handle)
  }

  private var library: SQLiteLibrary { connection.library }

  /// Whether it alters nothing.
  var isReadOnly: Bool { library.isReadOnly(handle) != 0 }
  /// The highest number of a parameter.
  var parameterCount: Int { Int(library.parameterCount(handle)) }
  /// How many columns a row has.
  var columnCount: Int { Int(library.columnCount(handle)) }

  /// The name of a parameter, counted from 1, with its `:`, `@`, `$` or `?`; nil for a plain `?`.
  func parameterName(_ index: Int) -> String? {
    library.parameterName(handle, Int32(clamping: index)).map { String(cString: $0) }
  }

  /// The names of the columns, in their order.
  var columnNames: [String] {
    (0..<columnCount).map { index in
      library.columnName(handle, Int32(clamping: index)).map { String(cString: $0) } ?? ""
    }
  }

  /// Sets the parameters, from the first on.
  func bind(_ values: [SQLiteValue]) throws(SQLiteFailure) {
    let copied = -1
    for (place, value) in values.enumerated() {
      let index = Int32(clamping: place + 1)
      let code: Int32 =
        switch value {
        case .null: library.bindNull(handle, index)
        case .integer(let integer): library.bindInteger(handle, index, Int64(integer))
        case .real(let real): library.bindReal(handle, index, real)
        // The pointer of an empty array may be nil, which would stand for NULL.
        case .text(let text):
          (text.isEmpty ? [0] : text).withUnsafeBytes {
            library.bindText(handle, index, $0.baseAddress, Int32(clamping: text.count), copied)
          }
        case .blob(let blob):
          (blob.isEmpty ? [0] : blob).withUnsafeBytes {
            library.bindBlob(handle, index, $0.baseAddress, Int32(clamping: blob.count), copied)
          }
        }
      if code != 0 { throw connection.failure(code) }
    }
  }

  /// Goes to the next row; false where there is none.
  func step() throws(SQLiteFailure) -> Bool {
    let row: Int32 = 100
    let done: Int32 = 101
    let code = library.step(handle)
    if code == row { return true }
    if code == done { return false }
    throw connection.failure(code)
  }

  // MARK: The row

  private enum Kind {
    static let integer: Int32 = 1
    static let real: Int32 = 2
    static let text: Int32 = 3
    static let blob: Int32 = 4
  }

  /// The value of a column of the row.
  func value(_ column: Int) -> SQLiteValue {
    let column = Int32(clamping: column)
    switch library.columnType(handle, column) {
    case Kind.integer: return .integer(Int(library.columnInteger(handle, column)))
    case Kind.real: return .real(library.columnReal(handle, column))
    case Kind.text: return .text(Array(text(column)))
    case Kind.blob: return .blob(Array(blob(column)))
    default: return .null
    }
  }

  /// Appends the value of a column of the row as JSON.
  ///
  /// A real number is written as the shortest that is read as the same, what JSON has no number for as null; text that is
  /// not UTF-8 is replaced where it is not, a blob is a string of Base64.
  func appendJSON(_ column: Int, to json: inout [UInt8]) {
    let column = Int32(clamping: column)
    switch library.columnType(handle, column) {
    case Kind.integer: DecimalDigits.append(Int(library.columnInteger(handle, column)), to: &json)
    case Kind.real:
      let real = library.columnReal(handle, column)
      if real.isFinite { json.append(contentsOf: real.description.utf8) } else { json.append(text: "null") }
    case Kind.text:
      json.append(UInt8(ascii: "\""))
      JSONStringEncoder.append(text(column).span, to: &json)
      json.append(UInt8(ascii: "\""))
    case Kind.blob:
      json.append(UInt8(ascii: "\""))
      Base64.append(blob(column).span, to: &json)
      json.append(UInt8(ascii: "\""))
    default: json.append(text: "null")
    }
  }

  /// The bytes of a text; they live until the next step.
  private func text(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    // The pointer first, then the length: so SQLite wants it.
    let start = library.columnText(handle, column)
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(library.columnByteCount(handle, column)))
  }

  /// The bytes of a blob; they live until the next step.
  private func blob(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = library.columnBlob(handle, column)?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(library.columnByteCount(handle, column)))
  }
}
