import JSONText

/// A source that a provider program has: one of a type that is no type of ours, or a `command` of mode `provider`.
final class ProviderSource: PageSource {
  let typeName: String
  let takesStartAt = true
  let shownText: [UInt8]?
  private let connection: ProviderConnection
  private let list: ProviderList
  /// The argument list that the state shows; nil for a program that was found by its type.
  private let command: CommandSettings?
  private var isClosed = false

  /// What the name of a provider's program starts with.
  static let programPrefix = "pagewire-source-"

  /// The source of a command of mode `provider`.
  init(_ settings: CommandSettings, source: [UInt8], shownText: [UInt8]?) {
    typeName = CommandSource.type.name
    command = settings
    self.shownText = shownText
    connection = ProviderConnections.connection(to: settings.program, name: settings.program.name)
    list = connection.open(source: source, params: settings.params)
  }

  private init(type: String, _ program: Program, source: [UInt8], params: [UInt8]?) {
    typeName = type
    command = nil
    shownText = nil
    connection = ProviderConnections.connection(to: program, name: Self.programPrefix + type)
    list = connection.open(source: source, params: params)
  }

  /// The source of a type that names a program; nil where there is no such program.
  static func named(_ type: String, _ object: SourceObject) throws(SourceOpenError) -> ProviderSource? {
    guard isName(type), let path = program(for: type) else { return nil }
    if let refusal = object.policy.refusal(ofProgram: type) { throw .source(refusal) }
    try object.refuseOthers(than: ["params"])
    let program = Program(
      path: path, arguments: [Array((programPrefix + type).utf8)], environment: Environment.ours.entries)
    let params = try object.passedOn("params")
    return ProviderSource(type: type, program, source: object.bytes, params: params)
  }

  /// Whether a type may be the name of a provider.
  static func isName(_ type: String) -> Bool {
    (1...64).contains(type.utf8.count)
      && type.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
  }

  /// The program for a type: beside the server, else on PATH.
  private static func program(for type: String) -> [UInt8]? {
    let name = Array((programPrefix + type).utf8)
    if let folder = OwnProgram.folder, let file = ProgramSearch.find(name, inFolder: folder) { return file }
    return try? ProgramSearch.find(name, in: .ours, from: nil)
  }

  func plan(_ request: PageRequest, idPath: JSONPointer) -> FetchPlan {
    .deferred { [connection, list] flag, answer in
      connection.fetch(ProviderCall(list: list, request: request, idPath: idPath, flag: flag, answer: answer))
    }
  }

  func facts(into writer: inout JSONWriter) {
    writer.beginObject()
    if let command {
      CommandSource.writeFacts(of: command, to: &writer)
    } else {
      writer.member("type", typeName)
    }
    writer.member("running", connection.isRunning)
    writer.key("facts")
    if let facts = list.facts { writer.raw(facts) } else { writer.null() }
    writer.endObject()
  }

  func close() {
    if isClosed { return }
    isClosed = true
    connection.close(list)
  }
}
