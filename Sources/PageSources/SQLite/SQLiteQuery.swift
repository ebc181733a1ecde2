/// A query that came with a request.
struct SQLiteQuery {
  private let connection: SQLiteConnection
  private let path: [UInt8]

  init(_ connection: SQLiteConnection, path: [UInt8]) {
    self.connection = connection
    self.path = path
  }

  /// The one SELECT that the text holds, without what may follow it, and the same compiled.
  func single(_ text: String) throws(SQLiteFailure) -> (text: String, statement: SQLiteStatement) {
    let (first, length) = try connection.prepareFirst(of: text)
    guard let statement = first else { throw refused("there is none") }
    var rest = String(decoding: text.utf8.dropFirst(length), as: UTF8.self)
    while !rest.isEmpty {
      let next: (statement: SQLiteStatement?, length: Int)
      do throws(SQLiteFailure) {
        next = try connection.prepareFirst(of: rest)
      } catch {
        throw refused("something follows it")
      }
      if next.statement != nil { throw refused("another statement follows it") }
      if next.length == 0 { break }
      rest = String(decoding: rest.utf8.dropFirst(next.length), as: UTF8.self)
    }
    guard statement.columnCount > 0, statement.isReadOnly else { throw refused("this one is another statement") }
    var own = text.utf8.prefix(length)
    if own.last == UInt8(ascii: ";") { own = own.dropLast() }
    return (String(decoding: own, as: UTF8.self), statement)
  }

  /// The values of the statement's parameters, from the first on.
  func values(
    for statement: SQLiteStatement, _ given: SQLiteSettings.Parameters
  ) throws(SQLiteFailure) -> [SQLiteValue] {
    let count = statement.parameterCount
    switch given {
    case .numbered(let values):
      if values.count != count {
        throw wrong("the query has \(count) parameters, and params has \(values.count) values")
      }
      return values
    case .named(let named):
      var unused = named.map(\.name)
      var values: [SQLiteValue] = []
      for index in 0..<count {
        guard let name = statement.parameterName(index + 1) else {
          throw wrong("parameter \(index + 1) of the query has no name, so params must be an array")
        }
        let exact = named.first { $0.name == name }
        guard let found = exact ?? named.first(where: { $0.name == name.dropFirst() }) else {
          throw wrong("params has no value for the query's parameter \(SourceObject.shown(name))")
        }
        unused.removeAll { $0 == found.name }
        values.append(found.value)
      }
      if let name = unused.first { throw wrong("the query has no parameter \(SourceObject.shown(name))") }
      return values
    }
  }

  /// The failure for a query that is not one SELECT.
  func refused(_ what: String) -> SQLiteFailure { wrong("the query must be one SELECT: \(what)") }

  private func wrong(_ what: String) -> SQLiteFailure { .source(.unpageable(path, what)) }
}
