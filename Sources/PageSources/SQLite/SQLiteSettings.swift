import JSONText

/// What a `sqlite` source was told to page.
struct SQLiteSettings: Sendable, Equatable {
  /// Where the rows come from.
  enum Rows: Sendable, Equatable {
    case table(String)
    case query(String)
  }

  /// The values for the parameters of a query.
  enum Parameters: Sendable, Equatable {
    case numbered([SQLiteValue])
    case named([NamedValue])
  }

  /// A value for the parameter of that name, with or without the character before it.
  struct NamedValue: Sendable, Equatable {
    var name: String
    var value: SQLiteValue
  }

  /// A column of the declared key.
  struct KeyColumn: Sendable, Equatable {
    var column: String
    var descending = false
  }

  /// The path as it was given.
  var path: [UInt8]
  var rows: Rows
  var parameters = Parameters.numbered([])
  /// The declared key; empty for none.
  var key: [KeyColumn] = []
  /// The columns of an item; nil for all.
  var columns: [String]?
  /// Where the database may lie.
  var policy = SourcePolicy.unrestricted
  /// How long to wait for a lock, in milliseconds.
  var busyTimeoutMs = 5000

  /// Reads the settings from a source object.
  init(_ object: SourceObject) throws(SourceOpenError) {
    try object.refuseOthers(than: ["path", "table", "query", "params", "key", "columns", "busyTimeoutMs"])
    policy = object.policy
    path = try object.requiredStringBytes("path")
    let hasQuery = object.value("query") != nil
    if hasQuery, object.value("table") != nil {
      throw object.error("query", "expected either table or query, not both")
    }
    rows = hasQuery ? .query(try Self.text("query", of: object)) : .table(try Self.text("table", of: object))
    if let value = object.value("params") {
      if !hasQuery { throw object.error("params", "only a query has parameters") }
      _ = try object.passedOn("params")
      parameters = try Self.parameters(value, of: object)
    }
    key = try Self.key(of: object)
    columns = try Self.columns(of: object)
    busyTimeoutMs = try object.integer("busyTimeoutMs", in: SourceObject.counts) ?? busyTimeoutMs
  }

  /// A string of SQL or a name in it; SQLite would stop reading at a NUL.
  private static func text(_ name: String, of object: SourceObject) throws(SourceOpenError) -> String {
    let expected = name == "table" ? "a string that names a table or view (or give a query)" : "a string"
    let text = try object.requiredString(name, expected: expected)
    if text.utf8.contains(0) { throw object.error(name, "expected a string without NUL characters") }
    return text
  }

  private static func key(of object: SourceObject) throws(SourceOpenError) -> [KeyColumn] {
    guard let value = object.value("key") else { return [] }
    var key: [KeyColumn] = []
    let shape = "an object {column, descending?}"
    for (index, element) in try object.elements(of: value, "key", expected: "an array of objects {column, descending?}")
      .enumerated()
    {
      let inner = try SourceObject(
        object.bytes.span, element.value, pointer: "\(object.pointer)/key/\(index)", expected: shape)
      try inner.refuseOthers(than: ["column", "descending"], allowsType: false)
      let column = try text("column", of: inner)
      if key.contains(where: { SQLiteName.same($0.column, column) }) {
        throw inner.error("column", "expected each column once")
      }
      key.append(KeyColumn(column: column, descending: try inner.bool("descending") ?? false))
    }
    if key.isEmpty { throw object.error("key", "expected at least one column; leave key out for the primary key") }
    return key
  }

  private static func columns(of object: SourceObject) throws(SourceOpenError) -> [String]? {
    guard let value = object.value("columns") else { return nil }
    var columns: [String] = []
    let elements = try object.elements(of: value, "columns", expected: "an array of strings")
    for (index, element) in elements.enumerated() {
      guard let column = JSONReader.string(object.bytes.span, element.value), !column.utf8.contains(0) else {
        throw object.error("columns", at: "\(index)", "expected a string that names a column")
      }
      columns.append(column)
    }
    if columns.isEmpty { throw object.error("columns", "expected at least one column; leave columns out for all") }
    return columns
  }

  // MARK: Parameters

  private static func parameters(
    _ value: JSONSlice, of object: SourceObject
  ) throws(SourceOpenError) -> Parameters {
    switch object.kind(of: value) {
    case .array:
      var values: [SQLiteValue] = []
      for (index, element) in try object.elements(of: value, "params", expected: "an array").enumerated() {
        guard let value = parameter(element.value, of: object) else {
          throw object.error("params", at: "\(index)", expectedValue)
        }
        values.append(value)
      }
      return .numbered(values)
    case .object:
      let inner = try SourceObject(object.bytes.span, value, pointer: "\(object.pointer)/params")
      var values: [NamedValue] = []
      for name in inner.names {
        guard let slice = inner.value(name), let value = parameter(slice, of: inner) else {
          throw inner.error(name, expectedValue)
        }
        values.removeAll { $0.name == name }
        values.append(NamedValue(name: name, value: value))
      }
      return .named(values)
    case .null, .bool, .number, .string, nil:
      throw object.error("params", "expected an array, or an object by the parameters' names")
    }
  }

  private static let expectedValue = "expected a string, a number, true, false, null or {\"base64\": string}"

  /// An integer literal stays exact up to 64 bits; other numbers are real, as in SQL.
  private static func parameter(_ value: JSONSlice, of object: SourceObject) -> SQLiteValue? {
    let bytes = object.bytes.span
    switch object.kind(of: value) {
    case .null: return .null
    case .bool: return .integer(JSONReader.bool(bytes, value) == true ? 1 : 0)
    case .string: return JSONReader.stringBytes(bytes, value).map { .text($0) }
    case .number:
      if let integer = JSONReader.integer(bytes, value) { return .integer(integer) }
      return JSONReader.number(bytes, value).flatMap { $0.isFinite ? .real($0) : nil }
    case .object:
      guard let inner = try? SourceObject(bytes, value, pointer: ""), inner.names == ["base64"],
        let slice = inner.value("base64"), let text = JSONReader.stringBytes(inner.bytes.span, slice)
      else { return nil }
      return Base64.decode(text).map { .blob($0) }
    case .array, nil: return nil
    }
  }
}
