import Testing

@testable import PagewireServer

/// What is refused, and the member that the refusal names.
@Suite struct ParamsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let method: String
    let params: String
    let pointer: String
    var testDescription: String { "\(method) \(params)" }

    init(_ method: String, _ params: String, _ pointer: String) {
      self.method = method
      self.params = params
      self.pointer = pointer
    }
  }

  static let ofSessions: [Case] = [
    "itemAppeared", "visibleRange", "loaderAppeared", "loaderDisappeared", "scrolled", "loadMore", "loadPrevious",
    "refresh", "setScrolledID", "adjustOffset", "state", "close",
  ].flatMap {
    [Case($0, "{}", "/session"), Case($0, #"{"session":null}"#, "/session"), Case($0, #"{"session":7}"#, "/session")]
  }

  static let others: [Case] = [
    Case("itemAppeared", #"{"session":"a"}"#, "/id"),
    Case("itemAppeared", #"{"session":"a","id":null}"#, "/id"),
    Case("itemAppeared", #"{"session":"a","id":1.5}"#, "/id"),
    Case("itemAppeared", #"{"session":"a","id":{}}"#, "/id"),
    Case("itemAppeared", #"{"session":"a","id":1,"position":1}"#, "/position"),
    Case("itemAppeared", #"{"session":"a","position":"1"}"#, "/position"),
    Case("itemAppeared", #"{"session":"a","position":1.0}"#, "/position"),
    Case("itemAppeared", #"{"session":"a","position":9007199254740993}"#, "/position"),
    Case("itemAppeared", #"{"session":"a","position":-99999999999999999999999}"#, "/position"),
    Case("itemAppeared", #"{"session":"a","position":1,"generation":"1"}"#, "/generation"),
    Case("itemAppeared", #"{"session":"a","position":1,"generation":1e9}"#, "/generation"),
    Case("visibleRange", #"{"session":"a","first":0}"#, "/last"),
    Case("visibleRange", #"{"session":"a","last":0}"#, "/first"),
    Case("visibleRange", #"{"session":"a","first":1,"last":0}"#, "/last"),
    Case("visibleRange", #"{"session":"a","first":-9007199254740993,"last":0}"#, "/first"),
    Case("visibleRange", #"{"session":"a","first":0,"last":1,"generation":[]}"#, "/generation"),
    Case("loaderAppeared", #"{"session":"a","edge":"middle"}"#, "/edge"),
    Case("loaderDisappeared", #"{"session":"a","edge":1}"#, "/edge"),
    Case("scrolled", #"{"session":"a","offset":0,"viewport":1}"#, "/content"),
    Case("scrolled", #"{"session":"a","offset":0,"viewport":-1,"content":1}"#, "/viewport"),
    Case("scrolled", #"{"session":"a","offset":1e400,"viewport":1,"content":1}"#, "/offset"),
    Case("scrolled", #"{"session":"a","offset":"0","viewport":1,"content":1}"#, "/offset"),
    Case("refresh", #"{"session":"a","mode":"swap"}"#, "/mode"),
    Case("refresh", #"{"session":"a","extent":2}"#, "/extent"),
    Case("refresh", #"{"session":"a","source":3}"#, "/source"),
    Case("refresh", #"{"session":"a","source":{"type":"synthetic","count":-1}}"#, "/source/count"),
    Case("refresh", #"{"session":"a","from":"end"}"#, "/from"),
    Case("setScrolledID", #"{"session":"a"}"#, "/id"),
    Case("setScrolledID", #"{"session":"a","id":[]}"#, "/id"),
    Case("setScrolledID", #"{"session":"a","id":1e1}"#, "/id"),
    Case("adjustOffset", #"{"session":"a"}"#, "/by"),
    Case("adjustOffset", #"{"session":"a","by":0.5}"#, "/by"),
    Case("state", #"{"session":"a","resume":1}"#, "/resume"),
    Case("initialize", #"{"processId":"1"}"#, "/processId"),
    Case("initialize", #"{"clientInfo":[]}"#, "/clientInfo"),
  ]

  static let ofOpen: [Case] = [
    (#""pageSize":0"#, "/pageSize"), (#""pageSize":10000001"#, "/pageSize"), (#""idPath":"id""#, "/idPath"),
    (#""idPath":1"#, "/idPath"), (#""prefetchThreshold":1e3"#, "/prefetchThreshold"),
    (#""trigger":1"#, "/trigger"), (#""trigger":{}"#, "/trigger"), (#""trigger":{"distance":1}"#, "/trigger/distance"),
    (#""trigger":{"distance":{"relative":-1}}"#, "/trigger/distance/relative"),
    (#""trigger":{"distance":{"relative":1e999}}"#, "/trigger/distance/relative"),
    (#""trigger":{"distance":{"relative":1,"absolute":1}}"#, "/trigger/distance"),
    (#""trigger":{"distance":{"far":1}}"#, "/trigger/distance/far"),
    (#""trigger":{"distance":{},"a~/b":1}"#, "/trigger/a~0~1b"),
    (#""trigger":{"distance":{},"waitForHeightChange":{}}"#, "/trigger/waitForHeightChange"),
    (#""trigger":{"distance":{},"waitForHeightChange":{"untilMs":-1}}"#, "/trigger/waitForHeightChange/untilMs"),
    (#""trigger":{"distance":{},"waitForHeightChange":{"until":1}}"#, "/trigger/waitForHeightChange/until"),
    (#""autoload":"yes""#, "/autoload"), (#""canLoadMore":0"#, "/canLoadMore"), (#""canRefresh":[]"#, "/canRefresh"),
    (#""endOn":"end""#, "/endOn"), (#""refresh":"keep""#, "/refresh"), (#""refresh":{"mode":null}"#, "/refresh/mode"),
    (#""refresh":{"depth":1}"#, "/refresh/depth"), (#""retry":[]"#, "/retry"),
    (#""retry":{"retries":-1}"#, "/retry/retries"), (#""retry":{"retries":null}"#, "/retry/retries"),
    (#""retry":{"multiplier":0.5}"#, "/retry/multiplier"), (#""retry":{"jitter":1.1}"#, "/retry/jitter"),
    (#""retry":{"times":1}"#, "/retry/times"), (#""rearmOnAppear":1"#, "/rearmOnAppear"),
    (#""timeoutMs":0"#, "/timeoutMs"), (#""dedupe":1"#, "/dedupe"), (#""maxEmptyPages":0"#, "/maxEmptyPages"),
    (#""maxUnseenPages":0"#, "/maxUnseenPages"), (#""maxItems":0"#, "/maxItems"), (#""resume":1"#, "/resume"),
    (#""ifExists":"ask""#, "/ifExists"), (#""startAt":3"#, "/startAt"),
  ].map { Case("open", #"{"session":"new","source":{"type":"items","items":[]},\#($0.0)}"#, $0.1) }

  @Test(arguments: ofSessions + others + ofOpen)
  func namesTheMemberThatIsWrong(_ test: Case) throws {
    var probe = try ServerProbe()
    try probe.open("a", #"{"type":"synthetic","count":50}"#)
    let before = try probe.state()
    let error = try probe.call(test.method, test.params)["error"]
    #expect(error["code"] == -32602)
    #expect(error["data"]["name"] == "invalidParams")
    #expect(error["data"]["pointer"] == .string(test.pointer))
    #expect(error["data"]["expected"].text?.isEmpty == false)
    #expect(error["message"].text?.hasPrefix(test.pointer) == true)
    // The same as a notification is not answered and changes nothing either.
    probe.notify(test.method, test.params)
    #expect(try probe.take().isEmpty)
    #expect(try probe.state() == before)
    #expect(probe.server.sessions.count == 1)
  }

  @Test(arguments: Method.allCases)
  func paramsByPositionAreRefused(_ method: PagewireServer.Method) throws {
    var probe = try ServerProbe()
    let answer = try probe.call("\(method.name)", "[]")
    if method == .exit {
      #expect(answer["result"] == nil)
    } else {
      #expect(answer["error"]["code"] == -32602)
      #expect(answer["error"]["data"]["pointer"] == "")
    }
  }

  @Test(arguments: [
    ("1e99999", false), ("1" + String(repeating: "0", count: 2_000_000), false), ("-0", true), ("1e-99999", true),
    ("0." + String(repeating: "0", count: 2_000_000) + "1", true),
  ])
  func numbersOfAnyLengthAreRead(number: String, isInRange: Bool) throws {
    var probe = try ServerProbe()
    try probe.open("a", #"{"type":"synthetic"}"#, #""trigger":{"distance":{"absolute":10}}"#)
    let answer = try probe.call("scrolled", #"{"session":"a","offset":\#(number),"viewport":1,"content":1}"#)
    #expect(answer["error"].isAbsent == isInRange)
  }

  @Test func unknownMembersOfParamsAreIgnoredAndTheLastDuplicateCounts() throws {
    var probe = try ServerProbe()
    try probe.open("a", #"{"type":"synthetic"}"#, #""colour":"red","pageSize":0,"pageSize":4"#)
    #expect(try probe.state()["settings"]["pageSize"] == 4)
    #expect(
      try probe.call("itemAppeared", #"{"session":"b","session":"a","position":99,"position":1}"#)["result"]["position"]
        == 1)
  }

  @Test func namesAndMembersMayBeWrittenWithEscapes() throws {
    var probe = try ServerProbe()
    try probe.open("a", #"{"type":"synthetic"}"#)
    probe.send(
      #"{"jsonrpc":"2.0","id":1,"m\u0065thod":"item\u0041ppeared","params":{"s\u0065ssion":"\u0061","positio\u006e":1}}"#
    )
    #expect(try probe.take().first?["result"]["position"] == 1)
  }
}
