import JSONText
import Testing

@testable import PageSources

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a followed file says of its end: where it goes on, and how the last page is had again as it was.
@Suite struct FileFollowTests {
  private let directory = TemporaryDirectory()

  private func follow(_ text: String, _ name: String = "log.txt", _ members: String = "") throws -> any PageSource {
    try openFile(directory.write(name, text), "\"follow\":true\(members.isEmpty ? "" : ",")\(members)")
  }

  /// The request for what was added behind `page`.
  private func look(behind page: SourcePage, limit: Int = 20) -> PageRequest {
    PageRequest(kind: .more, cursor: page.tail, page: 1, offset: page.items.count, limit: limit)
  }

  private func lines(_ page: SourcePage) throws -> [String] {
    try page.shownLines().map { String(decoding: $0.text, as: UTF8.self) }
  }

  @Test func theLastPageSaysWhereItEnds() throws {
    let source = try follow("one\ntwo\n")
    #expect(source.followedPath == Array("\(directory.path)/log.txt".utf8))
    let page = try source.fetch(PageRequest()).get()
    #expect(page.hasMore == false)
    #expect(page.tail == Array(#"{"offset":8}"#.utf8))
    #expect(page.again == Array(#"{"offset":0,"end":8}"#.utf8))
    #expect(try source.fetch(look(behind: page)).get().items.isEmpty)
    directory.append("log.txt", "three\n")
    let more = try source.fetch(look(behind: page)).get()
    #expect(try lines(more) == ["three"])
    #expect(more.tail == Array(#"{"offset":14}"#.utf8))
    #expect(more.again == Array(#"{"offset":8,"end":14}"#.utf8))
  }

  @Test func aPageThatIsNotTheLastHasNoTail() throws {
    let source = try follow("one\ntwo\n")
    let page = try source.fetch(PageRequest(limit: 1)).get()
    #expect(page.tail == nil)
    #expect(page.again == Array(#"{"offset":0,"end":4}"#.utf8))
    let plain = try openFile("\(directory.path)/log.txt").fetch(PageRequest()).get()
    #expect(plain.tail == nil)
    #expect(plain.again == nil)
  }

  @Test func aPageHadAgainIsAsItWasThoughTheFileHasGrown() throws {
    let source = try follow("one\ntwo\n")
    let page = try source.fetch(PageRequest()).get()
    directory.append("log.txt", "three\nfour\n")
    var again = PageRequest(kind: .more, cursor: page.again)
    let same = try source.fetch(again).get()
    #expect(same.bytes == page.bytes)
    #expect(same.items == page.items)
    // A list that starts there, as from a resume token, goes on behind it.
    #expect(same.hasMore == true)
    #expect(same.next == .value(Array(#"{"offset":8}"#.utf8)))
    again.page = 3
    #expect(try source.fetch(again).get().bytes == page.bytes)
  }

  @Test(arguments: ["", "half", "\u{FEFF}", "\u{FEFF}half"]) func whatHasNoLineFeedIsNoLine(_ start: String) throws {
    let source = try follow(start)
    let page = try source.fetch(PageRequest()).get()
    #expect(page.items.isEmpty)
    #expect(page.hasMore == false)
    #expect(page.tail == Array(#"{"offset":0}"#.utf8))
    directory.append("log.txt", "!\r\nnext\nha")
    let more = try source.fetch(look(behind: page)).get()
    #expect(try lines(more) == [String(start.unicodeScalars.drop { $0 == "\u{FEFF}" }) + "!", "next"])
    directory.append("log.txt", "lf\n")
    #expect(try lines(source.fetch(look(behind: more)).get()) == ["half"])
  }

  /// Wherever a write ends, what comes is each line once, whole.
  @Test(arguments: [1, 2, 7]) func lineByLineWhereverTheWritesEnd(_ limit: Int) throws {
    let text = "a\n\nbc\r\n\r\ndef\nend\n"
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      let path = directory.write("log.txt", bytes[..<cut])
      let source = try openFile(path, "\"follow\":true")
      var pages = try walk(source, pageSize: limit).map(\.page)
      directory.write("log.txt", String(decoding: bytes[cut...], as: UTF8.self), at: cut)
      while true {
        let last = try #require(pages.last)
        let cursor = try #require(last.tail ?? last.next.cursor)
        let page = try source.fetch(PageRequest(kind: .more, cursor: cursor, page: pages.count, limit: limit)).get()
        if page.items.isEmpty { break }
        pages.append(page)
      }
      let shown = try pages.flatMap { try $0.shownLines() }
      #expect(shown == expectedLines(bytes), "cut at \(cut)")
    }
  }

  @Test func aLongLineIsHeldToo() throws {
    var limits = FileLimits()
    limits.lineBytes = 10
    limits.firstReadBytes = 8
    limits.readBytes = 8
    let path = directory.write("log.txt", "one\n0123456789abcdefghijklmnopq")
    var settings = FileSettings(path: Array(path.utf8), format: .lines)
    settings.isFollowed = true
    let source = try FileSource(settings, limits: limits)
    let page = try source.fetch(PageRequest()).get()
    #expect(try lines(page) == ["one"])
    #expect(page.hasMore == false)
    #expect(page.tail == Array(#"{"offset":4}"#.utf8))
    // A full page looks whether a whole line follows, however long it is.
    #expect(try source.fetch(PageRequest(limit: 1)).get().hasMore == false)
    directory.append("log.txt", "\n")
    #expect(try source.fetch(PageRequest(limit: 1)).get().hasMore == true)
    let more = try source.fetch(look(behind: page)).get()
    #expect(try more.shownLines() == [ShownLine(offset: 4, text: Array("0123456789".utf8), cutFrom: 27)])
  }

  @Test func jsonLinesAreHeldAndBlankOnesPassed() throws {
    let source = try follow("{\"id\":1}\n\n{\"id\":", "log.jsonl")
    let page = try source.fetch(PageRequest()).get()
    #expect(page.ids == ["1"])
    #expect(page.tail == Array(#"{"offset":10}"#.utf8))
    // A full page with nothing but half a line behind it is the last.
    #expect(try source.fetch(PageRequest(limit: 1)).get().hasMore == false)
    directory.append("log.jsonl", "2}\n \n  ")
    let more = try source.fetch(look(behind: page)).get()
    #expect(more.ids == ["2"])
    directory.append("log.jsonl", "\n{\"id\":3}\n")
    #expect(try source.fetch(look(behind: more)).get().ids == ["3"])
  }

  @Test func fromTheEndHalfALineIsNone() throws {
    let source = try follow("1\n2\n3\n4\nfi", "log.txt", "\"from\":\"end\"")
    let page = try source.fetch(PageRequest(limit: 2)).get()
    #expect(try lines(page) == ["3", "4"])
    #expect(page.tail == Array(#"{"offset":8}"#.utf8))
    #expect(try walkBack(source, from: page, pageSize: 2).count == 2)
    let none = try openFile(directory.write("half.txt", "half"), "\"follow\":true,\"from\":\"end\"")
    #expect(try none.fetch(PageRequest()).get().items.isEmpty)
  }

  @Test func aFileCutBeforeItsTailHasChanged() throws {
    let source = try follow("one\ntwo\n")
    let page = try source.fetch(PageRequest()).get()
    truncate("\(directory.path)/log.txt", 5)
    guard case .failure(let error) = source.fetch(look(behind: page)) else {
      Issue.record("nothing was noticed")
      return
    }
    #expect(error.code == .sourceChanged)
  }

  @Test func onlyLinesCanBeFollowed() {
    for format in ["json", "csv", "tsv"] {
      let message = paramsMessage(#"{"type":"file","path":"/x","format":"\#(format)","follow":true}"#)
      #expect(message == "/source/follow: only a file of format \"lines\" or \"jsonl\" can be followed")
    }
  }

  @Test func aCursorWithAnEndIsOnePageAndNoPlaceToStart() {
    #expect(FilePlace(cursor: Array(#"{"offset":4,"end":8}"#.utf8)) == .between(4, 8))
    #expect(FilePlace(cursor: Array(#"{"offset":8,"end":4}"#.utf8)) == nil)
    #expect(FilePlace(from: Array(#"{"offset":4,"end":8}"#.utf8)) == nil)
  }
}

extension CursorField {
  /// The cursor, where there is one.
  var cursor: [UInt8]? {
    if case .value(let cursor) = self { return cursor }
    return nil
  }
}
