import JSONText
import Testing

@testable import PageSources

@Suite struct FileJSONTests {
  private let directory = TemporaryDirectory()

  private func source(_ text: some Collection<UInt8>) throws -> any PageSource {
    try openFile(directory.write("file.json", text))
  }

  private func fetch(_ text: String) throws -> SourcePage { try source(text.utf8).fetch(PageRequest()).get() }

  @Test func elementsComeAsTheyStand() throws {
    let elements = [
      #"{"id": 1.0, "b" : [1,{}]}"#, "1e400", #""\ud800 \u2028,]""#, "null", "[ ]", "{\n  \"id\": \"x\"\n}", "-0",
    ]
    let page = try fetch("\u{FEFF} [\n  " + elements.joined(separator: " ,\r\n\t") + "\n]\n")
    #expect(page.texts == elements)
    #expect(page.ids == ["1.0", "", "", "", "", #""x""#, ""])
    #expect(page.items.first?.key == 8)
    #expect(page.hasMore == false)
    expectCommaJoined(page)
  }

  @Test func anotherValueIsTheOnlyItem() throws {
    for value in [#"{"id":1,"items":[1,2]}"#, "3", "-12.5e3", "true", "null", "\"x\""] {
      let page = try fetch("\u{FEFF}\n \(value) \n")
      #expect(page.texts == [value])
      #expect(page.hasMore == false)
    }
  }

  @Test func anEmptyArrayIsOneEmptyPage() throws {
    for text in ["[]", " [ ] ", "\u{FEFF}[\n]\n"] {
      let page = try fetch(text)
      #expect(page.items.isEmpty)
      #expect(page.hasMore == false)
    }
  }

  @Test(arguments: [
    ("", 0, "the text ends inside a value"), ("[1,2", 4, "the text ends inside a value"),
    ("[1 2]", 3, "a comma or a closing"),
    ("[1,]", 3, "a value was expected"), ("[1],", 3, "text follows"), ("[,1]", 1, "a value was expected"),
    ("{\"a\":1}\n{\"a\":2}\n", 8, "text follows after the value. If each line holds a value of its own, open it with"),
    ("[tru]", 1, "only true, false and null"), ("[01]", 1, "a number is malformed"), ("[1}", 2, "a comma or a closing"),
    ("nope", 0, "only true, false and null"), ("[\"a\nb\"]", 3, "a control character"),
  ])
  func whatIsNoJSONIsNamedWithItsPlace(_ text: String, _ place: Int, _ reason: String) throws {
    guard case .failure(let error) = try source(text.utf8).fetch(PageRequest()) else {
      Issue.record("\(text) was taken")
      return
    }
    #expect(error.code == .badPage)
    #expect(error.message.contains("\(directory.path)/file.json"))
    #expect(error.message.contains(reason), "\(error.message)")
    // Where exactly in a word or a number the scanner sees the fault is its own affair.
    let named = try #require(error.details.first { $0.key == "errorOffset" })
    let offset = try #require(Int(String(decoding: named.json, as: UTF8.self)))
    #expect((place...place + 4).contains(offset))
  }

  @Test func pagesBeforeAFaultAreGiven() throws {
    let source = try source("[1,2,oops]".utf8)
    let page = try source.fetch(PageRequest(limit: 2)).get()
    #expect(page.texts == ["1", "2"])
    #expect(page.next == .value(Array(#"{"offset":5}"#.utf8)))
  }

  @Test func aFileThatChangedIsNoticed() throws {
    let source = try source("[\"one\",\"two\",\"three\"]".utf8)
    let page = try source.fetch(PageRequest(limit: 1)).get()
    directory.write("file.json", "[\"onetwo\",\"three\",4]")
    guard case .failure(let error) = source.fetch(source.request(after: page, PageRequest(limit: 1))) else {
      Issue.record("nothing was noticed")
      return
    }
    #expect(error.code == .sourceChanged)
  }

  @Test func nestingBeyondTheLimitIsNamed() throws {
    let deep = String(repeating: "[", count: 999) + String(repeating: "]", count: 999)
    #expect(try fetch("[\(deep)]").texts == [deep])
    guard case .failure(let error) = try source("[[\(deep)]]".utf8).fetch(PageRequest()) else {
      Issue.record("1,001 levels were taken")
      return
    }
    #expect(error.message.contains("nested too deeply"))
  }

  @Test func aValueBeyondTheLimitIsNamed() throws {
    var limits = FileLimits()
    limits.recordBytes = 50
    limits.firstReadBytes = 16
    limits.readBytes = 16
    let path = directory.write("long.json", "[1,\"" + String(repeating: "x", count: 500) + "\"]")
    let source = try fileSource(path, limits, .json)
    let page = try source.fetch(PageRequest(limit: 1)).get()
    guard case .failure(let error) = source.fetch(source.request(after: page, PageRequest(limit: 1))) else {
      Issue.record("the value was taken")
      return
    }
    #expect(error.code == .limitExceeded)
    #expect(error.message.contains("The value at byte 3"))
  }

  @Test(arguments: 1...60) func randomArraysAreReadRightWhateverTheBlockSize(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let values = [
      "1", "-123456789.5e+10", #"{"id":7}"#, #"[ "é€" , null ]"#, "\"\u{1F600}\"", #"{"a":{"b":[[]]}}"#, "true",
      "false", "null",
      #""\u00e9\\\"""#, "0",
    ]
    let blanks = ["", "", " ", "\n", "\r\n\t "]
    func blank(_ random: inout SplitMix) -> String { blanks.randomElement(using: &random) ?? "" }
    let elements = (0..<Int.random(in: 0...20, using: &random)).map { _ in values.randomElement(using: &random) ?? "" }
    var text = Bool.random(using: &random) ? "\u{FEFF}" : ""
    text += blank(&random) + "[" + blank(&random)
    for (index, element) in elements.enumerated() {
      if index > 0 { text += blank(&random) + "," + blank(&random) }
      text += element
    }
    text += blank(&random) + "]" + blank(&random)
    var limits = FileLimits()
    limits.firstReadBytes = Int.random(in: 1...40, using: &random)
    limits.readBytes = Int.random(in: 2...60, using: &random)
    limits.pageBytes = Int.random(in: 10...100, using: &random)
    let source = try fileSource(directory.write("random.json", text), limits, .json)
    let pages = try walk(source, pageSize: Int.random(in: 1...5, using: &random))
    #expect(pages.flatMap(\.page.texts) == elements, "seed \(seed)")
    #expect(pages.last?.page.hasMore == false)
  }
}
