import JSONText
import Testing

@testable import PageSources

/// What holds for every source that has pages of its own.
@Suite struct ConformanceTests {
  private static let pageSizes = [1, 2, 3, 7, 1000]
  private static let kinds = [
    "items", "synthetic", "synthetic with odd pages", "lines", "jsonl", "json", "csv", "sqlite", "sqlite by count",
  ]
  private let directory = TemporaryDirectory()

  /// Opens a source of `count` items.
  private func source(_ kind: String, count: Int) throws -> any PageSource {
    switch kind {
    case "items":
      return try opened(
        "{\"type\":\"items\",\"items\":[\((0..<count).map { "{\"id\":\($0)}" }.joined(separator: ","))]}")
    case "synthetic":
      return try opened("{\"type\":\"synthetic\",\"count\":\(count)}")
    case "synthetic with odd pages":
      return try opened("{\"type\":\"synthetic\",\"count\":\(count),\"emptyPages\":[0,2,3],\"shortPages\":[1,4]}")
    case "lines":
      return try openFile(directory.write("\(count).txt", (0..<count).map { "line \($0)\r\n" }.joined()))
    case "json":
      return try openFile(
        directory.write("\(count).json", "[\((0..<count).map { "{\"id\":\($0)}" }.joined(separator: " ,\n"))]"))
    case "sqlite", "sqlite by count":
      let rows = count == 0 ? "SELECT 1 WHERE 0" : "VALUES \((0..<count).map { "(\($0))" }.joined(separator: ","))"
      let name = "\(kind) \(count).db"
      let database = try TestDatabase(
        directory, ["DROP TABLE IF EXISTS t", "CREATE TABLE t(id)", "INSERT INTO t \(rows)"], name: name)
      return try database.source(kind == "sqlite" ? "\"table\":\"t\"" : "\"query\":\"SELECT id FROM t\"")
    case "csv":
      return try openFile(directory.write("\(count).csv", "id,x\n" + (0..<count).map { "\($0),\"\n\"\n" }.joined()))
    default:
      return try openFile(directory.write("\(count).jsonl", (0..<count).map { "{\"id\":\($0)}\n\n" }.joined()))
    }
  }

  @Test(arguments: kinds) func aWalkMeetsEachItemOnceInOrder(_ kind: String) throws {
    for count in [0, 1, 2, 6, 7, 8, 14, 100] {
      let whole = try walk(source(kind, count: count), pageSize: 100_000).flatMap(\.page.texts)
      #expect(whole.count == count)
      #expect(Set(whole).count == count)
      for pageSize in Self.pageSizes {
        let source = try source(kind, count: count)
        let pages = try walk(source, pageSize: pageSize)
        #expect(pages.flatMap(\.page.texts) == whole, "\(count) items in pages of \(pageSize)")
        for walked in pages { expectCommaJoined(walked.page) }
        source.close()
      }
    }
  }

  @Test(arguments: kinds) func aPageAskedAgainIsTheSame(_ kind: String) throws {
    var random = SplitMix(seed: 11)
    for pageSize in Self.pageSizes {
      let source = try source(kind, count: 40)
      let pages = try walk(source, pageSize: pageSize)
      for walked in (pages + pages).shuffled(using: &random) {
        #expect(try source.fetch(walked.request).get() == walked.page)
      }
      // A source opened anew knows the places of the old one.
      let again = try self.source(kind, count: 40)
      for walked in pages.shuffled(using: &random) {
        #expect(try again.fetch(walked.request).get() == walked.page)
      }
    }
  }

  @Test(arguments: kinds) func aRefreshStartsFromTheFirstPage(_ kind: String) throws {
    let source = try source(kind, count: 10)
    let first = try walk(source, pageSize: 4).flatMap(\.page.texts)
    #expect(try walk(source, pageSize: 3, generation: 2).flatMap(\.page.texts) == first)
  }

  @Test(arguments: kinds) func everyItemIsValidJSONWithItsIDInside(_ kind: String) throws {
    for walked in try walk(source(kind, count: 20), pageSize: 6) {
      let page = walked.page
      for item in page.items {
        let value = try JSONScanner().scanDocument(page.bytes.span, item.value)
        #expect(value == item.value)
        #expect(item.id.isEmpty || (item.id.start > item.value.start && item.id.end <= item.value.end))
        let id = defaultIDPath.resolve(in: page.bytes.span, item.value) ?? .none
        #expect(item.id == id)
      }
    }
  }
}
