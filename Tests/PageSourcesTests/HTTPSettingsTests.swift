import JSONText
import Testing

@testable import PageSources

@Suite struct HTTPSettingsTests {
  private func source(_ members: String, paging: String = #"{"strategy":"page"}"#) -> String {
    #"{"type":"http","url":"http://a/x?k=1","paging":\#(paging)\#(members.isEmpty ? "" : ",")\#(members)}"#
  }

  private func pages(_ members: String, paging: String) throws -> HTTPPages {
    let bytes = Array(source(members, paging: paging).utf8)
    let object = try SourceObject(bytes.span, JSONSlice(start: 0, end: bytes.count), pointer: "/source")
    return HTTPPages(try HTTPSettings(object))
  }

  /// What is sent for a request, as text.
  private func sent(
    _ members: String = "", paging: String, cursor: String? = nil, kind: PageRequest.Kind = .more, page: Int = 0,
    offset: Int = 0, limit: Int = 5
  ) throws -> String {
    let pages = try pages(members, paging: paging)
    let request = PageRequest(
      kind: kind, cursor: cursor.map { Array($0.utf8) }, page: page, offset: offset, limit: limit)
    let step = try pages.step(request)
    let call = try pages.call(step, limit: step.size ?? limit)
    let own = ["Accept", "User-Agent", "Expect", "Content-Type"]
    let headers = call.headers.map { String(decoding: $0, as: UTF8.self) }.filter { line in
      !own.contains { line.hasPrefix($0) }
    }
    let body = call.body.map { [String(decoding: $0, as: UTF8.self)] } ?? []
    return ([call.method, String(decoding: call.url.text, as: UTF8.self)] + headers + body).joined(separator: " ")
  }

  @Test func pagesAreNumbered() throws {
    #expect(try sent(paging: #"{"strategy":"page"}"#) == "GET http://a/x?k=1&page=1")
    let paging = #"{"strategy":"page","param":"p[n]","sizeParam":"n","first":0}"#
    #expect(try sent(paging: paging, page: 3) == "GET http://a/x?k=1&p%5Bn%5D=3&n=5")
    #expect(try sent(paging: paging, cursor: "9") == "GET http://a/x?k=1&p%5Bn%5D=9&n=5")
  }

  @Test func offsetsAreCounted() throws {
    let paging = #"{"strategy":"offset","param":"k","sizeParam":"n"}"#
    #expect(try sent(paging: paging, offset: 7) == "GET http://a/x?k=7&n=5")
    #expect(try sent(paging: paging, cursor: "40") == "GET http://a/x?k=40&n=5")
    #expect(try sent(paging: paging, cursor: #"{"before":7,"page":-1}"#) == "GET http://a/x?k=2&n=5")
    #expect(try sent(paging: paging, cursor: #"{"before":3,"page":-1}"#) == "GET http://a/x?k=0&n=3")
  }

  @Test(arguments: [
    (#"{"query":"c"}"#, #""a+b= \u00e4""#, "GET http://a/x?k=1&c=a%2Bb%3D%20%C3%A4"),
    (#"{"query":"c"}"#, "9007199254740993.0", "GET http://a/x?k=1&c=9007199254740993.0"),
    (#"{"query":"c"}"#, #"{"a": 1e400}"#, "GET http://a/x?k=1&c=%7B%22a%22%3A%201e400%7D"),
    (#"{"header":"X-C"}"#, #""abc""#, "GET http://a/x?k=1 X-C: abc"),
    (#"{"header":"X-C"}"#, #"[1, 2]"#, "GET http://a/x?k=1 X-C: [1, 2]"),
    (#"{"body":"/after/0"}"#, #"[1.0,{"b" :2}]"#, #"GET http://a/x?k=1 {"after":{"0":[1.0,{"b" :2}]}}"#),
  ])
  func cursorsAreSentExactly(_ to: String, _ cursor: String, _ expected: String) throws {
    #expect(try sent(paging: #"{"strategy":"cursor","from":"/n","to":\#(to)}"#, cursor: cursor) == expected)
  }

  @Test func aCursorTakesThePlaceOfATemplateHeader() throws {
    let paging = #"{"strategy":"cursor","from":"/n","to":{"header":"x-c"},"sizeTo":{"body":"/s"}}"#
    let text = try sent(#""headers":{"X-C":"first","X-Cd":"1"},"body":{"q":1}"#, paging: paging, cursor: "2")
    #expect(text == #"GET http://a/x?k=1 X-Cd: 1 x-c: 2 {"q":1,"s":5}"#)
  }

  @Test func aTokenOfTheWayBackGoesToItsOwnPlace() throws {
    let paging = #"""
      {"strategy":"cursor","from":"/n","to":{"query":"after"},"previousFrom":"/p","previousTo":{"query":"before"}}
      """#
    #expect(try sent(paging: paging, cursor: "\"t\"") == "GET http://a/x?k=1&after=t")
    #expect(try sent(paging: paging, cursor: #"{"before":[1, 2]}"#) == "GET http://a/x?k=1&before=%5B1%2C%202%5D")
    // Without a place of its own, a token is what it is.
    let one = #"{"strategy":"cursor","from":"/n","to":{"query":"c"},"previousFrom":"/p"}"#
    #expect(try sent(paging: one, cursor: #"{"before":1}"#) == "GET http://a/x?k=1&c=%7B%22before%22%3A1%7D")
  }

  @Test func aCursorWithLineBreaksIsNoHeader() throws {
    let paging = #"{"strategy":"cursor","from":"/n","to":{"header":"x-c"}}"#
    #expect(throws: SourceError.self) { try sent(paging: paging, cursor: #""a\r\nX: y""#) }
  }

  @Test func aURLIsAskedAsItStands() throws {
    let paging = #"{"strategy":"link","sizeParam":"n"}"#
    #expect(try sent(paging: paging) == "GET http://a/x?k=1&n=5")
    #expect(try sent(paging: paging, cursor: #""http://a/y?z=%3D""#) == "GET http://a/y?z=%3D")
    #expect(try sent(paging: paging, cursor: #""?z""#) == "GET http://a/x?z")
  }

  @Test func variablesOfAGraphQLQueryAreSet() throws {
    let body = #""body":{"query":"q","variables":{"after":"old","x":1}}"#
    let paging = #"{"strategy":"graphql","connection":"/data/items","before":"before"}"#
    let start = #"POST http://a/x?k=1 {"query":"q","variables":{"#
    #expect(try sent(body, paging: paging) == start + #""after":"old","x":1,"first":5}}"#)
    #expect(try sent(body, paging: paging, cursor: "\"t\"") == start + #""after":"t","x":1,"first":5}}"#)
    #expect(
      try sent(body, paging: paging, cursor: #"{"before":"t"}"#)
        == start + #""after":"old","x":1,"last":5,"before":"t"}}"#)
  }

  @Test func aPageThatIsPolledKeepsItsCursor() throws {
    let paging = #"{"strategy":"cursor","from":"/n","to":{"query":"c"}}"#
    let cursor = #"{"poll":3,"cursor":"t"}"#
    #expect(try sent(#""end":{"repeatedCursor":"poll"}"#, paging: paging, cursor: cursor) == "GET http://a/x?k=1&c=t")
    #expect(try sent(paging: paging, cursor: cursor).contains("poll"))
  }

  @Test func foreignCursorsAreRefused() {
    for (paging, cursor) in [
      (#"{"strategy":"page"}"#, "\"x\""), (#"{"strategy":"page"}"#, "1e3"), (#"{"strategy":"offset"}"#, "-1"),
      (#"{"strategy":"offset"}"#, #"{"before":3}"#), (#"{"strategy":"link"}"#, "3"), (#"{"strategy":"single"}"#, "3"),
      (#"{"strategy":"link"}"#, #""ftp://a/""#),
    ] {
      #expect(throws: SourceError.self) { try sent(paging: paging, cursor: cursor) }
    }
  }

  @Test func queryMembersAreAdded() throws {
    let query = #""query":{"a b":"ä","n":1.0,"t":true,"r":["x",2]}"#
    #expect(
      try sent(query, paging: #"{"strategy":"single"}"#)
        == "GET http://a/x?k=1&a%20b=%C3%A4&n=1.0&t=true&r=x&r=2")
  }

  @Test(arguments: [
    (#"{"type":"http"}"#, "/source/url: expected an http or https URL"),
    (
      #"{"type":"http","url":"http://u:p@a/"}"#,
      "/source/url: expected an http or https URL; this one has a user name or password, which belong into a header"
    ),
    (#"{"type":"http","url":"http://a/","paging":3}"#, "/source/paging: expected \"auto\" or an object"),
  ])
  func theURLAndTheStrategyMustBeThere(_ json: String, _ message: String) {
    #expect(paramsMessage(json) == message)
  }

  @Test(arguments: [
    (#""paging":{"strategy":"x"}"#, "/source/paging/strategy: expected one of"),
    (#""paging":{"strategy":"page","first":"1"}"#, "/source/paging/first: expected an integer"),
    (#""paging":{"strategy":"page","rel":"x"}"#, "/source/paging/rel: unknown member"),
    (#""paging":{"strategy":"cursor","to":{"query":"c"}}"#, "/source/paging/from: expected"),
    (#""paging":{"strategy":"cursor","from":"/c"}"#, "/source/paging/to: expected"),
    (#""paging":{"strategy":"cursor","from":"c","to":{"query":"c"}}"#, "/source/paging/from: expected a JSON Pointer"),
    (#""paging":{"strategy":"cursor","from":"/c","to":{}}"#, "/source/paging/to: expected exactly one"),
    (
      #""paging":{"strategy":"cursor","from":"/c","to":{"query":"c"},"previousTo":{"query":"b"}}"#,
      "/source/paging/previousTo: needs previousFrom"
    ),
    (
      #""body":3,"paging":{"strategy":"cursor","from":"/c","to":{"query":"c"},"previousFrom":"/p","previousTo":{"body":"/b"}}"#,
      "/source/paging/previousTo/body: leads to no place"
    ),
    (
      #""body":3,"paging":{"strategy":"cursor","from":"/c","to":{"body":"/a"}}"#,
      "/source/paging/to/body: leads to no place"
    ),
    (
      #""paging":{"strategy":"graphql","connection":"/d"}"#,
      "/source/body: expected an object with the member \"query\""
    ),
    (#""headers":{"X Y":"1"}"#, "/source/headers/X Y: is no name of a header"),
    (#""headers":{"Host":"x"}"#, "/source/headers/Host: cannot be set"),
    (#""headers":{"X":"a\r\nY: b"}"#, "/source/headers/X: expected a value without line breaks"),
    (#""headers":{"X":1}"#, "/source/headers/X: expected a string or"),
    (#""headers":{"X":{"env":"A","b":1}}"#, "/source/headers/X/b: unknown member"),
    (#""query":{"a":null}"#, "/source/query/a: expected a string"),
    (#""query":[]"#, "/source/query: expected an object"),
    (#""method":"HEAD""#, "/source/method: expected a method"),
    (#""method":"get""#, "/source/method: expected a method"),
    (#""items":"x""#, "/source/items: expected a JSON Pointer"),
    (#""end":{"nullItems":1}"#, "/source/end/nullItems: expected"),
    (#""end":{"repeatedCursor":"x"}"#, "/source/end/repeatedCursor: expected one of"),
    (#""credentialOrigins":["https://a/x"]"#, "/source/credentialOrigins/0: expected an origin"),
    (#""maxResponseBytes":0"#, "/source/maxResponseBytes: expected an integer"),
    (#""retries":3"#, "/source/retries: unknown member"),
  ])
  func malformedMembersAreNamed(_ members: String, _ start: String) throws {
    let json = members.contains("\"paging\"") ? #"{"type":"http","url":"http://a/",\#(members)}"# : source(members)
    let message = try #require(paramsMessage(json))
    #expect(message.hasPrefix(start))
  }

  @Test func aSecretThatIsNotSetIsSaidAtOnce() throws {
    let error = try #require(openError(source(#""headers":{"X":{"env":"PAGEWIRE_NO_SUCH_VARIABLE"}}"#)))
    #expect(error.code == .sourceUnavailable)
    #expect(error.message.contains("PAGEWIRE_NO_SUCH_VARIABLE"))
  }

  @Test func headersAreShownWithoutValues() throws {
    let shown = try opened(source(#""headers":{"A":"secret","B":{"env":"PATH"}}"#)).shownText
    let text = String(decoding: try #require(shown), as: UTF8.self)
    #expect(
      text == #"{"type":"http","url":"http://a/x?k=1","paging":{"strategy":"page"},"headers":{"A":null,"B":null}}"#)
  }
}
