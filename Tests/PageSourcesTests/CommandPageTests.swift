import JSONText
import Testing

@testable import PageSources

@Suite struct CommandPageTests {
  /// A source that runs a shell script for each page; the request's members are its arguments.
  private func source(_ script: String, _ members: String = "") throws -> any PageSource {
    let argv = ["sh", "-c", script, "sh", "{offset}", "{limit}", "{page}", "{cursor}"].map(quoted)
    return try opened(
      "{\"type\":\"command\",\"mode\":\"page\",\"argv\":[\(argv.joined(separator: ","))]\(members)}")
  }

  private func page(_ script: String, _ members: String = "", _ request: PageRequest = PageRequest()) throws
    -> SourcePage
  {
    try source(script, members).fetch(request).get()
  }

  private func failure(_ script: String, _ members: String = "") throws -> SourceError? {
    guard case .failure(let error) = try source(script, members).fetch(PageRequest()) else { return nil }
    return error
  }

  @Test(arguments: [
    ("[1,{\"id\":2} , \"x\"]", ["1", "{\"id\":2}", "\"x\""]),
    ("{\"id\":1}\n{\"id\":2}\n", ["{\"id\":1}", "{\"id\":2}"]),
    ("{\"id\":1}{\"id\":2}[3][][[4]]", ["{\"id\":1}", "{\"id\":2}", "3", "[4]"]),
    ("{\"items\":[1,2]}", ["1", "2"]),
    ("{\"items\":[1,2]} {}", ["{\"items\":[1,2]}", "{}"]),
    ("{\"items\":3}", ["{\"items\":3}"]),
    ("\u{FEFF}[1]", ["1"]),
    (" \n", []),
    ("", []),
    ("[]", []),
  ])
  func outputIsReadAsJSONHoweverItIsPutTogether(_ output: String, _ expected: [String]) throws {
    let page = try page("printf %s \(shellQuoted(output))")
    #expect(page.texts == expected)
    expectCommaJoined(page)
    #expect(page.hasMore == nil)
    #expect(page.next == .absent)
  }

  @Test func anObjectIsAPageInFull() throws {
    let output =
      "{\"items\":[{\"id\":7},{\"n\":1}],\"next\":{\"a\": 1.0},\"previous\":null,\"hasMore\":true,\"total\":9,\"ids\":[null,\"k\"]}"
    let page = try page("printf %s \(shellQuoted(output))")
    #expect(page.next == .value(Array("{\"a\": 1.0}".utf8)))
    #expect(page.previous == .null)
    #expect(page.hasMore == true)
    #expect(page.total == 9)
    #expect(page.ids == ["7", ""])
    #expect(page.keys.map { page.text($0) } == ["", "\"k\""])
  }

  @Test(arguments: [
    ("{\"items\":[],\"total\":-1}", "/total: expected an integer from 0 to 2^53"),
    ("{\"items\":[],\"hasMore\":1}", "/hasMore: expected true or false"),
    ("{\"items\":[1],\"ids\":[]}", "/ids: expected an array with as many ids as there are items"),
    ("[1,]", "is no JSON: at byte 3"),
    ("hello", "is no JSON: at byte 0"),
    ("{\"items\":[", "is no JSON: at byte 10"),
  ])
  func whatIsNoPageIsNamed(_ output: String, _ message: String) throws {
    let error = try #require(try failure("printf %s \(shellQuoted(output))"))
    #expect(error.code == .badPage)
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test func otherFormatsAreRead() throws {
    let lines = try page("printf 'a\\nb\\n'", ",\"format\":\"lines\"")
    #expect(lines.texts == ["{\"text\":\"a\"}", "{\"text\":\"b\"}"])
    #expect(lines.items.allSatisfy { $0.key == nil })
    #expect(lines.hasMore == nil)
    let rows = try page("printf 'id,x\\n1,a\\n2,b'", ",\"format\":\"csv\"")
    #expect(rows.texts == ["{\"id\":\"1\",\"x\":\"a\"}", "{\"id\":\"2\",\"x\":\"b\"}"])
    #expect(rows.ids == ["\"1\"", "\"2\""])
    #expect(try page("printf '1\\t2'", ",\"format\":\"tsv\",\"header\":false").texts == ["[\"1\",\"2\"]"])
    // Arrays in JSON Lines are items.
    #expect(try page("printf '[1]\\n[2]\\n'", ",\"format\":\"jsonl\"").texts == ["[1]", "[2]"])
  }

  @Test func eachPageIsARunWithItsPlace() throws {
    let request = PageRequest(kind: .more, cursor: Array("\"c\"".utf8), page: 2, offset: 40, limit: 20)
    #expect(try page("printf '[%s,%s,%s,\"%s\"]' \"$@\"", "", request).texts == ["40", "20", "2", "\"c\""])
  }

  @Test func aPageMayHaveMoreItemsThanWereAskedFor() throws {
    #expect(try page("seq 1000", "", PageRequest(limit: 3)).items.count == 1000)
  }

  @Test func aProgramThatFailsIsNamedWithItsLastWords() throws {
    let error = try #require(try failure("echo '[1]'; echo first >&2; echo 'no luck' >&2; exit 7"))
    #expect(error.code == .loadFailed)
    #expect(error.message == "The program \"sh\" ended with status 7: no luck")
    #expect(error.retryable == nil)
    #expect(
      error.details == [
        .string("program", "sh"), .integer("exitStatus", 7), .string("stderr", "first\nno luck"),
      ])
    let killed = try #require(try failure("kill -9 $$"))
    #expect(killed.message == "The program \"sh\" was ended by signal SIGKILL")
  }

  @Test func outputWithoutEndIsRefused() throws {
    var settings = try CommandSettings(
      sourceObject("{\"type\":\"command\",\"mode\":\"page\",\"argv\":[\"yes\",\"1\"]}"))
    settings.limits.pageOutputBytes = 300_000
    let source = CommandPageSource(settings, shownText: nil)
    guard case .failure(let error) = source.fetch(PageRequest()) else {
      Issue.record("endless output made a page")
      return
    }
    #expect(error.code == .limitExceeded)
  }

  @Test func aCancelledPageEndsTheProgramAtOnce() throws {
    guard case .waiting(let work) = try source("sleep 1000").plan(PageRequest(), idPath: defaultIDPath) else {
      Issue.record("not run on the pool")
      return
    }
    let flag = CancellationFlag()
    let helper = CancellingThread(flag, afterMilliseconds: 50)
    let start = ProcessKeeper.now()
    guard case .failure = work(flag) else {
      Issue.record("a cancelled page was made")
      return
    }
    #expect(ProcessKeeper.now() - start < 900)
    helper.join()
  }

  @Test func whatAProgramLeavesRunningHoldsUpNoPage() throws {
    #expect(try page("sleep 1000 & echo 5").texts == ["5"])
  }
}
