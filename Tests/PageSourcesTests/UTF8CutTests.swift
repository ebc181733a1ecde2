import Testing

@testable import PageSources

@Suite struct UTF8CutTests {
  @Test func aCharacterIsWholeOrNotAtTheEnd() {
    let text = Array("a€\u{1F600}é".utf8)
    let whole = [0, 1, 1, 1, 4, 4, 4, 4, 8, 8, 10]
    for count in 0...text.count {
      let found = UTF8Cut.wholeCharacters(in: text.span.extracting(first: count))
      #expect(found == whole[count])
    }
    // Bytes that never were a character are kept: they are replaced later.
    let stray: [UInt8] = [0x80, 0x80, 0x80, 0x80, 0x80]
    let found = UTF8Cut.wholeCharacters(in: stray.span)
    #expect(found == 5)
  }
}
