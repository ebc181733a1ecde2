import JSONText
import Testing

@testable import PageSources

@Suite struct FileCSVTests {
  private let directory = TemporaryDirectory()

  private func source(_ text: String, _ members: String = "", name: String = "file.csv") throws -> any PageSource {
    try openFile(directory.write(name, text), members)
  }

  private func items(_ text: String, _ members: String = "", name: String = "file.csv") throws -> [String] {
    try source(text, members, name: name).fetch(PageRequest(limit: 1000)).get().texts
  }

  @Test func recordsAreObjectsByTheHeader() throws {
    let page = try source("id,name\n1,Ann\n2,\"Bo, \"\"B\"\"\"\n").fetch(PageRequest()).get()
    #expect(page.texts == [#"{"id":"1","name":"Ann"}"#, #"{"id":"2","name":"Bo, \"B\""}"#])
    #expect(page.ids == [#""1""#, #""2""#])
    #expect(page.items.map(\.key) == [8, 14])
    #expect(page.hasMore == false)
    expectCommaJoined(page)
  }

  @Test func withoutAHeaderRecordsAreArrays() throws {
    let source = try source("a,b\n1,\n", #""header":false"#)
    #expect(try source.fetch(PageRequest()).get().texts == [#"["a","b"]"#, #"["1",""]"#])
    #expect(try source.fetch(PageRequest(), idPath: JSONPointer("/0")).get().ids == [#""a""#, #""1""#])
  }

  @Test(arguments: [
    ("a\n1", [#"{"a":"1"}"#]), ("a\r\n1\r\n", [#"{"a":"1"}"#]), ("\u{FEFF}a\n1\n", [#"{"a":"1"}"#]),
    ("\u{FEFF}\"a\"\n1\n", [#"{"a":"1"}"#]), ("a,b\n\"x\ny\",\"z\r\n\"\n", [#"{"a":"x\ny","b":"z\r\n"}"#]),
    ("a,b\n,\n", [#"{"a":"","b":""}"#]), ("a\n\"\"\n", [#"{"a":""}"#]), ("a\n\n\r\n1\n\n", [#"{"a":"1"}"#]),
    ("a,b\n1\n", [#"{"a":"1","b":null}"#]), ("a\n1,2,3\n", [#"{"a":"1","column_2":"2","column_3":"3"}"#]),
    ("a,,a,a\n1,2,3,4\n", [#"{"a":"1","column_2":"2","a_2":"3","a_3":"4"}"#]),
    ("a,a_2,a\n1,2,3\n", [#"{"a":"1","a_2":"2","a_3":"3"}"#]),
    ("a,b\n\"x\"y,z\n", [#"{"a":"xy","b":"z"}"#]), ("a,b\nx\"y\",z\n", [#"{"a":"x\"y\"","b":"z"}"#]),
    ("a,b\n \"x\",y\n", [#"{"a":" \"x\"","b":"y"}"#]), ("a\n\"x\"\"\"\n", [#"{"a":"x\""}"#]),
    ("a\nx\ry\n", [#"{"a":"x\ry"}"#]), ("a\n\"x\"\r\n", [#"{"a":"x"}"#]), ("a\n \n", [#"{"a":" "}"#]),
    ("a;b\n1;2\n", [#"{"a;b":"1;2"}"#]), ("\"a\nb\"\n1\n", [#"{"a\nb":"1"}"#]),
    ("a\nx\u{2028}y\n", ["{\"a\":\"x\u{2028}y\"}"]),
    ("", []), ("\u{FEFF}", []), ("a,b", []), ("a,b\n", []), ("\n\na\n1\n", [#"{"a":"1"}"#]),
  ])
  func recordsAreReadAsPeopleWriteThem(_ text: String, _ expected: [String]) throws {
    #expect(try items(text) == expected)
  }

  @Test func idsAreFoundInColumnsThatWereRenamed() throws {
    let source = try source("a,a,\n1,2,3,4\n5\n")
    for (path, ids) in [
      ("/a", ["1", "5"]), ("/a_2", ["2", ""]), ("/column_3", ["3", ""]), ("/column_4", ["4", ""]),
    ] {
      let page = try source.fetch(PageRequest(), idPath: JSONPointer(path)).get()
      #expect(page.ids.map { $0.filter { $0 != "\"" } } == ids)
    }
  }

  @Test func aRecordOfManyFieldsChangesNoOther() throws {
    #expect(try items("a\n1,2\n3\n") == [#"{"a":"1","column_2":"2"}"#, #"{"a":"3"}"#])
  }

  @Test func aHeaderOfNothingButOneNameIsQuick() throws {
    let names = [String](repeating: "a", count: 20_000).joined(separator: ",")
    #expect(try items("\(names)\n1\n").count == 1)
    #expect(try items(String(repeating: ",", count: 20_000) + "\n1\n").count == 1)
  }

  @Test func tabsSeparateInTSV() throws {
    #expect(try items("a\tb,c\n1\t\"2\t3\"\n", name: "file.tsv") == [#"{"a":"1","b,c":"2\t3"}"#])
    #expect(try items("a\tb\n1\t2\n", #""format":"tsv""#, name: "file.txt") == [#"{"a":"1","b":"2"}"#])
  }

  @Test func quotesThatNeverCloseAreNamed() throws {
    guard case .failure(let error) = try source("a,b\n1,\"2\n3,4\n").fetch(PageRequest()) else {
      Issue.record("the record was taken")
      return
    }
    #expect(error.code == .badPage)
    #expect(error.message.contains("open at byte 6 of \(directory.path)/file.csv"))
  }

  @Test func aStrayQuoteTakesInNoMoreThanARecordMayHave() throws {
    var limits = FileLimits()
    limits.rowBytes = 100
    limits.readBytes = 64
    let text = "a,b\n1,2\n3,\"4\n" + String(repeating: "5,6\n", count: 1000)
    let source = try fileSource(directory.write("stray.csv", text), limits, .csv)
    let page = try source.fetch(PageRequest(limit: 1)).get()
    #expect(page.texts == [#"{"a":"1","b":"2"}"#])
    guard case .failure(let error) = source.fetch(source.request(after: page, PageRequest(limit: 1))) else {
      Issue.record("the record was taken")
      return
    }
    #expect(error.code == .limitExceeded)
    #expect(error.message.contains("The record at byte 8"))
    #expect(error.message.contains("open at byte 10"))
  }

  @Test func invalidUTF8IsReplaced() throws {
    let path = directory.write("bad.csv", Array("a\n".utf8) + [0x78, 0xFF, 0x0A])
    #expect(try openFile(path).fetch(PageRequest()).get().texts == ["{\"a\":\"x\u{FFFD}\"}"])
  }

  @Test func aHeaderIsOnlyForTables() {
    #expect(
      paramsMessage(#"{"type":"file","path":"/x.txt","header":true}"#)
        == "/source/header: only a file of format \"csv\" or \"tsv\" has a header")
    #expect(
      paramsMessage(#"{"type":"file","path":"/x.csv","from":"end"}"#)
        == "/source/from: a file of format \"csv\" can only be read from \"start\"")
  }

  @Test(arguments: 1...60) func randomTablesAreReadRightWhateverTheBlockSize(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let pieces = ["a", "é€", "\u{1F600}", ",", "\"", "\n", "\r\n", " ", "0123456789012345678901234567890", "\u{01}"]
    let columns = Int.random(in: 1...4, using: &random)
    var rows: [[String]] = []
    var text = Bool.random(using: &random) ? "\u{FEFF}" : ""
    for _ in 0..<Int.random(in: 0...15, using: &random) {
      let row = (0..<columns).map { _ in
        (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      }
      rows.append(row)
      let fields = row.map { field in
        // Some fields are quoted that need not be.
        let mustQuote = columns == 1 && field.isEmpty || field.contains { ",\"\n\r\r\n".contains($0) }
        if !mustQuote && Bool.random(using: &random) { return field }
        return "\"" + field.replacing("\"", with: "\"\"") + "\""
      }
      text += fields.joined(separator: ",") + (Bool.random(using: &random) ? "\n" : "\r\n")
    }
    var limits = FileLimits()
    limits.firstReadBytes = Int.random(in: 1...40, using: &random)
    limits.readBytes = Int.random(in: 2...60, using: &random)
    limits.pageBytes = Int.random(in: 30...300, using: &random)
    var settings = FileSettings(path: Array(directory.write("random.csv", text).utf8), format: .csv)
    settings.hasHeader = false
    let source = try FileSource(settings, limits: limits)
    let pages = try walk(source, pageSize: Int.random(in: 1...6, using: &random))
    let expected = rows.map { row in
      var writer = JSONWriter()
      writer.beginArray()
      for field in row { writer.string(field) }
      writer.endArray()
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    #expect(pages.flatMap(\.page.texts) == expected, "seed \(seed)")
  }
}
