import JSONText
import Testing

@testable import PageSources

@Suite struct SourceFactoryTests {
  @Test func typesOfThisBuildAreListed() {
    #expect(SourceFactory.typeNames == ["items", "synthetic", "file", "client", "http", "sqlite", "command"])
  }

  @Test func anUnknownTypeNamesTheTypesThereAre() throws {
    let error = try #require(openError(#"{"type":"mysql","path":"x"}"#))
    #expect(error.code == .sourceUnavailable)
    #expect(error.message.contains("\"mysql\""))
    #expect(error.message.contains("items, synthetic, file, client, http, sqlite, command"))
    #expect(error.details.map(\.key) == ["type", "types"])
    let listed = String(decoding: error.details[1].json, as: UTF8.self)
    #expect(listed == #"["items","synthetic","file","client","http","sqlite","command"]"#)
  }

  @Test func aHugeTypeNameIsCutInTheMessage() throws {
    let error = try #require(openError(#"{"type":"\#(String(repeating: "x", count: 100_000))"}"#))
    #expect(error.message.utf8.count < 500)
  }

  @Test(arguments: [
    ("3", "/source: expected an object with a member \"type\""),
    ("[]", "/source: expected an object with a member \"type\""),
    ("null", "/source: expected an object with a member \"type\""),
    (
      "{}",
      "/source/type: expected a string that names a source type (items, synthetic, file, client, http, sqlite, command)"
    ),
    (
      #"{"type":3}"#,
      "/source/type: expected a string that names a source type (items, synthetic, file, client, http, sqlite, command)"
    ),
    (#"{"type":"items"}"#, "/source/items: expected an array"),
    (#"{"type":"items","items":{}}"#, "/source/items: expected an array"),
    (#"{"type":"items","items":[],"other":1}"#, "/source/other: unknown member; known here are items"),
    (#"{"type":"items","items":[],"a~b/c":1}"#, "/source/a~0b~1c: unknown member; known here are items"),
    (#"{"type":"client","param":1}"#, "/source/param: unknown member; known here are params"),
    (#"{"type":"file"}"#, "/source/path: expected a string"),
    (#"{"type":"file","path":3}"#, "/source/path: expected a string"),
    (#"{"type":"file","path":null}"#, "/source/path: expected a string"),
    (#"{"type":"file","path":"/x","follow":1}"#, "/source/follow: expected true or false"),
    (
      #"{"type":"file","path":"/x","Path":"/y"}"#,
      "/source/Path: unknown member; known here are path, format, header, from, follow, countTotal"
    ),
    (
      #"{"type":"file","path":"/x.log.gz","from":"end"}"#,
      #"/source/from: a compressed file can only be read from "start""#
    ),
    (#"{"type":"file","path":"/x.gz","follow":true}"#, "/source/follow: true is not for a compressed file"),
  ])
  func malformedMembersAreNamed(_ json: String, _ message: String) {
    #expect(paramsMessage(json) == message)
  }

  @Test func aWordThatIsNoneOfSeveralIsNamed() throws {
    let message = try #require(paramsMessage(#"{"type":"file","path":"/x","format":"xml"}"#))
    #expect(message.hasPrefix("/source/format: expected one of \"lines\", \"jsonl\""))
  }

  @Test func theLastOfDuplicateMembersCounts() throws {
    let source = try opened(#"{"type":"nothing","items":3,"\u0069tems":[1],"type":"items"}"#)
    #expect(try source.fetch(PageRequest()).get().texts == ["1"])
  }

  @Test func thePointerFollowsWhereTheObjectStands() {
    let bytes = Array(#"{"type":"items"}"#.utf8)
    let result = SourceFactory.open(bytes.span, .init(start: 0, end: bytes.count), pointer: "/refresh/source")
    guard case .failure(.params(let error)) = result else {
      Issue.record("expected a params error")
      return
    }
    #expect(error == SourceParamsError(pointer: "/refresh/source/items", problem: "expected an array"))
  }

  @Test func aClientSourceAsksTheFrontEndAndKeepsItsParams() throws {
    let source = try #require(try opened(#"{"type":"client","params":{"q": 1.0}}"#) as? ClientSource)
    #expect(source.params.map { String(decoding: $0, as: UTF8.self) } == #"{"q": 1.0}"#)
    guard case .frontEnd = source.plan(PageRequest(), idPath: defaultIDPath) else {
      Issue.record("expected the front end")
      return
    }
    #expect((try opened(#"{"type":"client"}"#) as? ClientSource)?.params == nil)
  }

  @Test func factsAreOneObjectThatStartsWithTheType() throws {
    for json in [#"{"type":"items","items":[1,2]}"#, #"{"type":"synthetic","count":null}"#, #"{"type":"client"}"#] {
      var writer = JSONWriter()
      let source = try opened(json)
      source.facts(into: &writer)
      #expect(String(decoding: writer.bytes, as: UTF8.self).hasPrefix("{\"type\":\"\(source.typeName)\""))
      #expect((try? JSONScanner().scanDocument(writer.bytes.span, JSONSlice(start: 0, end: writer.bytes.count))) != nil)
    }
  }
}
