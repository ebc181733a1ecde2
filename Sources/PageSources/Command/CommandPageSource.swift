import JSONText

/// The `command` source of mode `page`: a program is run for each page.
final class CommandPageSource: PageSource {
  private let runs: RunPerPage
  let shownText: [UInt8]?

  init(_ settings: CommandSettings, shownText: [UInt8]?) {
    runs = RunPerPage(settings: settings)
    self.shownText = shownText
  }

  var typeName: String { CommandSource.type.name }
  let takesStartAt = true

  func plan(_ request: PageRequest, idPath: JSONPointer) -> FetchPlan {
    .waiting { [runs] cancellation in runs.page(request, idPath: idPath, cancellation: cancellation) }
  }

  func facts(into writer: inout JSONWriter) {
    writer.beginObject()
    CommandSource.writeFacts(of: runs.settings, to: &writer)
    writer.endObject()
  }

  func close() {}
}
