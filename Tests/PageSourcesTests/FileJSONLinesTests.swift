import JSONText
import Testing

@testable import PageSources

@Suite struct FileJSONLinesTests {
  private let directory = TemporaryDirectory()

  private func source(_ text: some Collection<UInt8>) throws -> any PageSource {
    try openFile(directory.write("file.jsonl", text))
  }

  @Test func valuesComeAsTheyStand() throws {
    let lines = [
      #"{"id": 1.0, "b" : [1,2]}"#, "1e400", #""\ud800 \u2028""#, "null", "[]", "\"\u{2028}\"", #"{"id":"x"}"#,
    ]
    let page = try source(lines.joined(separator: "\n").utf8).fetch(PageRequest()).get()
    #expect(page.texts == lines)
    #expect(page.ids == ["1.0", "", "", "", "", "", #""x""#])
    expectCommaJoined(page)
    #expect(page.hasMore == false)
  }

  @Test func blanksAroundValuesAndBlankLinesAreNoItems() throws {
    let page = try source("\u{FEFF}\r\n  {\"id\":1} \t\r\n\n \t \r\n\r\n[2]\r\n \n".utf8).fetch(PageRequest()).get()
    #expect(page.texts == [#"{"id":1}"#, "[2]"])
    #expect(page.items.map(\.key) == [5, 27])
    #expect(page.hasMore == false)
  }

  @Test func aByteOrderMarkBelongsToTheFirstLine() throws {
    let page = try source("\u{FEFF}1\n2".utf8).fetch(PageRequest()).get()
    #expect(page.items.map(\.key) == [0, 5])
  }

  @Test func filesWithoutValuesAreOneEmptyPage() throws {
    for text in ["", "\n", " ", "\n \r\n\t", "\u{FEFF}", "\u{FEFF} \n"] {
      let page = try source(text.utf8).fetch(PageRequest()).get()
      #expect(page.items.isEmpty)
      #expect(page.hasMore == false)
    }
  }

  @Test func theLastPageIsKnownDespiteBlankLinesBehindIt() throws {
    let source = try source("1\n2\n \n\n".utf8)
    #expect(try source.fetch(PageRequest(limit: 2)).get().hasMore == false)
    #expect(try walk(source, pageSize: 1).map(\.page.texts) == [["1"], ["2"]])
  }

  @Test(arguments: [
    ("{\"a\":1}\n{\"a\":}\n", 8, 13, "a value was expected"), ("1\n2 3\n", 2, 4, "text follows after the value"),
    ("[1\n", 0, 2, "the text ends inside a value"), ("1\n\u{FEFF}2", 2, 2, "the text starts with a byte order mark"),
    ("\u{FEFF}x", 0, 3, "a value was expected"), ("  {\"a\":1},\n", 0, 9, "text follows after the value"),
  ])
  func aLineThatIsNoJSONFailsThePage(_ text: String, _ offset: Int, _ place: Int, _ reason: String) throws {
    guard case .failure(let error) = try source(text.utf8).fetch(PageRequest()) else {
      Issue.record("the line was taken")
      return
    }
    #expect(error.code == .badPage)
    #expect(error.message.contains("\(directory.path)/file.jsonl"))
    #expect(error.message.contains("The line at byte \(offset) "))
    #expect(error.message.contains("at byte \(place) \(reason)"))
    #expect(error.details.map(\.key) == ["path", "offset", "errorOffset", "reason"])
  }

  @Test func textThatIsNoUTF8FailsThePage() throws {
    guard case .failure(let error) = try source([0x22, 0x61, 0xFF, 0x22, 0x0A]).fetch(PageRequest()) else {
      Issue.record("the line was taken")
      return
    }
    #expect(error.code == .badPage)
    #expect(error.message.contains("at byte 2 a string is not valid UTF-8"))
  }

  @Test func pagesBeforeABadLineAreGiven() throws {
    let source = try source("1\n2\noops\n4\n".utf8)
    let page = try source.fetch(PageRequest(limit: 2)).get()
    #expect(page.texts == ["1", "2"])
    #expect(page.hasMore == true)
    guard case .failure = source.fetch(source.request(after: page, PageRequest(limit: 2))) else {
      Issue.record("the line was taken")
      return
    }
  }

  @Test func idsAreFoundByAnyPath() throws {
    let source = try source(#"{"id":1,"n":{"k":[7]},"a/b":"z"}"#.utf8)
    #expect(try source.fetch(PageRequest(), idPath: JSONPointer("/n/k/0")).get().ids == ["7"])
    #expect(try source.fetch(PageRequest(), idPath: JSONPointer("/a~1b")).get().ids == [#""z""#])
    #expect(try source.fetch(PageRequest(), idPath: JSONPointer("/none")).get().ids == [""])
    #expect(try source.fetch(PageRequest(), idPath: .root).get().ids == [#"{"id":1,"n":{"k":[7]},"a/b":"z"}"#])
  }

  @Test func aValueBeyondTheLimitIsNamed() throws {
    var limits = FileLimits()
    limits.recordBytes = 10
    let path = directory.write("long.jsonl", "\"12345678\"\n\"123456789\"\n1\n")
    let source = try fileSource(path, limits, .jsonl)
    let page = try source.fetch(PageRequest(limit: 1)).get()
    guard case .failure(let error) = source.fetch(source.request(after: page, PageRequest(limit: 1))) else {
      Issue.record("the line was taken")
      return
    }
    #expect(error.code == .limitExceeded)
    #expect(error.message.contains("byte 11"))
    #expect(error.message.contains("11 bytes"))
  }

  @Test func endlessBlankLinesAreGivenUpForAnEmptyPage() throws {
    var limits = FileLimits()
    limits.scanBytes = 50
    limits.firstReadBytes = 16
    limits.readBytes = 16
    let path = directory.write("blank.jsonl", String(repeating: "\n", count: 200) + "1\n")
    let pages = try walk(try fileSource(path, limits, .jsonl), pageSize: 5)
    #expect(pages.count > 2)
    #expect(pages.flatMap(\.page.texts) == ["1"])
    #expect(pages.dropLast().allSatisfy { $0.page.hasMore == true && $0.page.items.isEmpty })
  }

  @Test(arguments: 1...40) func randomFilesAreReadRightWhateverTheBlockSize(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let values = ["1", #"{"id":7}"#, #"[ "é€" , null ]"#, "\"\u{1F600}\"", "-0.5e-3", #"{"a":{"b":[[]]}}"#]
    var text = Bool.random(using: &random) ? "\u{FEFF}" : ""
    var expected: [String] = []
    var keys: [Int] = []
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      keys.append(expected.isEmpty && text == "\u{FEFF}" ? 0 : text.utf8.count)
      let value = values.randomElement(using: &random) ?? ""
      expected.append(value)
      text += ["", " ", "\t "].randomElement(using: &random) ?? ""
      text += value + (["\n", "\r\n", " \n", "\n\n", "\n \r\n"].randomElement(using: &random) ?? "")
    }
    if Bool.random(using: &random), text.last == "\n" { text.removeLast() }
    let path = directory.write("random.jsonl", text)
    var limits = FileLimits()
    limits.firstReadBytes = Int.random(in: 1...40, using: &random)
    limits.readBytes = Int.random(in: 2...60, using: &random)
    limits.pageBytes = Int.random(in: 10...100, using: &random)
    let pages = try walk(
      try fileSource(path, limits, .jsonl), pageSize: Int.random(in: 1...5, using: &random))
    #expect(pages.flatMap(\.page.texts) == expected, "seed \(seed)")
    #expect(pages.flatMap { $0.page.items.map(\.key) } == keys, "seed \(seed)")
  }
}
