import JSONText
import Testing

@testable import PageSources

@Suite struct ItemsSourceTests {
  @Test func itemsComeAsTheyStand() throws {
    let items = [
      #"{"id": 1.0, "b":1,"a": 2,"a":3}"#, "9007199254740993", "1e400", #""\ud800\/""#, "null", "[ ]", "\"\u{2028}é\"",
    ]
    let source = try opened(#"{"type":"items","items":[ "# + items.joined(separator: " ,\n") + #" ]}"#)
    let page = try source.fetch(PageRequest()).get()
    #expect(page.texts == items)
    expectCommaJoined(page)
  }

  @Test func theLastPageSaysThatItIsTheLast() throws {
    let source = try opened(#"{"type":"items","items":[1,2,3,4]}"#)
    let first = try source.fetch(PageRequest(limit: 2)).get()
    #expect(first.hasMore == true)
    #expect(first.total == 4)
    #expect(first.next == .absent)
    let second = try source.fetch(PageRequest(kind: .more, page: 1, offset: 2, limit: 2)).get()
    #expect(second.texts == ["3", "4"])
    #expect(second.hasMore == false)
  }

  @Test func anEmptyListIsOneEmptyPage() throws {
    let page = try opened(#"{"type":"items","items":[]}"#).fetch(PageRequest()).get()
    #expect(page.items.isEmpty)
    #expect(page.hasMore == false)
    #expect(page.total == 0)
    #expect(page.previous == .absent)
  }

  @Test func idsAreFoundByAnyPath() throws {
    let source = try opened(
      #"{"type":"items","items":[{"id":"x","n":{"k":[7]}},{"n":{}},3,{"id":1,"\u0069d": "last"}]}"#)
    #expect(try source.fetch(PageRequest()).get().ids == [#""x""#, "", "", #""last""#])
    let deep = try JSONPointer("/n/k/0")
    #expect(try source.fetch(PageRequest(), idPath: deep).get().ids == ["7", "", "", ""])
    let whole = try source.fetch(PageRequest(), idPath: .root).get()
    #expect(whole.ids == whole.texts)
  }

  @Test func aPlaceBeyondTheEndIsAnEmptyEnd() throws {
    let source = try opened(#"{"type":"items","items":[1,2,3]}"#)
    for offset in [3, 4, Int.max] {
      let page = try source.fetch(PageRequest(kind: .more, offset: offset, limit: .max)).get()
      #expect(page.items.isEmpty)
      #expect(page.hasMore == false)
    }
    #expect(try source.fetch(PageRequest(offset: .min, limit: .max)).get().texts == ["1", "2", "3"])
    #expect(try source.fetch(PageRequest(limit: .min)).get().items.isEmpty)
  }

  @Test func theWayBackFromTheMiddleMeetsEveryItem() throws {
    let source = try opened(#"{"type":"items","items":[0,1,2,3,4,5,6,7]}"#)
    let middle = try source.fetch(PageRequest(page: 2, offset: 5, limit: 2)).get()
    for size in [1, 2, 3, 7, 1000] {
      #expect(try walkBack(source, from: middle, pageSize: size) == ["0", "1", "2", "3", "4"])
    }
  }

  @Test func aForeignCursorIsRefused() throws {
    let source = try opened(#"{"type":"items","items":[0]}"#)
    for cursor in ["7", "{}", "{", "", #"{"before":"1"}"#, #"{"before":1e3}"#, #"{"before":99999999999999999999}"#] {
      let result = source.fetch(PageRequest(kind: .previous, cursor: Array(cursor.utf8)))
      guard case .failure(let error) = result else {
        Issue.record("\(cursor) was taken")
        continue
      }
      #expect(error.code == .loadFailed)
      #expect(error.retryable == false)
    }
  }

  @Test func aPageIsBoundedInBytesAndLosesNothing() throws {
    // Three items of 7 MB: two fit into a page of 16 MiB.
    let item = "\"" + String(repeating: "x", count: 7_000_000) + "\""
    let source = try opened(#"{"type":"items","items":["# + [item, item, item].joined(separator: ",") + "]}")
    let pages = try walk(source, pageSize: 10)
    #expect(pages.map(\.page.items.count) == [2, 1])
    let last = try #require(pages.last)
    #expect(try walkBack(source, from: last.page, pageSize: 10).count == 2)
  }
}
