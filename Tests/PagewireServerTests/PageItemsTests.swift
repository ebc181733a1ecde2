import JSONText
import PageSources
import PaginationCore
import Testing

@testable import PagewireServer

@Suite struct PageItemsTests {
  private let ids = IDFingerprints(key: FingerprintKey(1, 2))

  /// The items of an array's text, each with its member `id`.
  private func page(_ text: String) throws -> ([UInt8], PageItems) {
    let bytes = Array(text.utf8)
    var elements: [JSONElement] = []
    _ = try JSONScanner().scanArray(bytes.span, from: 0, to: bytes.count, elements: &elements)
    return (bytes, PageItems(items: elements.map { SourceItem(value: $0.value, id: $0.id) }))
  }

  private func items(_ text: String, dropping: [Int] = [], after: String = "") throws -> String {
    let (bytes, page) = try page(text)
    var out = Array(after.utf8)
    page.appendItems(bytes.span, dropping: dropping, asText: false, to: &out)
    return String(decoding: out, as: UTF8.self)
  }

  @Test func whatLiesInOnePieceIsFoundWhole() throws {
    let (bytes, page) = try page("[1,22,333]")
    #expect(JSONReader.text(bytes.span, page.wholeText(bytes.span)) == "1,22,333")
    let (single, one) = try self.page("[ 7 ]")
    #expect(JSONReader.text(single.span, one.wholeText(single.span)) == "7")
  }

  @Test(arguments: ["[]", "[1 ,2]", "[1, 2]", "[1\n,2]"])
  func whatDoesNotIsNot(text: String) throws {
    let (bytes, page) = try page(text)
    #expect(page.wholeText(bytes.span).isEmpty)
  }

  @Test func itemsNextToEachOtherWithoutACommaAreNoPiece() {
    let bytes: [UInt8] = Array("1x2".utf8)
    let page = PageItems(items: [
      SourceItem(value: JSONSlice(start: 0, end: 1)), SourceItem(value: JSONSlice(start: 2, end: 3)),
    ])
    #expect(page.wholeText(bytes.span).isEmpty)
    // Nor may the comma be looked for beyond the buffer.
    let last = PageItems(items: [
      SourceItem(value: JSONSlice(start: 2, end: 3)), SourceItem(value: JSONSlice(start: 0, end: 1)),
    ])
    #expect(last.wholeText(bytes.span).isEmpty)
  }

  @Test func droppedItemsAreLeftOutWithTheirCommas() throws {
    let text = #"[ {"a": 1} ,2,"é" , 4 ]"#
    #expect(try items(text) == #"{"a": 1},2,"é",4"#)
    #expect(try items(text, dropping: [0]) == #"2,"é",4"#)
    #expect(try items(text, dropping: [3]) == #"{"a": 1},2,"é""#)
    #expect(try items(text, dropping: [1, 2]) == #"{"a": 1},4"#)
    #expect(try items(text, dropping: [0, 1, 2, 3]) == "")
    #expect(try items(text, dropping: [0, 1, 2], after: "0") == "0,4")
  }

  @Test func idsAreWhatTheItemsHaveElseTheSourcesKeysElseNull() throws {
    var (bytes, page) = try page(#"[{"id":"a"},{"id":1.0},{"id":7},{},{"id":null}]"#)
    page.items[3].key = -12
    #expect(page.fingerprints(bytes.span, ids).map(\.isNone) == [false, true, false, false, true])
    var out: [UInt8] = []
    page.appendIDs(bytes.span, dropping: [], asText: false, to: &out)
    #expect(String(decoding: out, as: UTF8.self) == #""a",null,7,-12,null"#)
    #expect(page.idBytes >= out.count)
    out = []
    page.appendIDs(bytes.span, dropping: [0, 2], asText: false, to: &out)
    #expect(String(decoding: out, as: UTF8.self) == "null,-12,null")
  }

  @Test(arguments: [
    (#""a""#, #""\u0061""#, true), ("1", "1", true), ("-0", "0", true), ("1", #""1""#, false), ("0", "00", false),
    (#""\/""#, #""/""#, true), (#""\ud83d\ude00""#, #""😀""#, true), ("12", "1", false), (#""""#, #""""#, true),
    ("123456789012345678901234567890", "123456789012345678901234567890", true),
    (#""\ud800""#, #""\ud801""#, false), (#""\ud800""#, #""�""#, false),
  ])
  func idsAreEqualWhenTheirValuesAre(one: String, other: String, areEqual: Bool) {
    func print(_ text: String) -> Fingerprint {
      let bytes = Array(text.utf8)
      return ids.fingerprint(bytes.span, JSONSlice(start: 0, end: bytes.count), isItemID: true)
    }
    #expect((print(one) == print(other)) == areEqual)
    #expect(!print(one).isNone)
  }

  @Test(arguments: ["1.0", "1e0", "true", "null", "{}", "[]", "-1.5", "1E2"])
  func whatIsNoStringAndNoIntegerIsNoID(text: String) {
    let bytes = Array(text.utf8)
    #expect(ids.fingerprint(bytes.span, JSONSlice(start: 0, end: bytes.count), isItemID: true).isNone)
  }
}
