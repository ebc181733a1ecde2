import CSystem
import Testing

@testable import PagewireBrowse

struct LineCutterTests {
  init() {
    // Widths beyond ASCII are those of a UTF-8 locale.
    _ = csystem_use_utf8_locale()
  }

  private func cut(_ text: String, from column: Int = 0, width: Int, isCut: Bool = false) -> Cut {
    cut(Array(text.utf8), from: column, width: width, isCut: isCut)
  }

  private func cut(_ text: [UInt8], from column: Int = 0, width: Int, isCut: Bool = false) -> Cut {
    var output: [UInt8] = []
    let cells = LineCutter(firstColumn: column, width: width).append(text.span, isCut: isCut, to: &output)
    return Cut(String(decoding: output, as: UTF8.self), cells)
  }

  private struct Cut: Equatable {
    let text: String
    let cells: Int

    init(_ text: String, _ cells: Int) {
      self.text = text
      self.cells = cells
    }
  }

  @Test func aLineThatFitsIsUntouched() {
    #expect(cut("hello", width: 10) == Cut("hello", 5))
    #expect(cut("hello", width: 5) == Cut("hello", 5))
    #expect(cut("", width: 5) == Cut("", 0))
    #expect(cut("hello", width: 0) == Cut("", 0))
  }

  @Test func aLongLineIsCutWithAMark() {
    #expect(cut("hello world", width: 6) == Cut("hello>", 6))
    #expect(cut("ab", width: 1) == Cut(">", 1))
  }

  @Test func textThatGoesOnBeyondWhatIsKeptIsMarked() {
    #expect(cut("hello", width: 10, isCut: true) == Cut("hello>", 6))
    #expect(cut("hello", width: 5, isCut: true) == Cut("hell>", 5))
    #expect(cut("hello", width: 6, isCut: true) == Cut("hello>", 6))
  }

  @Test func sidewaysTheLeftSideIsMarked() {
    #expect(cut("0123456789", from: 3, width: 4) == Cut("<45>", 4))
    #expect(cut("0123456789", from: 6, width: 4) == Cut("<789", 4))
    #expect(cut("0123456789", from: 8, width: 4) == Cut("<9", 2))
    #expect(cut("0123456789", from: 20, width: 4) == Cut("<", 1))
    #expect(cut("0123456789", from: 3, width: 1) == Cut("<", 1))
  }

  @Test func wideCharactersFillTwoCells() {
    #expect(cut("日本語", width: 6) == Cut("日本語", 6))
    #expect(cut("日本語", width: 5) == Cut("日本>", 5))
    #expect(cut("日本語", width: 4) == Cut("日 >", 4))
    #expect(cut("日本語", from: 1, width: 10) == Cut("<本語", 5))
    #expect(cut("日本語", from: 2, width: 10) == Cut("< 語", 4))
  }

  @Test func combiningMarksStayWithTheirCharacter() {
    #expect(cut("e\u{301}a", width: 2) == Cut("e\u{301}a", 2))
    #expect(cut("ae\u{301}", width: 2) == Cut("ae\u{301}", 2))
    #expect(cut("e\u{301}abc", from: 1, width: 3) == Cut("<bc", 3))
    let heap = "a" + String(repeating: "\u{301}", count: 100)
    #expect(cut(heap, width: 4).text.unicodeScalars.count == 1 + LineCutter.maxMarksOnCharacter)
  }

  @Test func controlCharactersAndEscapesAreShownAndNeverSent() {
    #expect(cut("\u{1B}[2Jx\u{07}", width: 20) == Cut("^[[2Jx^G", 8))
    #expect(cut("\u{7F}\u{9B}31m\u{85}", width: 40) == Cut("^?<U+009B>31m<U+0085>", 21))
    #expect(cut("a\r\nb\0", width: 20) == Cut("a^M^Jb^@", 8))
    #expect(cut("\u{202E}abc\u{2028}\u{FEFF}", width: 40) == Cut("<U+202E>abc<U+2028><U+FEFF>", 27))
  }

  @Test func bytesThatAreNoTextAreShownAsHexadecimal() {
    #expect(cut([0x61, 0xFF, 0xC3, 0x62, 0xE2, 0x82], width: 40) == Cut("a\\xFF\\xC3b\\xE2\\x82", 18))
    #expect(cut([0xED, 0xA0, 0x80], width: 40) == Cut("\\xED\\xA0\\x80", 12))
    #expect(cut([0xC0, 0x80, 0xF4, 0x90, 0x80, 0x80], width: 40).cells == 24)
  }

  @Test func tabsReachTheNextStop() {
    #expect(cut("a\tb", width: 20) == Cut("a       b", 9))
    #expect(cut("\t\tb", width: 10) == Cut("         >", 10))
  }

  @Test func noWindowIsEverOverfilled() {
    let text = "a日\u{1B}e\u{301}\t<\u{200D}語\u{7F}zz日本"
    for width in 0...30 {
      for column in 0...30 {
        let shown = cut(text, from: column, width: width)
        let filled = shown.text.unicodeScalars.reduce(0) { $0 + (CharacterWidth.cells($1.value) ?? 99) }
        #expect(filled == shown.cells && filled <= width, "width \(width), column \(column): \(shown.text)")
      }
    }
  }
}
