import JSONText

/// The `command` source of mode `stream`: what a program writes is the list.
final class CommandStreamSource: PageSource {
  private let runs: StreamRuns
  let shownText: [UInt8]?

  init(_ settings: CommandSettings, shownText: [UInt8]?) {
    runs = StreamRuns(settings)
    self.shownText = shownText
  }

  var typeName: String { CommandSource.type.name }

  func plan(_ request: PageRequest, idPath: JSONPointer) -> FetchPlan {
    .waiting { [runs] cancellation in runs.page(request, idPath: idPath, cancellation: cancellation) }
  }

  func facts(into writer: inout JSONWriter) {
    writer.beginObject()
    CommandSource.writeFacts(of: runs.settings, to: &writer)
    let run = runs.newest
    writer.member("bytes", run?.readBytes ?? 0)
    let outcome = run?.outcome
    writer.member("running", run?.isStarted == true && outcome == nil)
    writer.key("exitStatus")
    if case .exited(let status)? = outcome { writer.int(Int(status)) } else { writer.null() }
    writer.key("signal")
    if case .signalled(let number)? = outcome { writer.string(ProcessEnd.signalName(number)) } else { writer.null() }
    writer.endObject()
  }

  func generationCommitted(_ generation: Int) { runs.end { $0 != generation } }

  func generationDiscarded(_ generation: Int) { runs.end { $0 == generation } }

  func close() { runs.close() }
}
