import Testing

@testable import PagewireBrowse

struct ListScreenTests {
  @Test func theFirstLoadIsShownUntilItemsCome() throws {
    var fed = try FedScreen()
    try fed.loading("initial", true, facts: facts(0, phase: "loadingFirst"))
    #expect(fed.rows.first == "Loading the first items ...")
    #expect(fed.rows.last == " file.txt               0/0+ first load")
    try fed.feed("pageAppended", page(0..<3))
    try fed.loading("initial", false, facts: facts(3))
    #expect(fed.rows == ["line 0", "line 1", "line 2", "", "", " file.txt                    1/3+ items"])
  }

  @Test func theStartOfALoadNeedsNoFacts() throws {
    var fed = try FedScreen()
    #expect(fed.rows.first == "Nothing is loaded (Enter: load).")
    try fed.feed("loading", "{\"session\":\"s\",\"generation\":1,\"kind\":\"initial\",\"isLoading\":true}")
    #expect(fed.rows.first == "Loading the first items ...")
    #expect(throws: MalformedMessage.self) {
      try listEvent("loading", "{\"session\":\"s\",\"generation\":1,\"kind\":\"initial\",\"isLoading\":false}")
    }
  }

  @Test func anEmptyListSaysSo() throws {
    var fed = try FedScreen()
    try fed.feed(
      "pageAppended", page(0..<0, hasMore: false).replacing("\"items\",", "x").replacing("items\"}", "empty\"}"))
    #expect(fed.rows.first == "No items.")
    #expect(fed.rows.last == " file.txt                     0/0 empty")
  }

  @Test func aFailedFirstLoadIsShownAndRetried() throws {
    var fed = try FedScreen(columns: 80)
    try fed.loading("initial", true, facts: facts(0, phase: "loadingFirst"))
    try fed.failed("initial", "no such thing", retryInMs: 500)
    #expect(fed.rows.first == "Loading failed, next try in 500 ms (Enter: now): no such thing")
    try fed.failed("initial", "no such thing")
    try fed.loading("initial", false, facts: facts(0, phase: "failedFirst"))
    #expect(fed.rows.first == "The first load failed (Enter: try again): no such thing")
    #expect(fed.screen.press(.retry) == .loadMore)
  }

  @Test func theLoaderRowIsThereExactlyWhileALoadRuns() throws {
    var fed = try FedScreen()
    try fed.feed("pageAppended", page(0..<3))
    try fed.loading("more", true)
    #expect(fed.rows[3] == "Loading more ...")
    try fed.feed("pageAppended", page(3..<4))
    #expect(fed.rows[3...4] == ["line 3", "Loading more ..."])
    try fed.loading("more", false)
    #expect(fed.rows[4] == "")
  }

  @Test func aLoaderAtTheEndComesIntoViewForWhoeverIsThere() throws {
    var fed = try FedScreen(rows: 4)
    try fed.feed("pageAppended", page(0..<10))
    _ = fed.screen.press(.end)
    #expect(fed.rows[2] == "line 9")
    try fed.loading("more", true)
    #expect(fed.rows[..<3] == ["line 8", "line 9", "Loading more ..."])
  }

  @Test func anErrorRowNamesTheMessageAndIsRetried() throws {
    var fed = try FedScreen(columns: 60)
    try fed.feed("pageAppended", page(0..<2))
    try fed.loading("more", true)
    try fed.failed("more", "disk on fire\\u001b[31m")
    try fed.loading("more", false)
    #expect(fed.rows[2] == "Loading failed (Enter: try again): disk on fire^[[31m")
    #expect(fed.rows.last?.hasSuffix("1/2+ failed") == true)
    #expect(fed.screen.press(.retry) == .loadMore)
    try fed.loading("more", true)
    #expect(fed.rows[2] == "Loading more ...")
    #expect(fed.screen.press(.retry) == nil)
  }

  @Test func anErrorRowThatIsNotOnTheScreenIsNotRetried() throws {
    var fed = try FedScreen(rows: 4)
    try fed.feed("pageAppended", page(0..<10))
    try fed.failed("more", "oh")
    #expect(fed.screen.press(.retry) == nil)
    _ = fed.screen.press(.end)
    #expect(fed.screen.press(.retry) == .loadMore)
  }

  @Test func aPauseIsShownAndEnded() throws {
    var fed = try FedScreen(columns: 100)
    try fed.feed("pageAppended", page(0..<1))
    try fed.loading("more", false, facts: facts(1, paused: true))
    #expect(fed.rows[1] == "Paused: several pages in a row brought nothing new (Enter: go on).")
    #expect(fed.screen.press(.retry) == .loadMore)
  }

  @Test func aFailedRefreshKeepsTheListAndIsNews() throws {
    var fed = try FedScreen(columns: 80)
    try fed.feed("pageAppended", page(0..<1, hasMore: false))
    #expect(fed.screen.press(.refresh) == .refresh)
    try fed.loading("refresh", true, facts: facts(1, hasMore: false))
    #expect(fed.rows.last?.hasSuffix("1/1 refreshing") == true)
    try fed.failed("refresh", "gone")
    try fed.loading("refresh", false, facts: facts(1, hasMore: false))
    #expect(fed.rows.last?.hasPrefix(" Refresh failed (r: try again): gone") == true)
    #expect(fed.rows.first == "line 0")
    #expect(fed.screen.press(.retry) == .refresh)
    try fed.loading("refresh", true, facts: facts(1, hasMore: false))
    #expect(fed.rows.last?.hasPrefix(" file.txt") == true)
  }

  @Test func whatComesOrGoesAtAnEdgeMovesNothingOnTheScreen() throws {
    var fed = try FedScreen(rows: 4)
    try fed.feed("pageAppended", page(0..<10))
    for _ in 0..<6 { _ = fed.screen.press(.down) }
    let before = fed.rows[..<3]
    try fed.feed("pagePrepended", page(-5..<0, count: 15))
    try fed.feed("pageAppended", page(10..<20))
    #expect(fed.rows[..<3] == before)
    try fed.feed(
      "pagesDropped", "{\"session\":\"s\",\"generation\":1,\"edge\":\"start\",\"from\":-5,\"to\":-1,\(facts(20))}")
    try fed.feed(
      "pagesDropped", "{\"session\":\"s\",\"generation\":1,\"edge\":\"end\",\"from\":10,\"to\":19,\(facts(10))}")
    #expect(fed.rows[..<3] == before)
    #expect(fed.screen.model.first == 0)
    #expect(fed.screen.model.last == 9)
  }

  @Test func earlierItemsAreReachedWithALoaderRowAbove() throws {
    var fed = try FedScreen(rows: 4)
    try fed.feed("pageAppended", page(0..<5))
    try fed.loading("previous", true, facts: facts(5, hasPrevious: true))
    #expect(fed.rows[0] == "Loading earlier items ...")
    try fed.feed("pagePrepended", page(-2..<0, count: 7))
    try fed.loading("previous", false, facts: facts(7))
    #expect(fed.rows[..<3] == ["line -1", "line 0", "line 1"])
    _ = fed.screen.press(.home)
    #expect(fed.rows[0] == "line -2")
    #expect(fed.rows.last?.hasSuffix(" -2/5+ items") == true)
  }

  @Test func aReplacementKeepsTheSelectedItemWhereItsIdIs() throws {
    var fed = try FedScreen(rows: 4)
    try fed.feed("pageAppended", page(0..<10))
    for _ in 0..<4 { _ = fed.screen.press(.down) }
    // The same items, three positions further on.
    let moved = page(3..<13, replaces: true, generation: 2).replacing("\"start\":3", "\"start\":0")
    try fed.feed("pageAppended", moved)
    #expect(fed.screen.viewport.selected == 1)
    #expect(fed.screen.selectedID == Array("1004".utf8)[...])
    #expect(fed.screen.model.generation == 2)
  }

  @Test func scrollToIsObeyed() throws {
    var fed = try FedScreen(rows: 4)
    try fed.feed("pageAppended", page(0..<10))
    let more = ",\"scrollTo\":{\"id\":1007,\"position\":7}"
    try fed.feed("pageAppended", page(0..<10, replaces: true, generation: 2, more: more))
    #expect(fed.screen.viewport.selected == 7)
    #expect(fed.screen.visible?.contains(7) == true)
  }

  @Test func aClearedListStartsAtItsFirstItemAgain() throws {
    var fed = try FedScreen(rows: 4)
    try fed.feed("pageAppended", page(0..<10))
    _ = fed.screen.press(.pageDown)
    try fed.feed("cleared", "{\"session\":\"s\",\"generation\":2,\(facts(0, phase: "loadingFirst"))}")
    #expect(fed.rows[0] == "Loading the first items ...")
    #expect(fed.screen.visible == nil)
    try fed.feed("pageAppended", page(0..<10, generation: 2))
    #expect(fed.rows[0] == "line 0")
    #expect(fed.screen.viewport.selected == 0)
  }

  @Test func theEndIsStuckToUntilAnotherKey() throws {
    var fed = try FedScreen(rows: 4)
    try fed.feed("pageAppended", page(0..<10))
    _ = fed.screen.press(.end)
    try fed.feed("pageAppended", page(10..<20))
    #expect(fed.rows[2] == "line 19")
    _ = fed.screen.press(.up)
    try fed.feed("pageAppended", page(20..<30))
    #expect(fed.screen.viewport.selected == 18)
  }

  @Test func theSmallestScreenShowsTheSelectedItem() throws {
    var fed = try FedScreen(columns: 1, rows: 1)
    try fed.feed("pageAppended", page(0..<10))
    try fed.loading("more", true)
    _ = fed.screen.press(.end)
    #expect(fed.screen.visible == 9...9)
    #expect(fed.rows.count == 2)
  }

  @Test func onlyAPartOfAnItemIsKept() throws {
    let text = String(repeating: "x", count: 200_000)
    let params = """
      {"session":"s","generation":1,"page":0,"start":0,"items":[{"offset":0,"text":"\(text)"},["\(text)"]],"ids":[0,null],
      "duplicates":0,"replaces":false,\(facts(2))}
      """
    var fed = try FedScreen(columns: 10)
    try fed.feed("pageAppended", params)
    #expect(fed.rows[..<2] == ["xxxxxxxxx>", "[\"xxxxxxx>"])
    let page = try #require(fed.screen.model.page(at: 0))
    #expect(page.bytes.count == 2 * ItemPage.maxTextBytes + 1)
    #expect(page.text(at: 0)?.isCut == true)
  }
}

extension String {
  fileprivate func replacing(_ old: String, _ new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
