import JSONText

/// The `sqlite` source: the rows of a table, a view or a query of an SQLite database, read-only.
///
/// A page's cursor holds the values of the row that it follows, so any page costs what the page holds, and rows that come
/// or go meanwhile move no others. Only a view or a query without a declared key is paged by counting.
///
/// Opening it looks at the path alone. The file itself is left to SQLite: a descriptor that we closed would give up the
/// locks that SQLite holds in this process. So what is wrong with the database, the table or the query shows with the
/// first page, which waits for locks on a thread of its own.
final class SQLiteSource: PageSource {
  /// The entry in the factory.
  static let type = SourceType(name: "sqlite") { (object) throws(SourceOpenError) in
    let settings = try SQLiteSettings(object)
    do throws(SourceError) {
      return try SQLiteSource(settings, library: SQLiteLibrary.shared.get())
    } catch {
      throw .source(error)
    }
  }

  private let pages: SQLitePages

  /// A source for a file that is there now.
  init(_ settings: SQLiteSettings, library: SQLiteLibrary) throws(SourceError) {
    pages = SQLitePages(settings, path: try FileSource.absolutePath(settings.path), library: library)
    _ = try pages.place()
  }

  var typeName: String { Self.type.name }
  let takesStartAt = true

  func plan(_ request: PageRequest, idPath: JSONPointer) -> FetchPlan {
    .blocking { [pages] cancellation in pages.page(request, idPath: idPath, cancellation: cancellation) }
  }

  func facts(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("type", typeName)
    let path = pages.path
    writer.key("path")
    writer.string(utf8: path.span)
    switch pages.settings.rows {
    case .table(let table): writer.member("table", table)
    case .query(let query): writer.member("query", query)
    }
    if let shape = pages.shape {
      writer.member("paging", shape.isCounted ? "offset" : "keyset")
      writer.member("reason", shape.reason)
      if !shape.isCounted {
        writer.key("key")
        writer.beginArray()
        for key in shape.heads {
          writer.beginObject()
          writer.member("column", key.name)
          writer.member("descending", key.descending)
          writer.endObject()
        }
        writer.endArray()
      }
    }
    writer.endObject()
  }

  func close() { pages.close() }
}
