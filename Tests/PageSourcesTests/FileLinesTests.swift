import JSONText
import Testing

@testable import PageSources

@Suite struct FileLinesTests {
  private let directory = TemporaryDirectory()

  private func page(_ text: some Collection<UInt8>, limit: Int = 100) throws -> SourcePage {
    try openFile(directory.write("file.txt", text)).fetch(PageRequest(limit: limit)).get()
  }

  @Test func aLineIsItsOffsetAndItsText() throws {
    let page = try page("one\ntwo \"2\"\n".utf8)
    #expect(page.texts == [#"{"offset":0,"text":"one"}"#, #"{"offset":4,"text":"two \"2\""}"#])
    #expect(page.items.map(\.key) == [0, 4])
    #expect(page.ids == ["", ""])
    expectCommaJoined(page)
  }

  @Test func anEmptyFileIsOneEmptyPage() throws {
    for bytes in [[], [0xEF, 0xBB, 0xBF]] as [[UInt8]] {
      let page = try page(bytes)
      #expect(page.items.isEmpty)
      #expect(page.hasMore == false)
      #expect(page.next == .absent)
    }
  }

  @Test(arguments: [
    ("a", ["a"]), ("a\n", ["a"]), ("\n", [""]), ("\n\n", ["", ""]), ("a\n\nb", ["a", "", "b"]),
    ("a\r\nb\r\n", ["a", "b"]), ("a\r\r\nb", ["a\r", "b"]), ("a\rb\n", ["a\rb"]), ("a\r", ["a\r"]), ("\r\n", [""]),
    ("a\u{2028}b\u{85}c\u{0B}d\u{0C}e\u{2029}f\n", ["a\u{2028}b\u{85}c\u{0B}d\u{0C}e\u{2029}f"]),
    ("\u{FEFF}a\nb", ["a", "b"]), ("\u{FEFF}\nb", ["", "b"]), ("a\n\u{FEFF}b", ["a", "\u{FEFF}b"]),
    ("\u{FEFF}\u{FEFF}a", ["\u{FEFF}a"]), ("a\0b\0\n\0", ["a\0b\0", "\0"]),
  ])
  func linesEndAtLineFeedsAlone(_ text: String, _ lines: [String]) throws {
    let page = try page(text.utf8)
    #expect(try page.shownLines().map { String(decoding: $0.text, as: UTF8.self) } == lines)
    #expect(page.hasMore == false)
  }

  @Test func controlCharactersAreEscaped() throws {
    let page = try page((0..<0x20).filter { $0 != 0x0A } + [0x22, 0x5C, 0x7F])
    #expect(
      page.texts == [
        #"{"offset":0,"text":"\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\u000b\f\r\u000e\u000f\u0010\u0011"#
          + #"\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f\"\\"#
          + "\u{7F}\"}"
      ])
  }

  @Test func invalidUTF8IsReplacedAndFlagged() throws {
    let page = try page(Array("ok\n".utf8) + [0x61, 0xFF, 0x62, 0x0A] + Array("é\n".utf8) + [0xE2, 0x82])
    #expect(
      page.texts == [
        #"{"offset":0,"text":"ok"}"#, "{\"offset\":3,\"text\":\"a\u{FFFD}b\",\"invalidUTF8\":true}",
        #"{"offset":7,"text":"é"}"#, "{\"offset\":10,\"text\":\"\u{FFFD}\",\"invalidUTF8\":true}",
      ])
  }

  @Test func pagesOfEverySizeAtTheBounds() throws {
    let pageSize = 5
    for count in [0, 1, pageSize - 1, pageSize, pageSize + 1, 2 * pageSize, 2 * pageSize + 1] {
      for end in ["", "\n"] {
        let text = (0..<count).map { "line \($0)" }.joined(separator: "\n") + (count > 0 ? end : "")
        let source = try openFile(directory.write("bounds.txt", text))
        let pages = try walk(source, pageSize: pageSize)
        #expect(pages.flatMap(\.page.items).count == count)
        #expect(pages.count == max(1, (count + pageSize - 1) / pageSize))
        #expect(pages.dropLast().allSatisfy { $0.page.hasMore == true })
        #expect(pages.last?.page.hasMore == false)
      }
    }
  }

  @Test func cursorsAreByteOffsets() throws {
    let source = try openFile(directory.write("cursor.txt", "aa\nbbb\ncc\n"))
    let page = try source.fetch(PageRequest(limit: 1)).get()
    #expect(page.next == .value(Array(#"{"offset":3}"#.utf8)))
    for cursor in [#"{"offset":3}"#, #" {"x":[],"offs\u0065t":3} "#, "3"] {
      let page = try source.fetch(PageRequest(kind: .more, cursor: Array(cursor.utf8), page: 1, limit: 1)).get()
      #expect(page.texts == [#"{"offset":3,"text":"bbb"}"#])
    }
    for cursor in [
      #"{"offset":-1}"#, #"{"offset":3.0}"#, #"{"offset":"3"}"#, "{}", "null", "", "{", "99999999999999999999",
    ] {
      let result = source.fetch(PageRequest(kind: .more, cursor: Array(cursor.utf8), page: 1))
      guard case .failure(let error) = result else {
        Issue.record("\(cursor) was taken")
        continue
      }
      #expect(error.code == .loadFailed)
      #expect(error.retryable == false)
    }
  }

  @Test func anyIDPathIntoTheItemIsFollowed() throws {
    let source = try openFile(directory.write("ids.txt", "a\nb\n"))
    #expect(try source.fetch(PageRequest(), idPath: JSONPointer("/offset")).get().ids == ["0", "2"])
    #expect(try source.fetch(PageRequest(), idPath: JSONPointer("/text")).get().ids == [#""a""#, #""b""#])
    #expect(try source.fetch(PageRequest(), idPath: JSONPointer("/no/where")).get().ids == ["", ""])
  }

  @Test func longLinesAreCutBetweenCharactersAndFlagged() throws {
    var limits = FileLimits()
    limits.lineBytes = 10
    let path = directory.write("long.txt", "0123456789\n0123456789a\r\n€€€€\n\u{1F600}\u{1F600}\u{1F600}\nshort")
    let source = try fileSource(path, limits)
    #expect(
      try source.fetch(PageRequest()).get().texts == [
        #"{"offset":0,"text":"0123456789"}"#,
        #"{"offset":11,"text":"0123456789","truncated":true,"bytes":11}"#,
        #"{"offset":24,"text":"€€€","truncated":true,"bytes":12}"#,
        "{\"offset\":37,\"text\":\"\u{1F600}\u{1F600}\",\"truncated\":true,\"bytes\":12}",
        #"{"offset":50,"text":"short"}"#,
      ])
  }

  @Test func aLineOverOneMebibyteIsCutInEveryFile() throws {
    let mebibyte = 1 << 20
    let long = [UInt8](repeating: 0x78, count: 3 * mebibyte + 5)
    let source = try openFile(directory.write("huge.txt", long + [0x0A] + Array("next".utf8)))
    let lines = try source.fetch(PageRequest()).get().shownLines()
    #expect(lines.map(\.text.count) == [mebibyte, 4])
    #expect(lines.map(\.cutFrom) == [3 * mebibyte + 5, nil])
    #expect(lines.map(\.offset) == [0, 3 * mebibyte + 6])
  }

  @Test func aPageIsBoundedInBytesAndLosesNothing() throws {
    var limits = FileLimits()
    limits.pageBytes = 100
    let lines = (0..<40).map { String(repeating: "x", count: $0 * 7) }
    let source = try fileSource(directory.write("bounded.txt", lines.joined(separator: "\n")), limits)
    let pages = try walk(source, pageSize: 10)
    #expect(try pages.flatMap { try $0.page.shownLines() }.map(\.text.count) == lines.map(\.count))
    for walked in pages {
      #expect(walked.page.bytes.count <= 100 || walked.page.items.count == 1)
      expectCommaJoined(walked.page)
    }
  }

  @Test(arguments: 1...60) func randomFilesAreReadRightWhateverTheBlockSize(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let pieces: [[UInt8]] = [
      [0x0A], [0x0A], [0x0D, 0x0A], [0x0D], [0xEF, 0xBB, 0xBF], Array("abc".utf8), Array("é€\u{1F600}".utf8),
      [0xF0, 0x9F],
      [0xFF], [0x22], [0x5C], [0x00], Array("0123456789012345678901234567890".utf8), [0xED, 0xA0, 0x80], [0xE2, 0x82],
    ]
    var bytes: [UInt8] = Int.random(in: 0...2, using: &random) == 0 ? [0xEF, 0xBB, 0xBF] : []
    for _ in 0..<Int.random(in: 0...60, using: &random) { bytes += pieces.randomElement(using: &random) ?? [] }
    let path = directory.write("random.txt", bytes)
    var limits = FileLimits()
    limits.lineBytes = Int.random(in: 4...40, using: &random)
    limits.firstReadBytes = Int.random(in: 1...40, using: &random)
    limits.readBytes = Int.random(in: 2...60, using: &random)
    let source = try fileSource(path, limits)
    let pages = try walk(source, pageSize: Int.random(in: 1...9, using: &random))
    let lines = try pages.flatMap { try $0.page.shownLines() }
    #expect(
      lines == expectedLines(bytes, maximumLine: limits.lineBytes), "seed \(seed), limits \(limits), bytes \(bytes)")
    #expect(pages.last?.page.hasMore == false)
  }

  @Test func blocksMayEndAnywhere() throws {
    let bytes = Array("\u{FEFF}é\r\n€uro\r\n\r\n\u{1F600}\nend\r\n".utf8)
    let path = directory.write("blocks.txt", bytes)
    for block in 2...(bytes.count + 2) {
      var limits = FileLimits()
      limits.firstReadBytes = block
      limits.readBytes = block
      let lines = try fileSource(path, limits).fetch(PageRequest()).get().shownLines()
      #expect(lines == expectedLines(bytes), "block of \(block)")
    }
  }

  @Test func offsetsBeyondThirtyTwoBitsWork() throws {
    let far = 1 << 33
    directory.write("sparse.txt", "\nfar \"away\"\nlast\n", at: far)
    let source = try openFile("\(directory.path)/sparse.txt")
    let cursor = Array("{\"offset\":\(far + 1)}".utf8)
    let page = try source.fetch(PageRequest(kind: .more, cursor: cursor, page: 1, limit: 1)).get()
    #expect(page.texts == ["{\"offset\":\(far + 1),\"text\":\"far \\\"away\\\"\"}"])
    #expect(page.next == .value(Array("{\"offset\":\(far + 12)}".utf8)))
  }

  @Test func aCancelledPageEndsEarly() throws {
    let far = 1 << 36
    directory.write("endless.txt", "\n", at: far)
    let source = try openFile("\(directory.path)/endless.txt")
    guard case .blocking(let work) = source.plan(PageRequest(), idPath: defaultIDPath) else {
      Issue.record("expected work for another thread")
      return
    }
    let flag = CancellationFlag()
    flag.cancel()
    guard case .failure = work(flag) else {
      Issue.record("64 GB were read")
      return
    }
  }
}
