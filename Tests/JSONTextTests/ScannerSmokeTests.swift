import JSONText
import Testing

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

@Test func membersAndElementsAreRecordedWhileScanning() throws {
  let text = bytes(#" {"a":1, "\u0069d" : {"x":[1,2,{}]} ,"items":[{"id":"x","id":7}, {}, 5, {"\u0069d":null}]} "#)
  let span = text.span
  let scanner = JSONScanner()
  let document = try scanner.scanDocument(span, JSONSlice(start: 0, end: text.count))
  var members: [JSONMember] = []
  let end = try scanner.scanObject(span, from: document.start, to: document.end, members: &members)
  #expect(end == document.end)
  let names = members.map { JSONReader.string(span, content: $0.key) }
  #expect(names == ["a", "id", "items"])
  let itemsValue = JSONReader.value(span, of: members, named: "items")
  let items = try #require(itemsValue)
  var elements: [JSONElement] = []
  _ = try scanner.scanArray(span, from: items.start, to: items.end, elements: &elements)
  let ids = elements.map { JSONReader.text(span, $0.id) }
  #expect(ids == ["7", "", "", "null"])
  let pointer = try JSONPointer("/id/x/1")
  let found = pointer.resolve(in: span, document).flatMap { JSONReader.integer(span, $0) }
  #expect(found == 2)
}

@Test func theDepthLimitIsExact() throws {
  for depth in [1, 63, 64, 65, 128, 129, 1000] {
    let text = [UInt8](repeating: UInt8(ascii: "["), count: depth) + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
    let whole = JSONSlice(start: 0, end: text.count)
    let scanned = try JSONScanner(maxDepth: depth).scanDocument(text.span, whole)
    #expect(scanned == whole)
    #expect(throws: JSONSyntaxError(.tooDeep, at: depth - 1)) {
      try JSONScanner(maxDepth: depth - 1).scanDocument(text.span, whole)
    }
  }
}

@Test func theWriterPutsCommasAndEscapes() {
  var writer = JSONWriter()
  writer.beginObject()
  writer.member("a", 1)
  writer.key("b")
  writer.beginArray()
  writer.string("q\"\\\n\u{1}é")
  writer.null()
  writer.beginObject()
  writer.endObject()
  writer.string(utf8: [0x61, 0xFF, 0xE2, 0x82].span)
  writer.endArray()
  writer.member("c", Int.min)
  writer.endObject()
  let expected = #"{"a":1,"b":["q\"\\\n\u0001é",null,{},"a��"],"c":-9223372036854775808}"#
  #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
}
