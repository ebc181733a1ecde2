import JSONText

/// The `http` source: an API that gives its items page by page.
///
/// Requests run on threads of the pool. A page's cursor holds all that is needed to ask for that page again: its URL, its
/// token, or its number.
final class HTTPSource: PageSource {
  /// The entry in the factory.
  static let type = SourceType(name: "http") { (object) throws(SourceOpenError) in
    HTTPSource(try HTTPSettings(object), shown: object.text(withoutValuesOf: "headers"))
  }

  private let pages: HTTPPages
  let shownText: [UInt8]?

  private init(_ settings: HTTPSettings, shown: [UInt8]) {
    pages = HTTPPages(settings)
    shownText = shown
  }

  var typeName: String { Self.type.name }
  let takesStartAt = true

  func plan(_ request: PageRequest, idPath: JSONPointer) -> FetchPlan {
    .waiting { [pages] cancellation in
      Result { () throws(SourceError) in try pages.page(request, idPath: idPath, cancellation) }
    }
  }

  func facts(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("type", typeName)
    writer.member("url", pages.settings.secrets.hidden(pages.settings.url.shown))
    writer.key("strategy")
    writer.string(ascii: pages.settings.paging.word)
    if pages.settings.paging == .auto {
      writer.key("found")
      if let strategy = pages.found.strategy {
        writer.beginObject()
        writer.member("strategy", strategy.word)
        writer.member("why", strategy.why)
        writer.endObject()
      } else {
        writer.null()
      }
    }
    // Where the items are, as soon as that is known.
    writer.key("items")
    if let pointer = pages.settings.items?.text ?? pages.found.pointer {
      writer.string(pointer)
    } else {
      writer.null()
    }
    writer.endObject()
  }

  func close() { pages.exchange.connections.close() }
}
