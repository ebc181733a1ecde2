import Testing

@testable import PagewireBrowse

struct KeyDecoderTests {
  private func keys(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return text.utf8.compactMap { decoder.decode($0) }
  }

  @Test func lettersAndControlsAreKeys() {
    #expect(keys("jk gGrlq") == [.down, .up, .pageDown, .home, .end, .refresh, .retry, .quit])
    #expect(keys("\u{03}\u{1A}\u{0C}") == [.quit, .suspend, .redraw])
    #expect(keys("\r") == [.retry])
    #expect(keys("xyz日") == [])
  }

  @Test func arrowsComeInTwoForms() {
    #expect(keys("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D") == [.up, .down, .right, .left])
    #expect(keys("\u{1B}OA\u{1B}OB\u{1B}OH\u{1B}OF") == [.up, .down, .home, .end])
  }

  @Test func numberedKeysIgnoreModifiers() {
    #expect(keys("\u{1B}[5~\u{1B}[6~\u{1B}[1~\u{1B}[4~") == [.pageUp, .pageDown, .home, .end])
    #expect(keys("\u{1B}[6;2~\u{1B}[1;5A") == [.pageDown, .up])
  }

  @Test func unknownSequencesAreSwallowedWhole() {
    #expect(keys("\u{1B}[15~\u{1B}[200~j") == [.down])
    #expect(keys("\u{1B}[" + String(repeating: "1", count: 1000) + "~j") == [.down])
    #expect(keys("\u{1B}xq") == [.quit])
  }

  @Test func aPauseEndsALoneEscape() {
    var decoder = KeyDecoder()
    #expect(decoder.decode(0x1B) == nil)
    #expect(decoder.isPending)
    decoder.pause()
    #expect(!decoder.isPending)
    #expect(decoder.decode(UInt8(ascii: "q")) == .quit)
  }

  @Test func aSequenceBrokenByAnotherStartsAnew() {
    #expect(keys("\u{1B}[\u{1B}[A") == [.up])
    #expect(keys("\u{1B}\u{1B}[B") == [.down])
  }
}
