import JSONText
import Testing

@testable import PagewireBrowse

struct PrintedItemsTests {
  private func printed(_ array: String, count: Int) -> String {
    var items = PrintedItems()
    let bytes = Array(array.utf8)
    #expect(items.append(bytes.span, array: JSONSlice(start: 0, end: bytes.count)) == count)
    return String(decoding: items.output, as: UTF8.self)
  }

  @Test func linesArePrintedAsTheirText() {
    #expect(
      printed(#"[{"offset":0,"text":"a"},{"offset":2,"text":""},{"offset":3,"text":"q\"\\\t\u00e9日"}]"#, count: 3)
        == "a\n\nq\"\\\té日\n")
  }

  @Test func linesInOtherFormsAreLinesToo() {
    #expect(printed(#"[ { "offset" : 5 , "text" : "x" } , {"text":"y","offset":-1}]"#, count: 2) == "x\ny\n")
    #expect(printed(#"[{"offset":0,"line":7,"text":"x","truncated":true}]"#, count: 1) == "x\n")
  }

  @Test func linesThatWereCutAreCounted() {
    var items = PrintedItems()
    let bytes = Array(#"[{"offset":0,"text":"x","truncated":true,"bytes":9},{"offset":9,"text":"y"}]"#.utf8)
    #expect(items.append(bytes.span, array: JSONSlice(start: 0, end: bytes.count)) == 2)
    #expect(items.truncatedLines == 1)
  }

  @Test func otherItemsAreTheirJSONByteForByte() {
    #expect(
      printed(#"[1.0, "a\u0062" ,{"b": 1,  "a":[ ]},null]"#, count: 4)
        == "1.0\n\"a\\u0062\"\n{\"b\": 1,  \"a\":[ ]}\nnull\n")
    #expect(
      printed(#"[{"offset":1,"text":"x","user":"me"}]"#, count: 1) == "{\"offset\":1,\"text\":\"x\",\"user\":\"me\"}\n")
    #expect(printed(#"[{"offset":"1","text":"x"}]"#, count: 1) == "{\"offset\":\"1\",\"text\":\"x\"}\n")
    #expect(printed(#"[{"offset":1.5,"text":"x"}]"#, count: 1) == "{\"offset\":1.5,\"text\":\"x\"}\n")
  }

  @Test func anItemOverSeveralLinesBecomesOne() {
    #expect(printed("[{\n  \"a\": 1,\r\n  \"b\": \"c d\"\n}\n]", count: 1) == "{  \"a\": 1,  \"b\": \"c d\"}\n")
  }

  @Test func anEmptyPagePrintsNothing() {
    #expect(printed("[]", count: 0) == "")
    #expect(printed("[ ]", count: 0) == "")
  }

  @Test func whatIsNoArrayIsRefused() {
    #expect(printed("{}", count: -1) == "")
  }

  @Test func compactTextDropsOnlyBlanksBetweenTokens() {
    let bytes = Array("{ \"a b\" : [ 1 , \"\\\" x\" ] }".utf8)
    var output: [UInt8] = []
    var members: [JSONMember] = []
    let isAll = ItemText.append(
      bytes.span, JSONSlice(start: 0, end: bytes.count), limit: 100, members: &members, to: &output)
    #expect(isAll)
    #expect(String(decoding: output, as: UTF8.self) == "{\"a b\":[1,\"\\\" x\"]}")
  }

  @Test func aCutNeverSplitsAnEscape() {
    for limit in 1...40 {
      let bytes = Array(("{\"offset\":1,\"text\":\"" + String(repeating: "ab\\u00e9\\n", count: 60) + "\"}").utf8)
      var output: [UInt8] = []
      var members: [JSONMember] = []
      let isAll = ItemText.append(
        bytes.span, JSONSlice(start: 0, end: bytes.count), limit: limit, members: &members, to: &output)
      #expect(isAll == (6 * limit >= 60 * 10))
      #expect(output.count >= limit)
      #expect(Array(String(repeating: "abé\n", count: 60).utf8).starts(with: output))
    }
  }
}
