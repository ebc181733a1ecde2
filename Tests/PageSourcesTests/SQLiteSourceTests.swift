import JSONText
import Testing

@testable import PageSources

@Suite struct SQLiteSourceTests {
  private let directory = TemporaryDirectory()

  @Test func aLibraryThatIsNotThereIsNamedWithItsPackage() throws {
    guard case .failure(let error) = SQLiteLibrary.load(["libnothing-of-the-kind.so.0"]) else {
      Issue.record("there is such a library")
      return
    }
    #expect(error.code == .sourceUnavailable)
    #expect(error.retryable == false)
    #expect(error.message.contains("libsqlite3-0"))
    #expect(error.message.contains("libnothing-of-the-kind.so.0"))
  }

  @Test func aLibraryWithoutTheFunctionsIsNamedWithTheFirstThatItLacks() throws {
    #if os(Linux)
      guard case .failure(let error) = SQLiteLibrary.load(["libc.so.6"]) else {
        Issue.record("libc is no SQLite")
        return
      }
      #expect(error.message.contains("libc.so.6 has no function sqlite3_open_v2"))
    #endif
  }

  @Test(arguments: ["nan", "-nan", "NAN", "nan(1)", "snan"])
  func aCursorHoldsNoNaN(_ text: String) {
    #expect(SQLiteCursor(Array(#"{"after":["r:\#(text)"]}"#.utf8)) == nil)
    #expect(SQLiteCursor(Array(#"{"after":["r:inf"]}"#.utf8)) != nil)
  }

  @Test func cursorsHoldTheTypeAndTheExactValueOfEachColumn() throws {
    let database = try TestDatabase(
      directory,
      [
        "CREATE TABLE t(v, w)",
        "INSERT INTO t VALUES (NULL, 1), (9007199254740993, 1), (0.1, 1), ('a\"', 1), (x'ff00', 1), "
          + "(CAST(x'ff' AS TEXT), 1)",
      ])
    let source = try database.source(#""table":"t","key":[{"column":"w"},{"column":"v","descending":true}]"#)
    let cursors = try walk(source, pageSize: 1).compactMap(\.page.nextText)
    #expect(
      cursors == [
        #"{"after":["i:1","b:/wA=","i:5"]}"#, #"{"after":["i:1","x:/w==","i:6"]}"#,
        #"{"after":["i:1","t:a\"","i:4"]}"#, #"{"after":["i:1","i:9007199254740993","i:2"]}"#,
        #"{"after":["i:1","r:0.1","i:3"]}"#,
      ])
  }

  @Test func theKeyOfAnItemIsItsRowIDOrItsOnlyKeyColumnThatIsAnInteger() throws {
    let database = try TestDatabase(
      directory,
      [
        "CREATE TABLE a(v)", "INSERT INTO a(rowid, v) VALUES (7, 'x')",
        "CREATE TABLE b(n INTEGER PRIMARY KEY, v)", "INSERT INTO b VALUES (8, 'x')",
        "CREATE TABLE c(n INT PRIMARY KEY) WITHOUT ROWID", "INSERT INTO c VALUES (9)",
        "CREATE TABLE d(n TEXT PRIMARY KEY) WITHOUT ROWID", "INSERT INTO d VALUES ('x')",
      ])
    func key(_ members: String) throws -> Int? { try database.source(members).fetch(PageRequest()).get().items[0].key }
    #expect(try key(#""table":"a""#) == 7)
    #expect(try key(#""table":"b","key":[{"column":"v"}]"#) == 8)
    #expect(try key(#""table":"c""#) == 9)
    #expect(try key(#""table":"d""#) == nil)
    #expect(try key(#""query":"SELECT n, v FROM b","key":[{"column":"n"}]"#) == 8)
    #expect(try key(#""query":"SELECT n, v FROM b""#) == nil)
  }

  @Test func factsSayHowRowsArePagedAndWhyOnceItIsKnown() throws {
    let database = try TestDatabase(
      directory, ["CREATE TABLE t(a TEXT PRIMARY KEY)", "CREATE VIEW v AS SELECT a FROM t"])
    let source = try database.source(#""table":"t""#)
    #expect(facts(source) == "{\"type\":\"sqlite\",\"path\":\(quoted(database.path)),\"table\":\"t\"}")
    _ = try source.fetch(PageRequest()).get()
    #expect(
      facts(source).hasSuffix(
        #""table":"t","paging":"keyset","reason":"The table's own key.","key":[{"column":"a","descending":false},"#
          + #"{"column":"rowid","descending":false}]}"#))
    let view = try database.source(#""query":"SELECT a FROM v""#)
    _ = try view.fetch(PageRequest()).get()
    #expect(facts(view).contains(#""query":"SELECT a FROM v","paging":"offset","reason":"A query has no key"#))
  }

  @Test func whatIsNotWantedAnyMoreEndsEarly() throws {
    let database = try TestDatabase(directory)
    let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c"
    let source = try database.source("\"query\":\(quoted(endless))")
    guard case .blocking(let work) = source.plan(PageRequest(), idPath: defaultIDPath) else {
      Issue.record("a database blocks")
      return
    }
    let flag = CancellationFlag()
    flag.cancel()
    guard case .failure(let error) = work(flag) else {
      Issue.record("an endless query has ended")
      return
    }
    #expect(error.code == .loadFailed)
  }

  @Test func aSourceThatIsClosedGivesItsDatabaseBack() throws {
    let database = try TestDatabase(directory, ["CREATE TABLE t(v)", "INSERT INTO t VALUES (1)"])
    let source = try database.source(#""table":"t""#)
    #expect(try source.fetch(PageRequest()).get().texts == [#"{"v":1}"#])
    source.close()
    // Nothing is locked: only who is alone may change the mode.
    try database.run("PRAGMA locking_mode=EXCLUSIVE")
    try database.run("INSERT INTO t VALUES (2)")
  }

  /// A page begins at its row by a search in the index, whether that row's column is NULL or not, in either direction.
  @Test(arguments: [false, true]) func anIndexAnswersWhateverIsNull(descending: Bool) throws {
    let database = try TestDatabase(
      directory,
      ["CREATE TABLE t(v, w NOT NULL)", "CREATE INDEX i ON t(v, w)", "INSERT INTO t VALUES (1, 2), (NULL, 3)"])
    let members = #""table":"t","key":[{"column":"v","descending":\#(descending)},{"column":"w"}]"#
    let text = Array("{\"type\":\"sqlite\",\"path\":\(quoted(database.path)),\(members)}".utf8)
    let object = try SourceObject(text.span, JSONSlice(start: 0, end: text.count), pointer: "")
    let pages = SQLitePages(
      try SQLiteSettings(object), path: Array(database.path.utf8), library: try SQLiteLibrary.shared.get())
    _ = try pages.page(PageRequest(), idPath: defaultIDPath, cancellation: CancellationFlag()).get()
    let shape = try #require(pages.shape)
    for value in ["null", "\"i:1\""] {
      guard case .after(let place)? = SQLiteCursor(Array("{\"after\":[\(value),\"i:2\",\"i:1\"]}".utf8)) else {
        Issue.record("no cursor")
        continue
      }
      for backward in [false, true] {
        for part in SQLiteSelect.parts(of: shape, from: place, backward: backward) {
          let plan = try database.plan(part.sql)
          #expect(!plan.isEmpty && plan.allSatisfy { !$0.hasPrefix("SCAN") }, "\(part.sql): \(plan)")
        }
      }
    }
  }

  @Test func theRowsOfAPageComeFromOneState() throws {
    let database = try TestDatabase(
      directory, ["PRAGMA journal_mode=WAL", "CREATE TABLE t(v)", "INSERT INTO t VALUES (1), (2), (NULL)"])
    let source = try database.source(#""table":"t","key":[{"column":"v","descending":true}]"#)
    let first = try source.fetch(PageRequest(limit: 1)).get()
    #expect(first.texts == [#"{"v":2}"#])
    try database.run("INSERT INTO t VALUES (NULL), (1.5), (3)")
    let rest = try source.fetch(source.request(after: first, PageRequest(limit: 10))).get()
    #expect(rest.texts == [#"{"v":1.5}"#, #"{"v":1}"#, #"{"v":null}"#, #"{"v":null}"#])
    #expect(rest.hasMore == false)
  }

  @Test(arguments: ["", "AA==", "AAA=", "AAAA", "+/+/", "AA", "AAA"]) func base64IsRead(_ text: String) throws {
    let bytes = try #require(Base64.decode(text.utf8))
    var again: [UInt8] = []
    Base64.append(bytes.span, to: &again)
    #expect(String(decoding: again, as: UTF8.self).hasPrefix(text))
  }

  @Test(arguments: ["A", "A===", "AA=", "AB==", "AAB=", "=", "AA==A", "A-_A", "AA A"])
  func whatIsNoBase64IsRefused(_ text: String) {
    #expect(Base64.decode(text.utf8) == nil)
  }
}
