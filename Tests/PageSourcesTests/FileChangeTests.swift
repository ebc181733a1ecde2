import JSONText
import Testing

@testable import PageSources

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct FileChangeTests {
  private let directory = TemporaryDirectory()
  private let first = PageRequest(limit: 2)

  /// Opens a file of five lines, reads its first page, and gives the request for the second.
  private func begin() throws -> (source: any PageSource, second: PageRequest) {
    let source = try openFile(directory.write("file.txt", "one\ntwo\nthree\nfour\nfive\n"))
    let page = try source.fetch(first).get()
    return (source, source.request(after: page, first))
  }

  private func expectChanged(_ result: Result<SourcePage, SourceError>, _ reason: String) {
    guard case .failure(let error) = result else {
      Issue.record("nothing was noticed")
      return
    }
    #expect(error.code == .sourceChanged)
    #expect(error.message.contains("\(directory.path)/file.txt"))
    #expect(error.message.contains(reason))
    #expect(error.message.contains("Refresh"))
  }

  @Test func growthIsNoChange() throws {
    let (source, second) = try begin()
    directory.append("file.txt", "six\n")
    #expect(try source.fetch(second).get().items.map(\.key) == [8, 14])
    #expect(try walk(source, pageSize: 2).flatMap(\.page.items).count == 6)
  }

  @Test func aFileCutBeforeTheCursorHasChanged() throws {
    let (source, second) = try begin()
    truncate("\(directory.path)/file.txt", 4)
    expectChanged(source.fetch(second), "cut to 4 bytes")
    truncate("\(directory.path)/file.txt", 0)
    expectChanged(source.fetch(second), "cut to 0 bytes")
    // A refresh reads it as it is now.
    let refreshed = try source.fetch(PageRequest(kind: .refresh, limit: 2, generation: 2)).get()
    #expect(refreshed.items.isEmpty)
    #expect(refreshed.hasMore == false)
  }

  @Test func aFileCutAndWrittenAnewHasChanged() throws {
    let (source, second) = try begin()
    directory.write("file.txt", "another text that is longer than the one before\n")
    expectChanged(source.fetch(second), "first bytes")
    _ = try source.fetch(PageRequest(kind: .refresh, limit: 2, generation: 2)).get()
    expectChanged(source.fetch(second), "first bytes")
  }

  @Test func aFileThatTookTheOthersPlaceHasChanged() throws {
    let (source, second) = try begin()
    directory.write("new.txt", "one\ntwo\nthree\nfour\nfive\n")
    rename("\(directory.path)/new.txt", "\(directory.path)/file.txt")
    expectChanged(source.fetch(second), "another file")
  }

  @Test func aLineThatMovedBehindTheFirstBytesHasChanged() throws {
    let head = String(repeating: "x", count: 5000)
    let source = try openFile(directory.write("file.txt", "\(head)\none\ntwo\n"))
    let page = try source.fetch(PageRequest(limit: 1)).get()
    directory.write("file.txt", "\(head)yy\none\ntwo\n")
    expectChanged(source.fetch(source.request(after: page, PageRequest(limit: 1))), "no line starts at byte 5001")
  }

  @Test func aMissingFileIsUnavailableAndFineAgainWhenItIsBack() throws {
    let (source, second) = try begin()
    let path = "\(directory.path)/file.txt"
    rename(path, path + ".away")
    guard case .failure(let error) = source.fetch(second) else {
      Issue.record("a missing file was read")
      return
    }
    #expect(error.code == .sourceUnavailable)
    #expect(error.message.contains(path))
    rename(path + ".away", path)
    #expect(try source.fetch(second).get().items.count == 2)
  }

  @Test func aRefreshThatFailedLeavesTheOldGenerationToItsFile() throws {
    let (source, second) = try begin()
    let path = "\(directory.path)/file.txt"
    rename(path, path + ".away")
    directory.write("file.txt", "ONE\nTWO\nTHREE\nFOUR\nFIVE\n")
    let refresh = PageRequest(kind: .refresh, limit: 2, generation: 2)
    let page = try source.fetch(refresh).get()
    // The old generation's cursors do not fit the new file, the new generation's do, and the other way round.
    expectChanged(source.fetch(second), "another file")
    var next = source.request(after: page, refresh)
    next.kind = .refresh
    #expect(try source.fetch(next).get().shownLines().map(\.text) == [Array("THREE".utf8), Array("FOUR".utf8)])
    rename(path + ".away", path)
    #expect(try source.fetch(second).get().shownLines().map(\.text) == [Array("three".utf8), Array("four".utf8)])
  }

  /// Each page of a file, asked for again by the cursor that it named, whatever the size of pages is by then.
  @Test(arguments: [
    ("a.txt", "one\ntwo\n\nfour\nfive\nsix\n"), ("a.jsonl", "1\n\n2\n 3\n4\n\n\n5\n6\n"),
    ("a.json", "[1, 2,3 ,\n4,5,6]\n"), ("a.csv", "h\n1\n\n\"2\n\"\n3\n4\n5\n6\n"),
  ]) func aPageHadAgainIsTheSame(_ name: String, _ text: String) throws {
    let source = try openFile(directory.write(name, text))
    var request = PageRequest(limit: 2)
    var page = try source.fetch(request).get()
    var count = 0
    while page.hasMore == true {
      for limit in [1, 2, 50] {
        var again = PageRequest(kind: .more, cursor: page.again, limit: limit)
        let same = try source.fetch(again).get()
        #expect(same.texts == page.texts)
        #expect(same.next == page.next)
        again.kind = .previous
        #expect(try source.fetch(again).get().texts == page.texts)
      }
      count += 1
      request = source.request(after: page, request)
      page = try source.fetch(request).get()
    }
    #expect(count == 2)
    #expect(page.again == nil)
  }

  @Test func anItemThatNoLongerEndsWhereItsPageDidIsAChange() throws {
    let head = String(repeating: "x", count: 5000)
    let path = directory.write("file.txt", "\(head)\none\ntwo\nthree\nfour\n")
    let source = try openFile(path)
    let page = try source.fetch(PageRequest(kind: .more, cursor: Array(#"{"offset":5001}"#.utf8), limit: 2)).get()
    let again = PageRequest(kind: .more, cursor: page.again, limit: 2)
    directory.write("file.txt", "\(head)\none\ntwo three\nfour\n")
    expectChanged(source.fetch(again), "no line starts at byte 5009")
    // More items in as many bytes are those that stand there now.
    directory.write("file.txt", "\(head)\no\ne\ntwo\nthree\nfour\n")
    #expect(try source.fetch(again).get().items.count == 3)
  }

  @Test func whatASmallFileGainsIsComparedLater() throws {
    let source = try openFile(directory.write("file.txt", ""))
    #expect(try source.fetch(first).get().items.isEmpty)
    directory.append("file.txt", "a\nb\nc\nd\n")
    let more = PageRequest(kind: .more, cursor: Array(#"{"offset":2}"#.utf8), page: 1, limit: 1)
    #expect(try source.fetch(more).get().items.count == 1)
    directory.write("file.txt", "x\ny\nz\nw\n")
    expectChanged(source.fetch(more), "first bytes")
  }
}
