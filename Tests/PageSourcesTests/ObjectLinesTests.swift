import JSONText
import Testing

@testable import PageSources

/// Lines that are taken together must make the pages that lines taken one by one make.
@Suite struct ObjectLinesTests {
  /// What a page comes to.
  private struct Outcome: Equatable {
    var texts: [String] = []
    var ids: [String] = []
    var keys: [Int?] = []
    var next = CursorField.absent
    var hasMore: Bool?
    var end = 0
    var wasCutShort = false
    var error: SourceError?
  }

  /// How a file is read.
  private struct Way {
    var limits = FileLimits()
    var limit = 1000
    var end = Int.max
    var idPath = defaultIDPath
    var isFollowed = false

    func outcome(_ bytes: [UInt8], from offset: Int, together: Bool) throws -> Outcome {
      let input = MemoryInput(bytes: bytes)
      var pager = JSONLinesPager(
        name: .file(Array("/f.jsonl".utf8)), limits: limits, limit: limit, idPath: idPath, isFollowed: isFollowed)
      let page: SourcePage
      do throws(ReadFault) {
        let window = FileWindow(input, from: offset, limits: limits, cancellation: CancellationFlag())
        page =
          together
          ? try pager.page(of: input, from: offset, before: end, cancellation: CancellationFlag())
          : try pager.page(in: window, before: end)
      } catch {
        guard case .source(let error) = error else { throw error }
        return Outcome(error: error)
      }
      expectCommaJoined(page)
      return Outcome(
        texts: page.texts, ids: page.ids, keys: page.items.map(\.key), next: page.next, hasMore: page.hasMore,
        end: pager.end, wasCutShort: pager.wasCutShort)
    }
  }

  private static let odd = [
    "", " ", "\r", "[1,2]", "7", "\"a\"", "{\"id\":1} ", " {\"id\":1}", "{\"id\":1}\r", "\u{FEFF}{}", "{\"id\":1",
    "{\"id\":1},{}",
    "{\"a\":1}{\"b\":2}", "]", "{}]", "{\"a\":\"", "{\"a\":1,", "\"b\":2}", "[", "{\"a\":[", "{\"a\":\"\\x\"}",
    "{\"a\":01}", "{,}", "{]",
  ]

  private func plainLine(_ random: inout SplitMix) -> String {
    let text = String(
      repeating: ["x", "é", "日", "\\n", "\\\""].randomElement(using: &random) ?? "",
      count: .random(in: 0...40, using: &random))
    let name = ["id", "i\\u0064", "a", "n"].randomElement(using: &random) ?? ""
    let value = ["1", "\"k\"", "null", "[{\"id\":2}]", "{}"].randomElement(using: &random) ?? ""
    return ["{\"\(name)\":\(value),\"text\":\"\(text)\"}", "{ \"id\" : \(value) , \"t\":\"\(text)\" }", "{}"]
      .randomElement(using: &random) ?? ""
  }

  @Test(arguments: 1...400) func pagesAreThoseOfLinesTakenOneByOne(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    // From no odd line to one in three.
    let oddity = [0, 0, 200, 30, 3].randomElement(using: &random) ?? 0
    var bytes: [UInt8] = []
    if Int.random(in: 0...9, using: &random) == 0 { bytes = [0xEF, 0xBB, 0xBF] }
    for _ in 0..<Int.random(in: 0...120, using: &random) {
      let isOdd = oddity > 0 && Int.random(in: 1...oddity, using: &random) == 1
      bytes += Array((isOdd ? Self.odd.randomElement(using: &random) ?? "" : plainLine(&random)).utf8) + [0x0A]
    }
    if Bool.random(using: &random) { bytes = bytes.dropLast() }
    if oddity == 3, !bytes.isEmpty {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
    }
    var way = Way()
    way.limits.firstReadBytes = Int.random(in: 1...2000, using: &random)
    way.limits.readBytes = Int.random(in: 2...500, using: &random)
    if Bool.random(using: &random) { way.limits.pageBytes = .random(in: 1...4000, using: &random) }
    if Int.random(in: 0...3, using: &random) == 0 { way.limits.recordBytes = .random(in: 20...100, using: &random) }
    way.limit = [1, 3, 10, 30, 1000, .max].randomElement(using: &random) ?? 1
    way.isFollowed = Bool.random(using: &random)
    if Int.random(in: 0...3, using: &random) == 0 { way.end = .random(in: 0...(bytes.count + 9), using: &random) }
    if Int.random(in: 0...5, using: &random) == 0 { way.idPath = try JSONPointer("/0") }

    var offset = 0
    while true {
      let expected = try way.outcome(bytes, from: offset, together: false)
      #expect(try way.outcome(bytes, from: offset, together: true) == expected, "seed \(seed), byte \(offset)")
      if expected.error != nil || expected.hasMore != true || expected.end <= offset { break }
      offset = expected.end
    }
  }

  /// A file as long as a few blocks, and where its lines start.
  private func file(lines: Int) -> (bytes: [UInt8], starts: [Int]) {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    for number in 0..<lines {
      starts.append(bytes.count)
      bytes += Array("{\"id\":\(number),\"text\":\"\(String(repeating: "x", count: number % 60))\"}\n".utf8)
    }
    return (bytes, starts)
  }

  private func lines(of bytes: [UInt8], from offset: Int = 0, before end: Int = .max) -> ObjectLines {
    var limits = FileLimits()
    limits.firstReadBytes = 1000
    return ObjectLines(
      MemoryInput(bytes: bytes), from: offset, before: end, limits: limits, idName: JSONMemberName(Array("id".utf8)),
      cancellation: CancellationFlag())
  }

  @Test(.enabled(if: JSONMarks.areAvailable)) func plainLinesAreAllTakenTogether() throws {
    let (bytes, starts) = file(lines: 300)
    var builder = PageBuilder(limit: 200, idPath: defaultIDPath)
    var lines = lines(of: bytes)
    try lines.read(into: &builder)
    #expect(builder.items.compactMap(\.key) == Array(starts[..<200]))
    #expect(builder.isFull)
    #expect(lines.offset == starts[200])
    #expect(lines.isBeforeLine)
    #expect(lines.isBeforeLineFeed)
  }

  @Test(.enabled(if: JSONMarks.areAvailable)) func nothingBehindAnOddLineIsTaken() throws {
    let (bytes, starts) = file(lines: 100)
    var text = bytes
    text[starts[60] - 1] = UInt8(ascii: " ")
    var builder = PageBuilder(limit: 200, idPath: defaultIDPath)
    var lines = lines(of: text)
    try lines.read(into: &builder)
    // What is no JSON spoils the block it is in, and no earlier one.
    #expect(builder.items.compactMap(\.key) == Array(starts[..<builder.items.count]))
    #expect((1..<60).contains(builder.items.count))
    #expect(lines.offset == starts[builder.items.count])
    #expect(!lines.isBeforeLine)
  }
}
