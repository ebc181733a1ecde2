import JSONRPCTransport
import TestSupport
import Testing

@testable import PagewireServer

/// Messages that are almost right: whatever comes in, each request gets one answer and the next good one works.
@Suite struct FuzzTests {
  private static let values = [
    "null", "true", "false", "0", "-0", "1", "-1", "3", "1.5", "1e400", "-1e-400", "9007199254740992",
    "9007199254740993",
    "-9007199254740992", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "\"\"", "\"a\"",
    "\"b\"",
    "\"item\"", "\"keep\"", "\"loaded\"", "\"\\ud800\"", "\"\\u0000\"", "[]", "{}", "[[[[]]]]", "{\"type\":\"client\"}",
    "{\"type\":\"synthetic\"}", "{\"type\":\"synthetic\",\"count\":null,\"insertAtHeadPerPage\":9007199254740992}",
    "{\"type\":\"synthetic\",\"start\":9007199254740992,\"count\":9007199254740992}",
    "{\"type\":\"items\",\"items\":[{\"id\":1}]}",
    "{\"distance\":{\"relative\":1e300}}", "{\"distance\":{},\"waitForHeightChange\":{\"untilMs\":0}}",
    "{\"retries\":9007199254740992,\"initialDelayMs\":9007199254740992,\"maxDelayMs\":9007199254740992,\"jitter\":1}",
    "{\"mode\":\"clear\",\"extent\":\"anchor\"}", "{\"offset\":-1}",
  ]
  private static let names = [
    "session", "source", "pageSize", "idPath", "prefetchThreshold", "trigger", "autoload", "canLoadMore", "canRefresh",
    "endOn", "refresh", "retry", "rearmOnAppear", "timeoutMs", "dedupe", "maxEmptyPages", "maxUnseenPages", "maxItems",
    "startAt", "resume", "ifExists", "presentation", "id", "position", "generation", "first", "last", "edge", "offset",
    "viewport", "content", "mode", "extent", "from", "by", "processId", "clientInfo",
  ]

  /// Bodies that are JSON, with members that are right, wrong, missing or there twice.
  private func body(_ random: inout SeededRandom, id: Int) -> (text: String, isRequest: Bool) {
    func pick(_ texts: [String]) -> String { texts[random.below(texts.count)] }
    let method = Method.allCases[random.below(Method.allCases.count)]
    // These would end it all.
    let name = method == .exit || method == .shutdown ? "open" : "\(method.name)"
    var members: [String] = []
    if !random.chance(oneIn: 8) { members.append(#""session":"\#(pick(["a", "b"]))""#) }
    if name == "open" {
      members.append(#""source":\#(pick(Self.values.filter { $0.contains("type") }))"#)
      members.append(#""ifExists":"replace""#)
    }
    if name == "visibleRange" { members += [#""first":0"#, #""last":5"#] }
    for _ in 0..<random.below(4) { members.append("\"\(pick(Self.names))\":\(pick(Self.values))") }
    let params = random.chance(oneIn: 12) ? pick(Self.values) : "{" + members.joined(separator: ",") + "}"
    let isRequest = !random.chance(oneIn: 4)
    let idMember = isRequest ? #","id":\#(id)"# : ""
    return (#"{"jsonrpc":"2.0"\#(idMember),"method":"\#(name)","params":\#(params)}"#, isRequest)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func wrongParamsAreAnsweredOnceEach(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var probe = try ServerProbe()
    var waiting: Set<Int> = []
    var fetches: [JSON] = []
    for id in 1...150 {
      let (text, isRequest) = body(&random, id: id)
      if isRequest { waiting.insert(id) }
      probe.send(text)
      if random.chance(oneIn: 3) { probe.advance(by: random.below(5_000)) }
      if let fetch = fetches.popLast(), random.chance(oneIn: 2) {
        probe.answerFetch(fetch, Self.values[random.below(Self.values.count)])
      }
      for message in try probe.take() {
        if message["method"] == "fetchPage" { fetches.append(message["id"]) }
        guard message["method"].isAbsent, let answered = message["id"].int else { continue }
        #expect(waiting.remove(answered) != nil, "seed \(seed): \(answered) was answered twice")
      }
    }
    probe.server.closeAllSessions()
    for message in try probe.take() where message["method"].isAbsent {
      #expect(waiting.remove(message["id"].int ?? 0) != nil, "seed \(seed): \(message)")
    }
    // A params that is neither an object nor an array makes an invalid request, which is answered too.
    #expect(waiting.isEmpty, "seed \(seed): not answered: \(waiting.sorted())")
    #expect(try probe.call("sessions")["result"] == [])
    #expect(probe.isAtRest)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func damagedStreamsLeaveTheNextGoodRequestItsAnswer(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var probe = try ServerProbe()
    var decoder = FrameDecoder()
    for round in 0..<40 {
      var stream: [UInt8] = []
      for id in 1...5 {
        let (text, _) = body(&random, id: 1_000 * round + id)
        stream += Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
      }
      for _ in 0..<(1 + random.below(6)) {
        let index = random.below(stream.count)
        switch random.below(3) {
        case 0: stream[index] = UInt8(truncatingIfNeeded: random.next())
        case 1: stream.remove(at: index)
        default: stream.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
        }
      }
      decoder.append(stream.span)
      feed(&decoder, &probe)
      _ = probe.server.outbox.take()
    }
    // Whatever the decoder is in the middle of ends here at the latest.
    let good = #"{"jsonrpc":"2.0","id":"good","method":"sessions"}"#
    let frame = Array("\r\nContent-Length: \(good.utf8.count)\r\n\r\n\(good)".utf8)
    var isAnswered = false
    for _ in 0..<60 where !isAnswered {
      decoder.append([UInt8](repeating: 0x0A, count: 4_000).span)
      decoder.append(frame.span)
      feed(&decoder, &probe)
      isAnswered = try probe.take().contains { $0["id"] == "good" }
    }
    #expect(isAnswered, "seed \(seed)")
  }

  private func feed(_ decoder: inout FrameDecoder, _ probe: inout ServerProbe) {
    while true {
      switch decoder.next() {
      case .frame(let frame): probe.server.handle(decoder.buffer.span, frame)
      case .malformed(let error): probe.server.handleMalformedFrame(error)
      case .needsInput: return
      }
    }
  }
}
