import JSONText
import Testing

@testable import PageSources

@Suite struct SyntheticSourceTests {
  private func source(_ members: String = "") throws -> any PageSource {
    try opened("{\"type\":\"synthetic\"\(members.isEmpty ? "" : ",")\(members)}")
  }

  private func ids(_ range: Range<Int>) -> [String] { range.map(String.init) }

  @Test func itemsHaveExactlyTheirShape() throws {
    let page = try source().fetch(PageRequest(limit: 3)).get()
    #expect(
      page.texts == [
        #"{"id": 0, "title": "Item 0"}"#, #"{"id": 1, "title": "Item 1"}"#, #"{"id": 2, "title": "Item 2"}"#,
      ])
    #expect(page.ids == ["0", "1", "2"])
    expectCommaJoined(page)
  }

  @Test func pagesSayNothingAboutTheEnd() throws {
    let source = try source(#""count":5"#)
    for offset in [0, 3, 5, 8] {
      let page = try source.fetch(PageRequest(kind: .more, page: 1, offset: offset, limit: 3)).get()
      #expect(page.hasMore == nil)
      #expect(page.next == .absent)
      #expect(page.total == nil)
      #expect(page.ids == ids(min(offset, 5)..<min(offset + 3, 5)))
    }
  }

  @Test func aHundredItemsUnlessToldOtherwise() throws {
    #expect(try walk(source(), pageSize: 33).flatMap(\.page.ids) == ids(0..<100))
    #expect(try walk(source(#""count":0"#), pageSize: 33).flatMap(\.page.ids) == [])
  }

  @Test func aListWithoutEndGoesOn() throws {
    let source = try source(#""count":null,"reportTotal":true"#)
    let page = try source.fetch(PageRequest(kind: .more, page: 9, offset: 1 << 50, limit: 2)).get()
    #expect(page.ids == [String(1 << 50), String(1 << 50 + 1)])
    #expect(page.total == nil)
    #expect(try source.fetch(PageRequest(kind: .more, page: .max, offset: .max, limit: 1)).get().items.count == 1)
  }

  @Test func theTotalIsReportedOnDemand() throws {
    #expect(try source(#""reportTotal":true,"count":7"#).fetch(PageRequest(limit: 2)).get().total == 7)
  }

  @Test func emptyAndShortPagesSayThatThereIsMoreAndLoseNothing() throws {
    let source = try source(#""count":40,"emptyPages":[0,2,3],"shortPages":[1,4]"#)
    let pages = try walk(source, pageSize: 10)
    #expect(pages.map(\.page.items.count) == [0, 5, 0, 0, 5, 10, 10, 10, 0])
    #expect(pages.map(\.page.hasMore) == [true, true, true, true, true, nil, nil, nil, nil])
    #expect(pages.flatMap(\.page.ids) == ids(0..<40))
  }

  @Test func aShortPageOfOneHoldsOne() throws {
    let source = try source(#""count":3,"shortPages":[0,1,2]"#)
    #expect(try walk(source, pageSize: 1).flatMap(\.page.ids) == ids(0..<3))
  }

  @Test func aPageFailsAsOftenAsItWasToldTo() throws {
    let source = try source(
      #""fail":[{"page":1,"times":2,"message":"no luck","retryable":false},{"page":1,"times":1},{"page":-1,"times":1}]"#
    )
    #expect(try source.fetch(PageRequest(limit: 2)).get().ids == ["0", "1"])
    let second = PageRequest(kind: .more, page: 1, offset: 2, limit: 2)
    for _ in 0..<2 {
      #expect(source.fetch(second) == .failure(SourceError(.loadFailed, "no luck", retryable: false)))
    }
    guard case .failure(let error) = source.fetch(second) else {
      Issue.record("the second order was not carried out")
      return
    }
    #expect(error.message == "Page 1 was told to fail (time 1 of 1). Load it again.")
    #expect(error.retryable == nil)
    #expect(try source.fetch(second).get().ids == ["2", "3"])
    // Counted by the page's number, whatever the generation.
    let refresh = PageRequest(kind: .refresh, page: 1, offset: 2, limit: 2, generation: 2)
    #expect(try source.fetch(refresh).get().ids == ["2", "3"])
  }

  @Test func latencyIsPartOfThePlan() throws {
    let source = try source(#""latencyMs":40"#)
    guard case .after(40, .success(let page)) = source.plan(PageRequest(limit: 1), idPath: defaultIDPath) else {
      Issue.record("expected a plan for 40 ms later")
      return
    }
    #expect(page.ids == ["0"])
  }

  @Test func jitterIsDrawnFromTheSeed() throws {
    func delays(_ seed: Int) throws -> [Int] {
      let source = try source("\"latencyMs\":100,\"jitterMs\":50,\"seed\":\(seed)")
      return (0..<50).map { _ in
        guard case .after(let delay, _) = source.plan(PageRequest(), idPath: defaultIDPath) else { return 0 }
        return delay
      }
    }
    let first = try delays(7)
    #expect(first == (try delays(7)))
    #expect(first != (try delays(8)))
    #expect(first.allSatisfy { (100...150).contains($0) })
    #expect(Set(first).count > 10)
  }

  @Test func itemsAreFilledUpToTheirSize() throws {
    for size in [0, 1, 28, 29, 43, 44, 45, 100, 5000] {
      let page = try source("\"itemBytes\":\(size)").fetch(PageRequest(limit: 3)).get()
      for text in page.texts {
        // An item without filling has 28 bytes, the filling's frame has 15.
        #expect(text.utf8.count == (size <= 28 ? 28 : max(size, 43)))
        #expect((try? JSONScanner().scanDocument(Array(text.utf8).span, .init(start: 0, end: text.utf8.count))) != nil)
      }
      #expect(page.ids == ["0", "1", "2"])
    }
  }

  @Test func aPageIsBoundedInBytesAndLosesNothing() throws {
    let source = try source(#""count":40,"itemBytes":1000000"#)
    let pages = try walk(source, pageSize: 30)
    #expect(pages.map(\.page.items.count) == [16, 16, 8, 0])
    #expect(pages.map(\.page.hasMore) == [true, true, nil, nil])
    #expect(pages.flatMap(\.page.ids) == ids(0..<40))
    let last = try source.fetch(PageRequest(page: 3, offset: 40, limit: 30)).get()
    #expect(try walkBack(source, from: last, pageSize: 30).count == 40)
  }

  @Test func startBeginsInTheMiddleWithPagesBefore() throws {
    let source = try source(#""count":50,"start":20,"emptyPages":[-2],"shortPages":[-1]"#)
    let first = try source.fetch(PageRequest(limit: 10)).get()
    #expect(first.ids == ids(20..<30))
    #expect(try walk(source, pageSize: 7).flatMap(\.page.ids) == ids(20..<50))
    for size in [1, 2, 3, 7, 1000] {
      let back = try walkBack(source, from: first, pageSize: size)
      #expect(back.count == 20)
      #expect(back.first == #"{"id": 0, "title": "Item 0"}"#)
      #expect(back.last == #"{"id": 19, "title": "Item 19"}"#)
    }
    #expect(try self.source(#""count":5,"start":0"#).fetch(PageRequest()).get().previous == .absent)
  }

  @Test func previousCursorsNeverRepeat() throws {
    let source = try source(#""start":5,"emptyPages":[-1,-2,-3]"#)
    var page = try source.fetch(PageRequest(limit: 2)).get()
    var seen: [CursorField] = []
    for number in 1...6 {
      guard case .value(let cursor) = page.previous else { break }
      #expect(!seen.contains(page.previous))
      seen.append(page.previous)
      page = try source.fetch(PageRequest(kind: .previous, cursor: cursor, page: -number, limit: 2)).get()
    }
    #expect(seen.count == 6)
    #expect(page.previous == .absent)
  }

  @Test func itemsAtTheHeadShiftTheOffsets() throws {
    let source = try source(#""count":20,"insertAtHeadPerPage":2,"reportTotal":true"#)
    // New items push the last ones on before every page, so this list is never seen to end.
    let pages = try walk(source, pageSize: 5, atMost: 8)
    #expect(pages[0].page.ids == ids(0..<5))
    #expect(pages[1].page.ids == ids(3..<8))
    #expect(pages[2].page.ids == ids(6..<11))
    #expect(pages.prefix(3).map(\.page.total) == [20, 22, 24])
    #expect(Set(pages.flatMap(\.page.ids)) == Set(ids(0..<20)))
    // A refresh shows what has come.
    let heads = 2 * (pages.count - 1)
    let refreshed = try source.fetch(PageRequest(kind: .refresh, limit: 5, generation: 2)).get()
    #expect(refreshed.ids == ids(-heads..<(-heads + 5)))
    // The old generation lies where it lay.
    for walked in pages.shuffled() {
      #expect(try source.fetch(walked.request).get() == walked.page)
    }
  }

  @Test func manyRefreshesKeepTheListsOwnGeneration() throws {
    let source = try source(#""insertAtHeadPerPage":1"#)
    let second = PageRequest(kind: .more, page: 1, offset: 5, limit: 5)
    let page = try source.fetch(second).get()
    for generation in 2...500 {
      _ = source.fetch(PageRequest(kind: .refresh, page: 1, offset: 5, limit: 5, generation: generation))
    }
    #expect(try source.fetch(second).get() == page)
  }

  @Test func hugeNumbersTrapNowhere() throws {
    let huge = String(1 << 53)
    let source = try source(
      "\"count\":\(huge),\"start\":\(huge),\"latencyMs\":\(huge),\"jitterMs\":\(huge),\"seed\":-\(huge),"
        + "\"insertAtHeadPerPage\":\(huge),\"emptyPages\":[-\(huge)],\"fail\":[{\"page\":\(huge),\"times\":\(huge)}]")
    for number in [Int.min, -1, 0, 1, .max] {
      for offset in [Int.min, -1, 0, 1, .max] {
        for limit in [Int.min, 1, 9] {
          for kind in PageRequest.Kind.allCases {
            let request = PageRequest(kind: kind, page: number, offset: offset, limit: limit, generation: 3)
            let page = try source.fetch(request).get()
            if case .value(let cursor) = page.previous {
              _ = source.fetch(PageRequest(kind: .previous, cursor: cursor, page: .min, limit: 9))
            }
          }
        }
      }
    }
  }

  @Test(arguments: [
    (#""count":-1"#, "/source/count: expected an integer from 0 to 2^53, or null for a list without end"),
    (#""count":1.0"#, "/source/count: expected an integer from 0 to 2^53, or null for a list without end"),
    (#""count":9007199254740993"#, "/source/count: expected an integer from 0 to 2^53, or null for a list without end"),
    (#""start":-1"#, "/source/start: expected an integer from 0 to 2^53"),
    (#""start":null"#, "/source/start: expected an integer from 0 to 2^53"),
    (#""latencyMs":"5""#, "/source/latencyMs: expected an integer from 0 to 2^53"),
    (#""jitterMs":1e3"#, "/source/jitterMs: expected an integer from 0 to 2^53"),
    (#""seed":9007199254740993"#, "/source/seed: expected an integer within plus or minus 2^53"),
    (#""itemBytes":99999999"#, "/source/itemBytes: expected an integer from 0 to 16777216"),
    (#""reportTotal":1"#, "/source/reportTotal: expected true or false"),
    (#""emptyPages":3"#, "/source/emptyPages: expected an array of integers"),
    (#""emptyPages":[1,"2"]"#, "/source/emptyPages/1: expected an integer within plus or minus 2^53"),
    (#""shortPages":[null]"#, "/source/shortPages/0: expected an integer within plus or minus 2^53"),
    (#""insertAtHeadPerPage":-2"#, "/source/insertAtHeadPerPage: expected an integer from 0 to 2^53"),
    (#""fail":{}"#, "/source/fail: expected an array of objects {page, times, message?, retryable?}"),
    (#""fail":[3]"#, "/source/fail/0: expected an object {page, times, message?, retryable?}"),
    (#""fail":[{"times":1}]"#, "/source/fail/0/page: expected an integer within plus or minus 2^53"),
    (#""fail":[{"page":1}]"#, "/source/fail/0/times: expected an integer from 0 to 2^53"),
    (
      #""fail":[{"page":1,"times":1,"type":2}]"#,
      "/source/fail/0/type: unknown member; known here are page, times, message, retryable"
    ),
    (#""fail":[{"page":1,"times":1,"message":2}]"#, "/source/fail/0/message: expected a string"),
    (#""fail":[{"page":1,"times":1,"retryable":2}]"#, "/source/fail/0/retryable: expected true or false"),
  ])
  func malformedMembersAreNamed(_ members: String, _ message: String) {
    #expect(paramsMessage("{\"type\":\"synthetic\",\(members)}") == message)
  }
}
