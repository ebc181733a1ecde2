import Testing

@testable import PagewireBrowse

struct ListModelTests {
  private func model(_ messages: [(String, String)]) throws -> ListModel {
    var model = ListModel()
    for (method, params) in messages { _ = model.apply(try #require(try listEvent(method, params))) }
    return model
  }

  @Test func pagesJoinByPosition() throws {
    let model = try model([
      ("pageAppended", page(0..<3)), ("pageAppended", page(3..<5)), ("pagePrepended", page(-2..<0)),
    ])
    #expect(model.first == -2)
    #expect(model.last == 4)
    for position in -2...4 {
      let page = try #require(model.page(at: position))
      let text = try #require(page.text(at: position))
      #expect(String(decoding: page.bytes[text.range], as: UTF8.self) == "line \(position)")
      #expect(model.id(at: position).map { String(decoding: $0, as: UTF8.self) } == "\(position + 1000)")
    }
    #expect(model.page(at: -3) == nil)
    #expect(model.page(at: 5) == nil)
    #expect(model.position(ofID: Array("1004".utf8)[...]) == 4)
  }

  @Test func pagesThatDoNotJoinNeverMix() throws {
    #expect(try model([("pageAppended", page(0..<3)), ("pageAppended", page(7..<9))]).first == 7)
    let overlapping = try model([("pageAppended", page(0..<5)), ("pageAppended", page(3..<4))])
    #expect(overlapping.last == 3)
    #expect(try model([("pageAppended", page(0..<3)), ("pagePrepended", page(-9 ..< -5))]).last == -6)
  }

  @Test func droppingTakesPartsOfPagesToo() throws {
    var model = try model([("pageAppended", page(0..<3)), ("pageAppended", page(3..<6))])
    _ = model.apply(.dropped(from: 0, to: 3, facts: ListFacts()))
    #expect(model.first == 4)
    #expect(model.last == 5)
    _ = model.apply(.dropped(from: 5, to: 1 << 53, facts: ListFacts()))
    #expect(model.last == 4)
    _ = model.apply(.dropped(from: -(1 << 53), to: 1 << 53, facts: ListFacts()))
    #expect(model.first == nil)
  }

  @Test func anErrorGoesWithTheEdgeItStoodAt() throws {
    var model = try model([("pageAppended", page(0..<3)), ("pageAppended", page(3..<6))])
    let failure = LoadFailure(message: "no", attempt: 1, retryInMs: nil)
    _ = model.apply(.loadFailed(kind: .more, failure: failure))
    _ = model.apply(.loadFailed(kind: .previous, failure: failure))
    _ = model.apply(.dropped(from: 3, to: 5, facts: ListFacts()))
    #expect(model.tail == nil)
    #expect(model.head == .failed("no"))
    _ = model.apply(.dropped(from: 0, to: 0, facts: ListFacts()))
    #expect(model.head == nil)
  }

  @Test func whenTheServerIsGoneTheItemsStayAndNothingLoads() throws {
    var model = try model([("pageAppended", page(0..<3))])
    _ = model.apply(.loading(kind: .more, isLoading: true, facts: nil))
    _ = model.apply(.loadFailed(kind: .more, failure: LoadFailure(message: "no", attempt: 1, retryInMs: 9)))
    model.abandon()
    #expect(model.tail == nil)
    #expect(model.last == 2)
    _ = model.apply(.opened(ListStart(generation: 1, loading: [.initial], total: nil, facts: ListFacts())))
    #expect(model.last == nil)
  }

  @Test func aTotalBelongsToItsList() throws {
    var model = try model([("pageAppended", page(0..<3, more: ",\"total\":9")), ("pageAppended", page(3..<6))])
    #expect(model.total == 9)
    _ = model.apply(try #require(try listEvent("pageAppended", page(0..<3, replaces: true))))
    #expect(model.total == nil)
  }

  @Test func aMessageWithoutItsFactsIsRefused() throws {
    #expect(throws: MalformedMessage.self) { try listEvent("pageAppended", "{\"start\":0,\"items\":[]}") }
    #expect(throws: MalformedMessage.self) { try listEvent("loading", "{\"kind\":\"more\",\"isLoading\":1}") }
    #expect(throws: MalformedMessage.self) { try listEvent("pagesDropped", "{\"from\":1e3,\"to\":2,\(facts(1))}") }
    #expect(
      throws: MalformedMessage(method: "cleared", complaint: "its member \"phase\" should be the name of a phase")
    ) { try listEvent("cleared", "{\"generation\":2,\"phase\":7}") }
    #expect(throws: MalformedMessage.self) {
      try listEvent("cleared", "{\"generation\":9007199254740993,\(facts(0))}")
    }
  }

  @Test func unknownNotificationsAreNoNews() throws {
    #expect(try listEvent("$/progress", "{}") == nil)
  }

  @Test(arguments: [(0, ListPhase.idle), (2, .items)])
  func aPhaseOfALaterVersionIsNoFault(_ count: Int, _ phase: ListPhase) throws {
    let event = try listEvent("cleared", "{\"generation\":2,\(facts(count, phase: "twilight"))}")
    guard case .cleared(_, let facts) = event else {
      Issue.record("it is no such event")
      return
    }
    #expect(facts.phase == phase)
  }

  @Test func idsOfAnyFormAreKeptAsText() throws {
    let params = """
      {"generation":1,"start":0,"items":[1,2,3,4],"ids":["a\\u0062",12345678901234567890,null],\(facts(4))}
      """
    let model = try model([("pageAppended", params)])
    let ids = (0..<4).map { model.id(at: $0).map { String(decoding: $0, as: UTF8.self) } }
    #expect(ids == ["\"a\\u0062\"", "12345678901234567890", nil, nil])
  }
}
