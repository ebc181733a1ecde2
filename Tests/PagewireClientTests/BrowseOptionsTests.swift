import JSONText
import PagewireClient
import Testing

@testable import PagewireBrowse

struct BrowseOptionsTests {
  private func parse(_ arguments: String...) throws -> BrowseOptions {
    guard case .browse(let options) = try BrowseOptions.parse(arguments) else {
      throw UsageError("help")
    }
    return options
  }

  private func json(_ source: SourceArgument) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    source.write(to: &writer)
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func aSourceIsAPathAUrlAnObjectOrAProgram() throws {
    #expect(json(try parse("a\"b.txt").source) == #"{"source":{"type":"file","path":"a\"b.txt"}}"#)
    #expect(json(try parse("https://x/y").source) == #"{"source":{"type":"http","url":"https://x/y"}}"#)
    #expect(json(try parse(#"{"type":"items","items":[1.0]}"#).source) == #"{"source":{"type":"items","items":[1.0]}}"#)
    #expect(
      json(try parse("--", "ls", "-l", "--help").source)
        == #"{"source":{"type":"command","argv":["ls","-l","--help"]}}"#)
  }

  @Test func optionsStandAnywhereBeforeTheProgram() throws {
    let options = try parse("f", "--page-size", "5", "--server=a 'b c'")
    #expect(options.pageSize == 5)
    #expect(options.server == ServerCommand(arguments: ["a", "b c"]))
    #expect(try parse("--page-size=7", "--", "x").pageSize == 7)
    #expect(try BrowseOptions.parse(["x", "--help"]) == .help)
  }

  @Test(arguments: [
    [], ["--what"], ["-x", "f"], ["f", "g"], ["--page-size"], ["--page-size", "0", "f"], ["--page-size=x", "f"],
    ["--page-size=99999999999999999999", "f"], ["--server", "'", "f"], ["--"], ["f", "--", "ls"], [""], ["{"],
    [#"{"a":1}x"#],
  ])
  func aBadCommandLineIsRefused(_ arguments: [String]) {
    #expect(throws: UsageError.self) { try BrowseOptions.parse(arguments) }
  }

  @Test func aMessageIsOneLineThatNoTerminalObeys() {
    #expect(quoted("a\u{1B}[2J\n\u{9B}b") == "\"a^[[2J^J<U+009B>b\"")
  }
}
