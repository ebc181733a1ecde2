import JSONText
import TestSupport
import Testing

@testable import PageSources

/// Counting a file's items, and finding a line by its number.
@Suite struct FileCountTests {
  private let directory = TemporaryDirectory()

  private func count(_ source: any PageSource) throws -> Int? {
    let work = try #require(source.workBehind())
    return try work(CancellationFlag()).get().total
  }

  /// An index of a file that knows nothing yet.
  private func index(_ path: String, skipsBlank: Bool = false) throws -> (LineIndex, OpenFile) {
    let file = try OpenFile.open(Array(path.utf8))
    return (LineIndex(skipsBlank: skipsBlank, isFollowed: false), file)
  }

  @Test func theCountComesBehindTheFirstPage() throws {
    let path = directory.write("log.txt", "one\ntwo\nthree")
    let source = try openFile(path, "\"countTotal\":true")
    #expect(source.workBehind() == nil)
    let first = PageRequest(limit: 2)
    let page = try source.fetch(first).get()
    #expect(page.total == nil)
    #expect(try count(source) == 3)
    #expect(source.workBehind() == nil)
    #expect(try source.fetch(source.request(after: page, first)).get().total == 3)
    // A refresh takes what is known, and counts on.
    directory.append("log.txt", "!\nfour\n")
    let refreshed = try source.fetch(PageRequest(kind: .refresh, limit: 2, generation: 2)).get()
    #expect(refreshed.total == 3)
    #expect(try count(source) == 4)
    directory.write("log.txt", "other\n")
    #expect(try source.fetch(PageRequest(kind: .refresh, limit: 2, generation: 3)).get().total == nil)
    #expect(try count(source) == 1)
  }

  @Test func nothingIsCountedUnlessAsked() throws {
    let source = try openFile(directory.write("log.txt", "one\n"))
    #expect(try source.fetch(PageRequest()).get().total == nil)
    #expect(source.workBehind() == nil)
  }

  @Test func growthIsCountedInWhileFollowing() throws {
    let path = directory.write("log.jsonl", "1\n\n2\n[")
    let source = try openFile(path, "\"countTotal\":true,\"follow\":true")
    let page = try source.fetch(PageRequest()).get()
    #expect(try count(source) == 2)
    directory.append("log.jsonl", "]\n \n4\n5")
    let look = PageRequest(kind: .more, cursor: page.tail, page: 1)
    #expect(try source.fetch(look).get().total == 4)
  }

  @Test func aCancelledCountKnowsNothing() throws {
    let source = try openFile(directory.write("log.txt", "one\n"), "\"countTotal\":true")
    _ = try source.fetch(PageRequest()).get()
    let work = try #require(source.workBehind())
    let flag = CancellationFlag()
    flag.cancel()
    guard case .failure = work(flag) else {
      Issue.record("it counted all the same")
      return
    }
  }

  @Test(arguments: [
    ("", 0, 0), ("a", 1, 1), ("a\n", 1, 1), ("\n\n", 2, 0), ("a\n\nb", 3, 2), ("\u{FEFF}", 0, 0), ("\u{FEFF}a", 1, 1),
    ("a\n \t\r\n", 2, 1), ("a\n ", 2, 1), (" a\n", 1, 1), ("\r\n", 1, 0),
  ]) func whatCounts(_ text: String, _ lines: Int, _ values: Int) throws {
    let path = directory.write("file", text)
    for (skipsBlank, expected) in [(false, lines), (true, values)] {
      let (index, file) = try index(path, skipsBlank: skipsBlank)
      try index.count(file, limits: FileLimits(), cancellation: CancellationFlag())
      #expect(index.total == expected, "\(skipsBlank)")
    }
  }

  /// Against a plain loop, over lines of all lengths and far more than a block.
  @Test(arguments: [UInt64(1), 2, 3]) func everyLineIsFoundByItsNumber(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var bytes: [UInt8] = []
    let longest = [0, 3, 300][Int(seed) - 1]
    while bytes.count < 600_000 {
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "x"), count: Int.random(in: 0...longest, using: &random)))
      bytes.append(0x0A)
    }
    var starts = [0]
    for (index, byte) in bytes.enumerated() where byte == 0x0A { starts.append(index + 1) }
    let (index, file) = try index(directory.write("file", bytes))
    func start(_ number: Int) throws -> Int? {
      try index.start(ofLine: number, in: file, limits: FileLimits(), cancellation: CancellationFlag())
    }
    #expect(try start(1) == 0)
    for _ in 0..<200 {
      let number = Int.random(in: 1...starts.count, using: &random)
      #expect(try start(number) == starts[number - 1], "line \(number)")
    }
    #expect(try start(starts.count) == bytes.count)
    #expect(try start(starts.count + 1) == nil)
    try index.count(file, limits: FileLimits(), cancellation: CancellationFlag())
    #expect(index.total == starts.count - 1)
    #expect(index.byteCount <= bytes.count / 1000)
  }

  @Test func aFileMayBeOpenedAtALine() throws {
    let path = directory.write("log.txt", "1\n2\n3\n4\n5\n")
    func first(_ line: Int) throws -> [String] {
      let source = try openFile(path, "\"from\":{\"line\":\(line)}")
      let page = try source.fetch(PageRequest(limit: 2)).get()
      let back = try walkBack(source, from: page, pageSize: 2)
      #expect(back.count + page.items.count == min(5, line + 1))
      return try page.shownLines().map { String(decoding: $0.text, as: UTF8.self) }
    }
    #expect(try first(1) == ["1", "2"])
    #expect(try first(3) == ["3", "4"])
    #expect(try first(5) == ["5"])
    #expect(try first(6) == ["4", "5"])
    #expect(try first(1_000_000) == ["4", "5"])
  }

  @Test func lineFeedsOfAnyNumberOfBytesAreCounted() {
    var random = SeededRandom(seed: 6)
    for size in Array(0...300) + [8159, 8160, 8161, 8192, 100_000] {
      for rarity in [1, 2, 100] {
        let bytes = (0..<size).map { _ in Int.random(in: 1...rarity, using: &random) == 1 ? UInt8(0x0A) : 0x8A }
        #expect(LineTally.lineFeeds(in: bytes.span) == bytes.count { $0 == 0x0A })
      }
    }
  }

  @Test(arguments: [UInt64(4), 5]) func aLineKnowsItsNumberOnceTheLinesBeforeItAreCounted(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let longest = seed == 4 ? 5 : 2000
    var starts = [0]
    var bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
    while bytes.count < 700_000 {
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "x"), count: Int.random(in: 0...longest, using: &random)))
      bytes.append(0x0A)
      starts.append(bytes.count)
    }
    let (index, file) = try index(directory.write("file", bytes))
    func number(_ line: Int) throws -> Int? {
      try index.number(ofLineAt: starts[line - 1], in: file, CancellationFlag())
    }
    #expect(try number(1) == 1)
    #expect(try number(2) == nil)
    // What a page before it has noted needs no count.
    try index.adopted(file)
    index.note(7, at: starts[6], in: file)
    #expect(try number(7) == 7)
    #expect(try number(8) == nil)
    try index.count(file, limits: FileLimits(), cancellation: CancellationFlag())
    for _ in 0..<200 {
      let line = Int.random(in: 1...starts.count, using: &random)
      #expect(try number(line) == line)
    }
    // In another file these numbers say nothing.
    let other = try OpenFile.open(Array(directory.write("other", bytes).utf8))
    #expect(try index.number(ofLineAt: starts[6], in: other, CancellationFlag()) == nil)
  }

  @Test func theWayOfACountIsSeen() throws {
    let source = try openFile(directory.write("log.txt", "one\ntwo\n"), "\"countTotal\":true")
    #expect(try #require(source.progress).outcome == nil)
    _ = try source.fetch(PageRequest()).get()
    let before = try #require(source.progress)
    #expect((before.done, before.whole, before.percentage) == (0, 8, 0))
    _ = try count(source)
    let after = try #require(source.progress)
    #expect((after.done, after.whole, after.percentage, after.outcome) == (8, 8, 100, "2 items"))
    #expect(try openFile(directory.write("b.txt", "one\n")).progress == nil)
    #expect(try openFile(directory.write("b.txt", "one\n"), "\"from\":{\"line\":1}").progress == nil)
    #expect(try openFile(directory.write("b.txt", "one\n"), "\"from\":{\"line\":2}").progress != nil)
  }

  @Test func aRefreshMayStartAtALine() throws {
    let source = try openFile(directory.write("log.txt", "1\n2\n3\n"))
    let request = PageRequest(kind: .refresh, cursor: Array(#"{"line":2}"#.utf8), limit: 5, generation: 2)
    #expect(try source.fetch(request).get().items.map(\.key) == [2, 4])
  }

  @Test func linesCountFromOne() {
    for (from, message) in [
      (#"{"line":0}"#, "/source/from/line: expected an integer from 1 to 9007199254740992"),
      (#"{"line":1.5}"#, "/source/from/line: expected an integer from 1 to 9007199254740992"),
      (#"{"line":1,"offset":1}"#, "/source/from: expected only one of offset, line and fraction"),
    ] {
      #expect(paramsMessage(#"{"type":"file","path":"/x","from":\#(from)}"#) == message)
    }
    let message = paramsMessage(#"{"type":"file","path":"/x.json","countTotal":true}"#)
    #expect(message == "/source/countTotal: only the items of a file of format \"lines\" or \"jsonl\" can be counted")
  }
}
