import JSONText
import Testing

@testable import PageSources

@Suite struct CommandStreamTests {
  /// A source of what a shell script writes.
  private func source(_ script: String, _ members: String = "") throws -> any PageSource {
    let argv = ["sh", "-c", script].map(quoted).joined(separator: ",")
    return try opened("{\"type\":\"command\",\"argv\":[\(argv)]\(members)}")
  }

  private func texts(_ script: String, _ members: String = "", pageSize: Int = 2) throws -> [String] {
    let source = try source(script, members)
    defer { source.close() }
    return try walk(source, pageSize: pageSize).flatMap(\.page.texts)
  }

  private func failure(_ result: Result<SourcePage, SourceError>) -> SourceError? {
    guard case .failure(let error) = result else { return nil }
    return error
  }

  // MARK: Formats

  @Test(arguments: [1, 2, 3, 100]) func linesComeWithTheirPlaceInTheOutput(_ pageSize: Int) throws {
    let expected = ["{\"offset\":0,\"text\":\"a\"}", "{\"offset\":2,\"text\":\"\"}", "{\"offset\":3,\"text\":\"b\"}"]
    #expect(try texts("printf 'a\\n\\nb'", pageSize: pageSize) == expected)
  }

  @Test(arguments: [1, 2, 3, 100]) func jsonLinesComeAsTheyStand(_ pageSize: Int) throws {
    #expect(
      try texts("printf '{\"id\":1}\\n\\n [2.0] \\n\"x\"'", ",\"format\":\"jsonl\"", pageSize: pageSize) == [
        "{\"id\":1}", "[2.0]", "\"x\"",
      ])
  }

  @Test(arguments: [
    "[1,{\"id\":2},\"]\",[4]]", " [ 1 , {\"id\":2} ,\n\"]\", [4] ] \n", "1 {\"id\":2} \"]\" [[4]]",
    "[1][{\"id\":2},\"]\"][][[4]]", "\u{FEFF}[1,{\"id\":2},\"]\",[4]]",
  ])
  func documentsAndArraysOfThemAreOneList(_ output: String) throws {
    for pageSize in [1, 2, 3, 4, 100] {
      let found = try texts("printf %s \(shellQuoted(output))", ",\"format\":\"json\"", pageSize: pageSize)
      #expect(found == ["1", "{\"id\":2}", "\"]\"", "[4]"], "in pages of \(pageSize)")
    }
  }

  @Test(arguments: [1, 2, 100]) func recordsAreNamedByTheHeaderOnEveryPage(_ pageSize: Int) throws {
    let script = "printf 'id,x\\n1,\"a\\nb\"\\n2,c\\n3,d\\n'"
    #expect(
      try texts(script, ",\"format\":\"csv\"", pageSize: pageSize) == [
        "{\"id\":\"1\",\"x\":\"a\\nb\"}", "{\"id\":\"2\",\"x\":\"c\"}", "{\"id\":\"3\",\"x\":\"d\"}",
      ])
    #expect(
      try texts("printf '1\\t2\\n3'", ",\"format\":\"tsv\",\"header\":false", pageSize: pageSize) == [
        "[\"1\",\"2\"]", "[\"3\"]",
      ])
  }

  @Test(arguments: ["[1,2", "[1 2]", "[1,]", "1 2 ]", "[1]2,", "tru"]) func brokenJSONFailsBehindWhatIsWhole(
    _ text: String
  ) throws {
    let source = try source("printf %s \(shellQuoted(text))", ",\"format\":\"json\"")
    defer { source.close() }
    var request = PageRequest(limit: 1)
    for _ in 0..<4 {
      switch source.fetch(request) {
      case .success(let page): request = source.request(after: page, request)
      case .failure(let error):
        #expect(error.code == .badPage)
        #expect(error.message.contains("the output of \"sh\" is no JSON"))
        return
      }
    }
    Issue.record("it was read to an end")
  }

  // MARK: Demand

  @Test func anEndlessProgramIsReadNoFurtherThanDemanded() throws {
    let runs = StreamRuns(try CommandSettings(sourceObject("{\"type\":\"command\",\"argv\":[\"yes\"]}")))
    defer { runs.close() }
    var request = PageRequest(limit: 10)
    for _ in 0..<5 {
      let page = try runs.page(request, idPath: defaultIDPath, cancellation: CancellationFlag()).get()
      #expect(page.items.count == 10)
      #expect(page.hasMore == true)
      request.kind = .more
      request.page += 1
      guard case .value(let cursor) = page.next else { return }
      request.cursor = cursor
    }
    #expect(runs.newest?.readBytes ?? .max <= CommandLimits().readBytes)
  }

  @Test func nothingIsStartedBeforeAPageIsWanted() throws {
    let directory = TemporaryDirectory()
    let source = try source("echo x > \(directory.path)/started; echo y")
    #expect(directory.names.isEmpty)
    _ = try source.fetch(PageRequest()).get()
    #expect(directory.names == ["started"])
    source.close()
  }

  @Test func aSlowProgramGivesWhatItHas() throws {
    let source = try source("echo 1; echo 2; sleep 1000")
    defer { source.close() }
    let page = try source.fetch(PageRequest(limit: 100)).get()
    #expect(page.items.count == 2)
    #expect(page.hasMore == true)
    // A full page does not wait for what may come behind it; on a busy machine one of five shows it.
    var fastest = Int.max
    for _ in 0..<5 {
      let start = ProcessKeeper.now()
      #expect(try source.fetch(PageRequest(limit: 2)).get().items.count == 2)
      fastest = min(fastest, ProcessKeeper.now() - start)
    }
    #expect(fastest < 400)
  }

  @Test func aValueThatComesInPiecesIsOneItem() throws {
    let script =
      "printf '[{\"id\":'; sleep 0.7; printf '1'; sleep 0.1; printf '2}'; sleep 0.1; printf ',3'; sleep 0.1; printf '4]'"
    #expect(try texts(script, ",\"format\":\"json\"", pageSize: 10) == ["{\"id\":12}", "34"])
  }

  @Test func largeItemsAreWhole() throws {
    let script = "printf '[\"'; head -c 300000 /dev/zero | tr '\\0' x; printf '\",1]'"
    let found = try texts(script, ",\"format\":\"json\"")
    #expect(found.map(\.utf8.count) == [300_002, 1])
  }

  // MARK: Pages again

  @Test func pagesAreOpenedAgainFromWhatIsKept() throws {
    var settings = try CommandSettings(sourceObject("{\"type\":\"command\",\"argv\":[\"seq\",\"20000\"]}"))
    settings.limits.memoryBytes = 4_096
    let runs = StreamRuns(settings)
    defer { runs.close() }
    var walked: [(PageRequest, SourcePage)] = []
    var request = PageRequest(limit: 1_000)
    while true {
      let page = try runs.page(request, idPath: defaultIDPath, cancellation: CancellationFlag()).get()
      walked.append((request, page))
      if page.hasMore == false { break }
      guard case .value(let cursor) = page.next else { return }
      request.kind = .more
      request.page += 1
      request.cursor = cursor
    }
    #expect(walked.map(\.1.items.count).reduce(0, +) == 20_000)
    var random = SplitMix(seed: 3)
    for (request, page) in walked.shuffled(using: &random) {
      let again = try runs.page(request, idPath: defaultIDPath, cancellation: CancellationFlag()).get()
      #expect(again.items == page.items && again.bytes == page.bytes)
    }
  }

  @Test func whatIsNotKeptAnyMoreIsSaidToBe() throws {
    var settings = try CommandSettings(sourceObject("{\"type\":\"command\",\"argv\":[\"yes\",\"0123456789\"]}"))
    settings.limits.memoryBytes = 4_096
    settings.limits.keptBytes = 200_000
    let runs = StreamRuns(settings)
    defer { runs.close() }
    let large = try runs.page(PageRequest(limit: 50_000), idPath: defaultIDPath, cancellation: CancellationFlag()).get()
    #expect(large.items.count == 50_000)
    let error = failure(runs.page(PageRequest(), idPath: defaultIDPath, cancellation: CancellationFlag()))
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("is not kept any more") == true)
  }

  // MARK: Ends

  @Test func aProgramThatFailsFailsBehindItsItems() throws {
    let source = try source("echo a; printf b; echo oops >&2; exit 3")
    defer { source.close() }
    let page = try source.fetch(PageRequest()).get()
    #expect(page.items.count == 2)
    #expect(page.hasMore == true)
    let next = source.request(after: page, PageRequest())
    for _ in 0..<2 {
      let error = try #require(failure(source.fetch(next)))
      #expect(error.code == .loadFailed)
      #expect(error.retryable == false)
      #expect(error.message == "The program \"sh\" ended with status 3: oops. Refresh to run it anew.")
      #expect(error.details.contains(.integer("exitStatus", 3)))
    }
    // What had come is still there.
    #expect(try source.fetch(PageRequest()).get() == page)
  }

  @Test func aRecordThatIsCutByAFailureIsNoFaultOfItsOwn() throws {
    for format in ["jsonl", "json"] {
      let source = try source("printf '{\"id\":1}\\n{\"id\":'; kill -9 $$", ",\"format\":\"\(format)\"")
      defer { source.close() }
      let page = try source.fetch(PageRequest()).get()
      #expect(page.texts == ["{\"id\":1}"])
      let error = try #require(failure(source.fetch(source.request(after: page, PageRequest()))))
      #expect(error.message == "The program \"sh\" was ended by signal SIGKILL. Refresh to run it anew.")
    }
  }

  @Test func aProgramThatFailsBeforeItsFirstItemIsRunAnew() throws {
    let directory = TemporaryDirectory()
    let file = "\(directory.path)/tries"
    let source = try source("echo x >> \(file); [ $(wc -l < \(file)) -gt 1 ] || exit 9; echo fine")
    defer { source.close() }
    #expect(failure(source.fetch(PageRequest()))?.details.contains(.integer("exitStatus", 9)) == true)
    #expect(try source.fetch(PageRequest()).get().items.count == 1)
  }

  @Test func aRefreshIsANewRunAndTheOldOneServesUntilThen() throws {
    let source = try source("echo $$; seq 100")
    defer { source.close() }
    let first = try source.fetch(PageRequest(limit: 3)).get()
    let fresh = try source.fetch(PageRequest(kind: .refresh, limit: 3, generation: 2)).get()
    #expect(first.texts[0] != fresh.texts[0])
    let more = source.request(after: first, PageRequest(limit: 3))
    #expect(try source.fetch(more).get().items.count == 3)
    source.generationCommitted(2)
    #expect(failure(source.fetch(more))?.code == .sourceChanged)
    var next = source.request(after: fresh, PageRequest(kind: .refresh, limit: 3, generation: 2))
    next.kind = .refresh
    #expect(try source.fetch(next).get().items.count == 3)
    // A refresh that comes to nothing leaves the list's run alone.
    _ = try source.fetch(PageRequest(kind: .refresh, limit: 3, generation: 3)).get()
    source.generationDiscarded(3)
    #expect(try source.fetch(next).get().items.count == 3)
  }

  @Test func cursorsOfOtherRunsAreRefusedForGood() throws {
    let one = try source("seq 10")
    let other = try source("seq 10")
    defer {
      one.close()
      other.close()
    }
    let page = try one.fetch(PageRequest(limit: 3)).get()
    _ = try other.fetch(PageRequest(limit: 3)).get()
    let error = failure(other.fetch(other.request(after: page, PageRequest(limit: 3))))
    #expect(error?.code == .sourceChanged)
    #expect(error?.retryable == false)
    #expect(failure(one.fetch(PageRequest(cursor: Array("7".utf8))))?.retryable == false)
  }

  @Test func closingEndsTheProgramAndCancellingDoesNot() throws {
    let source = try source("echo $$; sleep 1000")
    let page = try source.fetch(PageRequest(limit: 1)).get()
    let number = page.texts[0].split(separator: "\"").dropFirst(5).first.flatMap { Int32($0) }
    let id = try #require(number)
    guard
      case .waiting(let work) = source.plan(source.request(after: page, PageRequest(limit: 1)), idPath: defaultIDPath)
    else { return }
    let flag = CancellationFlag()
    let helper = CancellingThread(flag, afterMilliseconds: 30)
    #expect(failure(work(flag)) != nil)
    helper.join()
    #expect(isRunning(id))
    source.close()
    #expect(endsSoon(id))
    #expect(failure(source.fetch(PageRequest())) != nil)
  }
}
