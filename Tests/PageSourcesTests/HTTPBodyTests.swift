import JSONText
import Testing

@testable import PageSources

@Suite struct HTTPBodyTests {
  @Test(arguments: [
    ("{}", "/a", #"{"a":V}"#), (#"{"b":1}"#, "/a", #"{"b":1,"a":V}"#),
    (#"{ "a" : 1.0 , "b":2}"#, "/a", #"{ "a" : V , "b":2}"#),
    ("{}", "/a/b/c", #"{"a":{"b":{"c":V}}}"#), (#"{"a":null}"#, "/a/b", #"{"a":{"b":V}}"#), ("null", "/a", #"{"a":V}"#),
    ("[1,2]", "/1", "[1,V]"), ("[{ }]", "/0/x", #"[{ "x":V}]"#), ("3", "", "V"),
    (#"{"a":1,"a":2}"#, "/a", #"{"a":1,"a":V}"#),
    (#"{"a/b":1}"#, "/a~1b", #"{"a/b":V}"#), ("{}", "/a\"", #"{"a\"":V}"#),
  ])
  func aValueIsPutIntoABody(_ text: String, _ pointer: String, _ expected: String) throws {
    let result = JSONEdit.setting(Array(text.utf8), at: try JSONPointer(pointer), to: Array("V".utf8))
    #expect(result.map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test(arguments: [("3", "/a"), ("[]", "/0"), ("[1]", "/-"), (#"{"a":"x"}"#, "/a/b"), ("{", "/a")])
  func aPlaceThatCannotBeIsRefused(_ text: String, _ pointer: String) throws {
    #expect(JSONEdit.setting(Array(text.utf8), at: try JSONPointer(pointer), to: Array("1".utf8)) == nil)
  }

  private func found(_ text: String) -> String {
    let bytes = Array(text.utf8)
    switch ItemFinder.find(bytes.span, JSONSlice(start: 0, end: bytes.count)) {
    case .array(_, let pointer): return "\"\(pointer.text)\""
    case .unclear(let pointers): return pointers.map(\.text).joined(separator: " ")
    case .nothing: return "nothing"
    }
  }

  @Test(arguments: [
    ("[]", "\"\""), (#"{"results":[],"facets":[{}]}"#, "\"/results\""),
    (#"{"value":[1],"@odata.nextLink":"x"}"#, "\"/value\""),
    (#"{"experiments":[{}],"next_page_token":"x"}"#, "\"/experiments\""),
    (#"{"data":{"items":[]}}"#, "\"/data/items\""),
    (#"{"data":[],"included":[{}],"errors":[]}"#, "\"/data\""),
    (#"{"hits":{"total":1,"hits":[{}]}}"#, "\"/hits/hits\""),
    (#"{"a":[{}],"b":[{}]}"#, "/a /b"), (#"{"id":1,"tags":["x"]}"#, "nothing"), ("{}", "nothing"), ("3", "nothing"),
    (#"{"a":{"b":{"c":{"d":[]}}}}"#, "nothing"), (#"{"a":{"items":[]},"b":{"items":[]}}"#, "/a/items /b/items"),
    (#"{"tags":["x"],"page":{"rows":[1]}}"#, "\"/page/rows\""),
  ])
  func itemsAreFoundByRule(_ text: String, _ expected: String) {
    #expect(found(text) == expected)
  }
}
