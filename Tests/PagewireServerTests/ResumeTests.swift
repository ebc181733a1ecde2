import JSONText
import PaginationCore
import Testing

@testable import PagewireServer

@Suite struct ResumeTests {
  private static let source = #"{"type":"synthetic","count":100}"#

  /// A token for the page of item 17, the third of pages of seven.
  private func token(_ source: String = source) throws -> String {
    var probe = try ServerProbe()
    try probe.open("a", source, #""pageSize":7"#)
    for _ in 0..<2 {
      probe.notify("loadMore", #"{"session":"a"}"#)
      probe.turn()
    }
    _ = try probe.call("setScrolledID", #"{"session":"a","id":17}"#)
    return try #require(probe.call("state", #"{"session":"a","resume":true}"#)["result"]["resume"].text)
  }

  /// The first page of a session that is opened with a token in another server.
  private func firstPage(_ token: String, _ source: String = source) throws -> JSON {
    var probe = try ServerProbe()
    probe.request("open", #"{"session":"b","source":\#(source),"pageSize":7,"resume":"\#(token)"}"#)
    probe.turn()
    let pages = try probe.take().filter { $0["method"] == "pageAppended" }
    try #require(pages.count == 1)
    return pages[0]["params"]
  }

  @Test func aTokenBringsBackThePlaceInAnotherServer() throws {
    let page = try firstPage(try token())
    #expect(page["resumed"] == true)
    #expect(page["ids"] == [14, 15, 16, 17, 18, 19, 20])
    #expect(page["scrollTo"]["id"] == 17)
    #expect(page["scrollTo"]["position"] == 3)
    #expect(page["hasPrevious"] == true)
  }

  @Test func theScrolledIDIsRememberedAtOnce() throws {
    var probe = try ServerProbe()
    let state = try probe.call(
      "open", #"{"session":"b","source":\#(Self.source),"pageSize":7,"resume":"\#(try token())"}"#)
    #expect(state["result"]["scrolledID"] == 17)
  }

  @Test func aTokenOfAnotherSourceIsNotTaken() throws {
    let page = try firstPage(try token(), #"{"type":"synthetic","count":99}"#)
    #expect(page["resumed"] == false)
    #expect(page["start"] == 0)
    #expect(page["ids"] == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test func listsOfOtherItemsAreOtherSources() throws {
    // What state tells of such a source is the same for all lists.
    let items = (0..<30).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    let token = try token(#"{"type":"items","items":[\#(items)]}"#)
    #expect(try firstPage(token, #"{"type":"items","items":[\#(items)]}"#)["resumed"] == true)
    #expect(try firstPage(token, #"{"type":"items","items":[\#(items),1]}"#)["resumed"] == false)
  }

  @Test func aTokenMangledAtAnyByteIsNotTaken() throws {
    let token = Array(try token().utf8)
    for index in token.indices {
      for flip: UInt8 in [1, 2, 4, 8, 16, 32] {
        var mangled = token
        mangled[index] ^= flip
        #expect(ResumeToken(mangled) == nil, "byte \(index), bit \(flip)")
      }
      #expect(ResumeToken(Array(token[..<index])) == nil, "cut at \(index)")
    }
    #expect(ResumeToken(token) != nil)
    #expect(ResumeToken(token + token) == nil)
  }

  @Test func theLongestTokenHasAllItMayHave() throws {
    let cursors = (0..<300).map { Array(#""cursor \#($0)""#.utf8) }
    let places = cursors.enumerated().map { PagePlace(cursor: $1, page: $0, offset: 7 * $0) }
    let text = try #require(
      ResumeToken(source: 1, scrolledID: Array("5".utf8), place: places[299], earlier: Array(places[..<299])).text)
    #expect(text.count <= 4096)
    #expect(text.count > 3900)
    let token = try #require(ResumeToken(text))
    #expect(token.place == places[299])
    // The nearest of the earlier places are those that are kept.
    #expect(token.earlier.count > 50)
    #expect(token.earlier == Array(places[(299 - token.earlier.count)..<299]))
    #expect(token.scrolledID == Array("5".utf8))
  }

  @Test func whatCannotFitIsNotWrittenFirst() {
    let long = [UInt8](repeating: 0x31, count: 1 << 20)
    let far = PagePlace(cursor: long, page: 1, offset: 1)
    #expect(ResumeToken(source: 1, scrolledID: nil, place: far, earlier: []).text == nil)
    let token = ResumeToken(
      source: 1, scrolledID: nil, place: PagePlace(), earlier: [PagePlace](repeating: far, count: 340))
    #expect(token.text.flatMap { ResumeToken($0) }?.earlier == [])
  }

  @Test func aDeepCursorComesBack() throws {
    let cursor = [UInt8](repeating: 0x5B, count: 300) + [UInt8](repeating: 0x5D, count: 300)
    let token = ResumeToken(source: 1, scrolledID: nil, place: PagePlace(cursor: cursor), earlier: [])
    let text = try #require(token.text)
    #expect(ResumeToken(text)?.place.cursor == cursor)
  }

  @Test func anIDNamedBeforeTheFirstItemIsFoundByTheSourcesKeysToo() throws {
    var probe = try ServerProbe()
    let first = try probe.openClient("a")
    _ = try probe.call("setScrolledID", #"{"session":"a","id":7}"#)
    probe.answerFetch(first, #"{"items":[5,6],"ids":[6,7],"next":null}"#)
    let id = probe.request("refresh", #"{"session":"a"}"#)
    let again = try probe.fetch()["id"]
    probe.answerFetch(again, #"{"items":[5,6],"ids":[6,7],"next":null}"#)
    let messages = try probe.take()
    #expect(messages.first { $0["method"] == "pageAppended" }?["params"]["scrollTo"]["position"] == 1)
    #expect(messages.contains { $0["id"] == .number("\(id)") })
  }
}
