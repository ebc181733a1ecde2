import JSONText
import Testing

@testable import PageSources

/// Compressed files, written here without compression, so that no library is needed to make them.
@Suite struct FileGzipTests {
  private let directory = TemporaryDirectory()

  /// A gzip member with this text, in blocks that are stored as they are.
  private func member(_ text: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    var start = 0
    repeat {
      let end = min(start + 0xFFFF, text.count)
      let count = UInt16(end - start)
      bytes.append(end == text.count ? 1 : 0)
      for word in [count, ~count] { bytes += [UInt8(word & 0xFF), UInt8(word >> 8)] }
      bytes += text[start..<end]
      start = end
    } while start < text.count
    var crc = ~UInt32(0)
    for byte in text {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    for word in [~crc, UInt32(text.count)] {
      for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(word >> shift & 0xFF)) }
    }
    return bytes
  }

  private func failure(_ result: Result<SourcePage, SourceError>) -> SourceError? {
    guard case .failure(let error) = result else { return nil }
    return error
  }

  @Test(arguments: [1, 2, 100]) func allMembersMakeOneText(_ limit: Int) throws {
    let text = Array("one\ntwo\n\r\nthree\nfour".utf8)
    for cut in 0...text.count {
      let bytes = member(Array(text[..<cut])) + member([]) + member(Array(text[cut...])) + [0, 0, 0]
      let source = try openFile(directory.write("file.txt.gz", bytes))
      let lines = try walk(source, pageSize: limit).flatMap { try $0.page.shownLines() }
      #expect(lines == expectedLines(text), "cut at \(cut)")
    }
  }

  @Test func pagesMayBeHadInAnyOrder() throws {
    let text = (0..<30_000).map { "line \($0) of a text that is longer than what is kept of it\n" }.joined()
    let source = try openFile(directory.write("file.gz", member(Array(text.utf8))))
    let pages = try walk(source, pageSize: 3000)
    #expect(pages.count == 10)
    for walked in pages.reversed() + pages {
      var request = walked.request
      if request.page > 0 { request.kind = .more }
      #expect(try source.fetch(request).get().items == walked.page.items)
    }
  }

  @Test func aFileThatTookTheOthersPlaceIsReadFromItsOwnStart() throws {
    let path = directory.write("file.gz", member(Array("one\ntwo\n".utf8)))
    let source = try openFile(path)
    let page = try source.fetch(PageRequest(limit: 1)).get()
    directory.write("file.gz", member(Array("other\n".utf8)) + member([]))
    #expect(failure(source.fetch(source.request(after: page, PageRequest(limit: 1))))?.code == .sourceChanged)
    let refreshed = try source.fetch(PageRequest(kind: .refresh, limit: 5, generation: 2)).get()
    #expect(try refreshed.shownLines().map(\.text) == [Array("other".utf8)])
  }

  @Test func dataThatIsCutNamesThePlace() throws {
    let whole = member(Array("one\ntwo\n".utf8))
    for count in 0..<whole.count {
      let path = directory.write("file.gz", whole[..<count])
      let error = try #require(failure(openFile(path).fetch(PageRequest())), "cut at \(count)")
      #expect(error.code == .badPage)
      #expect(error.details.contains(.integer("errorOffset", count)), "cut at \(count): \(error)")
    }
  }

  @Test func noMoreIsInflatedForOnePageThanItMayTake() throws {
    var limits = FileLimits()
    limits.scanBytes = 300_000
    let path = directory.write("file.gz", member([UInt8](repeating: 0x78, count: 3_000_000)))
    var settings = FileSettings(path: Array(path.utf8), format: .lines)
    settings.isCompressed = true
    let source = try FileSource(settings, limits: limits)
    #expect(failure(source.fetch(PageRequest()))?.code == .limitExceeded)
  }

  @Test func theFormatIsThatBeforeTheEnding() throws {
    let path = directory.write("a.jsonl.gz", member(Array("{\"id\":1}\n".utf8)))
    #expect(try openFile(path).fetch(PageRequest()).get().ids == ["1"])
    let csv = directory.write("a.csv.gz", member(Array("id,n\n1,x\n2,y\n".utf8)))
    let texts = try walk(openFile(csv), pageSize: 1).flatMap(\.page.texts)
    #expect(texts == [#"{"id":"1","n":"x"}"#, #"{"id":"2","n":"y"}"#])
  }
}
