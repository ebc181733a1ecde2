import JSONText
import Testing

@testable import PageSources

@Suite struct FileBackwardTests {
  private let directory = TemporaryDirectory()
  private let pageSizes = [1, 2, 3, 7, 1000]

  private func path(lines count: Int, end: String = "\n") -> String {
    directory.write("lines.txt", (0..<count).map { "line \($0)" }.joined(separator: "\n") + (count > 0 ? end : ""))
  }

  private func numbers(_ page: SourcePage) throws -> [Int] {
    try page.shownLines().compactMap { Int(String(decoding: $0.text, as: UTF8.self).dropFirst(5)) }
  }

  @Test func fromTheEndComeTheLastLines() throws {
    for end in ["", "\n"] {
      let source = try openFile(path(lines: 20, end: end), #""from":"end""#)
      let page = try source.fetch(PageRequest(limit: 3)).get()
      #expect(try numbers(page) == [17, 18, 19])
      #expect(page.hasMore == false)
      #expect(page.next == .absent)
      for size in pageSizes { #expect(try walkBack(source, from: page, pageSize: size).count == 17) }
    }
  }

  @Test func fromTheEndOfAShortFileComesAllOfIt() throws {
    for count in [0, 1, 2, 3] {
      let page = try openFile(path(lines: count), #""from":"end""#).fetch(PageRequest(limit: 3)).get()
      #expect(try numbers(page) == Array(0..<count))
      #expect(page.previous == .absent)
      #expect(page.hasMore == false)
    }
  }

  @Test func fromAnOffsetComesTheLineThatHoldsIt() throws {
    let path = directory.write("offset.txt", "zero\none\ntwo\nthree")
    for (offset, line) in [(0, "zero"), (4, "zero"), (5, "one"), (8, "one"), (9, "two"), (13, "three"), (17, "three")] {
      let source = try openFile(path, "\"from\":{\"offset\":\(offset)}")
      let page = try source.fetch(PageRequest(limit: 1)).get()
      #expect(try page.shownLines().map(\.text) == [Array(line.utf8)])
    }
    // Beyond the end there is only the end to show.
    let source = try openFile(path, "\"from\":{\"offset\":\(1 << 53)}")
    #expect(try source.fetch(PageRequest(limit: 2)).get().items.map(\.key) == [9, 13])
  }

  @Test func fromAFractionComesThatPartOfTheFile() throws {
    let path = path(lines: 1000)
    for (fraction, expected) in [("0", 0), ("0.0", 0), ("0.5", 505), ("1e-9", 0), ("1", 999), ("1.0", 999)] {
      let page = try openFile(path, "\"from\":{\"fraction\":\(fraction)}").fetch(PageRequest(limit: 1)).get()
      let number = try #require(try numbers(page).first)
      #expect(abs(number - expected) < 8, "fraction \(fraction)")
    }
  }

  @Test func aListBegunInTheMiddleReachesBothEnds() throws {
    let source = try openFile(path(lines: 50), #""from":{"fraction":0.4}"#)
    for size in pageSizes {
      let pages = try walk(source, pageSize: size)
      let first = try #require(pages.first)
      let back = try walkBack(source, from: first.page, pageSize: size)
      let texts = back + pages.flatMap(\.page.texts)
      let whole = try walk(openFile("\(directory.path)/lines.txt"), pageSize: 1000).flatMap(\.page.texts)
      #expect(texts == whole)
    }
  }

  @Test func aRefreshMayStartElsewhere() throws {
    let source = try openFile(path(lines: 20))
    func refresh(_ from: String) throws -> [Int] {
      let request = PageRequest(kind: .refresh, cursor: Array(from.utf8), limit: 2, generation: 2)
      return try numbers(source.fetch(request).get())
    }
    #expect(try refresh(#""end""#) == [18, 19])
    #expect(try refresh(#""start""#) == [0, 1])
    #expect(try refresh(#"{"offset":8}"#) == [1, 2])
    #expect(try refresh(#"{"fraction":1}"#) == [18, 19])
    #expect(try refresh(#"{"before":21}"#) == [1, 2])
  }

  @Test func aFirstPageAskedAgainLiesWhereItLay() throws {
    for (from, cursor) in [
      ("\"end\"", nil), ("\"start\"", "\"end\""), ("{\"fraction\":0.5}", nil), ("\"end\"", "{\"offset\":20}"),
    ] {
      let source = try openFile(path(lines: 20), "\"from\":\(from)")
      var request = PageRequest(
        kind: cursor == nil ? .initial : .refresh, cursor: cursor.map { Array($0.utf8) }, limit: 3, generation: 2)
      let page = try source.fetch(request).get()
      directory.append("lines.txt", "line 20\nline 21\n")
      request.kind = .more
      let again = try source.fetch(request).get()
      #expect(again.texts == page.texts)
      #expect(again.previous == page.previous)
      #expect(again.hasMore == true)
      // A refresh goes by the file as it is now.
      request.kind = .refresh
      request.generation = 3
      let isFarFromEnd = from != "\"end\"" && cursor == nil || cursor == "{\"offset\":20}"
      #expect(try numbers(source.fetch(request).get()).contains(21) != isFarFromEnd)
    }
  }

  @Test func previousPagesNoticeAChangedFile() throws {
    let source = try openFile(path(lines: 20), #""from":"end""#)
    let page = try source.fetch(PageRequest(limit: 2)).get()
    directory.write("lines.txt", "something else\n")
    guard case .value(let cursor) = page.previous,
      case .failure(let error) = source.fetch(PageRequest(kind: .previous, cursor: cursor, page: -1, limit: 2))
    else {
      Issue.record("nothing was noticed")
      return
    }
    #expect(error.code == .sourceChanged)
  }

  @Test func theEndOfASparseFileBeyondThirtyTwoBitsIsQuick() throws {
    let far = 1 << 33
    directory.write("sparse.txt", "\nfar\nlast\n", at: far)
    let source = try openFile("\(directory.path)/sparse.txt", #""from":"end""#)
    let page = try source.fetch(PageRequest(limit: 2)).get()
    #expect(page.items.map(\.key) == [far + 1, far + 5])
    #expect(page.previous == .value(Array("{\"before\":\(far + 1)}".utf8)))
  }

  @Test func blankLinesOfJSONLinesDoNotCountBackwards() throws {
    let source = try openFile(
      directory.write("blank.jsonl", "\n1\n\n \n2\n\r\n3\n\n\n"), #""from":"end""#)
    for size in pageSizes {
      let page = try source.fetch(PageRequest(limit: size)).get()
      #expect(page.hasMore == false)
      #expect(try walkBack(source, from: page, pageSize: size) + page.texts == ["1", "2", "3"])
    }
  }

  @Test func endlessBlankLinesAreGivenUpForEmptyPages() throws {
    var limits = FileLimits()
    limits.scanBytes = 50
    let path = directory.write("blank.jsonl", "1\n" + String(repeating: "\n", count: 200) + "2\n")
    let source = try fileSource(path, limits, .jsonl, from: .end)
    let page = try source.fetch(PageRequest(limit: 1)).get()
    #expect(page.texts == ["2"])
    #expect(try walkBack(source, from: page, pageSize: 1) == ["1"])
  }

  @Test func aLargePageBeforeLosesItsFirstLines() throws {
    var limits = FileLimits()
    limits.pageBytes = 200
    let text = (0..<60).map { String(repeating: "\u{01}", count: $0 % 13) }.joined(separator: "\n")
    let path = directory.write("large.txt", text)
    let whole = try walk(fileSource(path, limits), pageSize: 1000).flatMap(\.page.texts)
    #expect(whole.count == 60)
    let source = try fileSource(path, limits, from: .end)
    let page = try source.fetch(PageRequest(limit: 1000)).get()
    #expect(page.items.count < 20)
    #expect(try walkBack(source, from: page, pageSize: 1000) + page.texts == whole)
  }

  @Test(arguments: 1...60) func randomFilesReadBackwardsAreTheSame(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let isLines = Bool.random(using: &random)
    let pieces =
      isLines
      ? ["\n", "\n", "\r\n", "\r", "abc", "é€", "0123456789012345678901234567890", "\u{01}"]
      : ["\n", " \r\n", "\n", "1\n", "[ 2 ]\r\n", "\"3333333333333333333\"\n"]
    var text = Int.random(in: 0...3, using: &random) == 0 ? "\u{FEFF}" : ""
    for _ in 0..<Int.random(in: 0...60, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
    let path = directory.write("random.txt", text)
    var limits = FileLimits()
    limits.firstReadBytes = Int.random(in: 1...40, using: &random)
    limits.readBytes = Int.random(in: 2...60, using: &random)
    limits.pageBytes = Int.random(in: 30...300, using: &random)
    let format = isLines ? FileFormat.lines : .jsonl
    let pageSize = Int.random(in: 1...9, using: &random)
    let whole = try walk(fileSource(path, limits, format), pageSize: pageSize).flatMap(\.page.texts)
    let place: FilePlace =
      Bool.random(using: &random) ? .end : .offset(Int.random(in: 0...text.utf8.count, using: &random))
    let source = try fileSource(path, limits, format, from: place)
    let pages = try walk(source, pageSize: pageSize)
    let first = try #require(pages.first)
    let back = try walkBack(source, from: first.page, pageSize: pageSize)
    #expect(back + pages.flatMap(\.page.texts) == whole, "seed \(seed)")
  }

  @Test(arguments: [
    (#""from":"middle""#, #"/source/from: expected "start", "end", {"offset": n}, {"line": n} or {"fraction": x}"#),
    (#""from":3"#, #"/source/from: expected "start", "end", {"offset": n}, {"line": n} or {"fraction": x}"#),
    (#""from":{}"#, #"/source/from: expected "start", "end", {"offset": n}, {"line": n} or {"fraction": x}"#),
    (#""from":{"line":0}"#, "/source/from/line: expected an integer from 1 to 9007199254740992"),
    (#""from":{"offset":-3}"#, "/source/from/offset: expected an integer from 0 to 2^53"),
    (#""from":{"offset":"3"}"#, "/source/from/offset: expected an integer from 0 to 2^53"),
    (#""from":{"fraction":1.5}"#, "/source/from/fraction: expected a number from 0 to 1"),
    (#""from":{"fraction":"1"}"#, "/source/from/fraction: expected a number from 0 to 1"),
    (#""from":{"fraction":1e999}"#, "/source/from/fraction: expected a number from 0 to 1"),
    (#""from":{"fraction":1,"offset":2}"#, "/source/from: expected only one of offset, line and fraction"),
    (#""from":{"place":1}"#, "/source/from/place: unknown member; known here are offset, line, fraction"),
  ])
  func malformedPlacesAreNamed(_ members: String, _ message: String) {
    #expect(paramsMessage("{\"type\":\"file\",\"path\":\"/x\",\(members)}") == message)
  }
}
