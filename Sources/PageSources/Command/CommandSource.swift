import JSONText

/// The `command` source: a program has the items, in one of three ways.
enum CommandSource {
  private static let name = "command"

  /// The entry in the factory.
  static let type = SourceType(name: name) { (object) throws(SourceOpenError) in
    if let refusal = object.policy.refusal(ofProgram: name) { throw .source(refusal) }
    let settings = try CommandSettings(object)
    let shown = object.value("env") == nil ? nil : object.text(withoutValuesOf: "env")
    switch settings.mode {
    case .stream: return CommandStreamSource(settings, shownText: shown)
    case .page: return CommandPageSource(settings, shownText: shown)
    case .provider: return ProviderSource(settings, source: object.bytes, shownText: shown)
    }
  }

  /// Writes what the state says of every command.
  static func writeFacts(of settings: CommandSettings, to writer: inout JSONWriter) {
    writer.member("type", type.name)
    writer.member("mode", settings.mode.rawValue)
    writer.key("argv")
    writer.beginArray()
    for argument in settings.program.arguments { writer.string(utf8: argument.span) }
    writer.endArray()
  }
}
