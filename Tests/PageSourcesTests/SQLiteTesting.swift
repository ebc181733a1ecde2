import JSONText
import Testing

@testable import PageSources

/// A database of a test, written through the same library.
final class TestDatabase {
  let path: String
  private let library: SQLiteLibrary
  private var handle: OpaquePointer?

  init(_ directory: TemporaryDirectory, _ statements: [String] = [], name: String = "data.db") throws {
    library = try SQLiteLibrary.shared.get()
    path = "\(directory.path)/\(name)"
    let writableAndNew: Int32 = 0x6
    try #require(library.open(path, &handle, writableAndNew, nil) == 0)
    for statement in statements { try run(statement) }
  }

  deinit {
    _ = library.close(handle)
  }

  /// Runs one statement.
  func run(_ sql: String) throws {
    var statement: OpaquePointer?
    try #require(library.prepare(handle, sql, -1, &statement, nil) == 0, "\(sql)")
    defer { _ = library.finalize(statement) }
    var code = library.step(statement)
    while code == 100 { code = library.step(statement) }
    try #require(code == 101, "\(sql): \(code)")
  }

  /// How the database would go about a statement: what its query plan says, line by line.
  func plan(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    try #require(library.prepare(handle, "EXPLAIN QUERY PLAN " + sql, -1, &statement, nil) == 0, "\(sql)")
    defer { _ = library.finalize(statement) }
    var lines: [String] = []
    while library.step(statement) == 100 {
      // The fourth column tells it in words.
      let text = library.columnText(statement, 3)
      lines.append(text.map { String(cString: $0) } ?? "")
    }
    return lines
  }

  /// Opens a source of it; `members` are more members of the source object.
  func source(_ members: String) throws -> any PageSource {
    try opened("{\"type\":\"sqlite\",\"path\":\(quoted(path)),\(members)}")
  }
}

extension SourcePage {
  /// The cursor of the next page as text, nil where there is none.
  var nextText: String? {
    guard case .value(let cursor) = next else { return nil }
    return String(decoding: cursor, as: UTF8.self)
  }
}

/// What a source says of itself.
func facts(_ source: any PageSource) -> String {
  var writer = JSONWriter()
  source.facts(into: &writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}
