import JSONRPCTransport
import JSONText
import TestSupport
import Testing

@testable import PagewireServer

/// The short way to an `itemAppeared`: what it reads, what it leaves to the parser, and that both come to the same.
@Suite struct PlainAppearanceTests {
  private static let head = #"{"jsonrpc":"2.0","method":"itemAppeared","params":"#

  /// What is read of a body in the middle of a buffer, as text.
  private func read(_ body: String) -> [String: String]? {
    let text = Array(body.utf8)
    let before = Array("0123456".utf8)
    let buffer = before + text + Array(repeating: UInt8(ascii: "}"), count: 40)
    let frame = JSONSlice(start: before.count, end: before.count + text.count)
    guard let message = PlainAppearance(buffer.span, frame) else { return nil }
    return [
      "id": JSONReader.text(buffer.span, message.requestID), "session": JSONReader.text(buffer.span, message.session),
      "item": JSONReader.text(buffer.span, message.item), "position": message.position.map { "\($0)" } ?? "",
      "generation": message.generation.map { "\($0)" } ?? "",
    ].filter { !$0.value.isEmpty }
  }

  @Test func plainMessagesAreRead() {
    #expect(read(Self.head + #"{"session":"a","position":17}}"#) == ["session": "a", "position": "17"])
    #expect(read(Self.head + #"{"position":0,"session":"a b"}}"#) == ["session": "a b", "position": "0"])
    #expect(read(Self.head + #"{"session":"a","id":"x"}}"#) == ["session": "a", "item": #""x""#])
    #expect(read(Self.head + #"{"id":-12,"session":"a"}}"#) == ["session": "a", "item": "-12"])
    #expect(
      read(#"{"jsonrpc":"2.0","id":1,"method":"itemAppeared","params":{"session":"a","position":-3,"generation":2}}"#)
        == ["id": "1", "session": "a", "position": "-3", "generation": "2"])
    #expect(
      read(#"{"params":{"session":"a","position":999999999999999},"id":"q","method":"itemAppeared","jsonrpc":"2.0"}"#)
        == ["id": #""q""#, "session": "a", "position": "999999999999999"])
    for count in 1...70 {
      let name = String(repeating: "n", count: count)
      #expect(read(Self.head + #"{"session":"\#(name)","position":5}}"#) == ["session": name, "position": "5"])
    }
  }

  @Test(arguments: [
    // Other JSON for the same.
    #"{"session": "a","position":1}}"#, #"{"session":"a","position":1} }"#, #"{"session":"\u0061","position":1}}"#,
    #"{"s\u0065ssion":"a","position":1}}"#, #"{"session":"a","position":1e0}}"#, #"{"session":"a","position":1.0}}"#,
    #"{"session":"a","position":1,"generation":null}}"#, #"{"session":"ä","position":1}}"#,
    // What has to be said about these is for others to say.
    #"{"session":"","position":1}}"#, #"{"position":1}}"#, #"{"session":"a"}}"#, "{}}", #"{"session":1,"position":1}}"#,
    #"{"session":"a","position":1,"id":2}}"#, #"{"session":"a","position":"1"}}"#, #"{"session":"a","id":{}}}"#,
    #"{"session":"a","position":1000000000000000}}"#, #"{"session":"a","position":1,"other":1}}"#,
    // Of what stands there twice the last counts.
    #"{"session":"a","session":"b","position":1}}"#, #"{"session":"a","position":1,"position":2}}"#,
    #"{"session":"a","position":1},"params":{}}"#, #"{"session":"a","position":1},"jsonrpc":"2.0"}"#,
    #"{"session":"a","position":1},"method":"itemAppeared"}"#, #"{"session":"a","position":1},"id":1,"id":2}"#,
    // No JSON.
    #"{"session":"a","position":01}}"#, #"{"session":"a","position":-}}"#, #"{"session":"a","position":1}"#,
    #"{"session":"a","position":1"#, #"{"session":"a"#, #"{"session":"a","position":1}}}"#,
    #"{"session":"a","position":1,}}"#, #"{"session":"a","position":1}},"#, "{\"session\":\"a\nb\",\"position\":1}}",
  ])
  func everythingElseIsLeftToTheParser(rest: String) {
    #expect(read(Self.head + rest) == nil)
  }

  @Test func otherMessagesAreLeftToTheParser() {
    let params = #","params":{"session":"a","position":1}"#
    for (body, isRead) in [
      (#"{"jsonrpc":"2.0","method":"itemAppeared"\#(params)}"#, true),
      (#"{"jsonrpc":"2.1","method":"itemAppeared"\#(params)}"#, false),
      (#"{"jsonrpc":"2.0","method":"itemAppearef"\#(params)}"#, false),
      (#"{"jsonrpc":"2.0","method":"itemAppeared","id":null\#(params)}"#, false),
      (#"{"jsonrpc":"2.0"\#(params)}"#, false), (#"{"method":"itemAppeared"\#(params)}"#, false),
      (#"[{"jsonrpc":"2.0","method":"itemAppeared"\#(params)}]"#, false), ("", false), ("{", false),
    ] {
      #expect((read(body) != nil) == isRead, "\(body)")
    }
  }

  /// Changed a little at random, a message is read as the parser reads it, or not at all.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func whatIsReadIsWhatTheParserReads(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var parser = MessageParser()
    var agreed = 0
    for _ in 0..<4_000 {
      let body = mutated(&random)
      let gap = random.below(20)
      let buffer = [UInt8](repeating: UInt8(ascii: "}"), count: gap) + body + tail(&random)
      let frame = JSONSlice(start: gap, end: gap + body.count)
      guard let message = PlainAppearance(buffer.span, frame) else { continue }
      agreed += 1
      let parsed = parser.parse(buffer.span, frame)
      #expect(isSame(message, buffer, parsed, parser), "\(String(decoding: body, as: UTF8.self))")
    }
    #expect(agreed > 400, "only \(agreed) messages were read")
  }

  private func isSame(
    _ message: PlainAppearance, _ buffer: [UInt8], _ parsed: ParsedFrame, _ parser: MessageParser
  ) -> Bool {
    guard case .message(let general) = parsed, general.kind == (message.requestID.isEmpty ? .notification : .request),
      general.id == message.requestID, JSONReader.contentEquals(buffer.span, general.method, "itemAppeared"),
      general.paramsKind == .object
    else { return false }
    let params = AppearanceParams(buffer.span, parser.paramMembers)
    func integer(_ slice: JSONSlice) -> Int? { slice.isEmpty ? nil : JSONReader.integer(buffer.span, slice) }
    return params.session == JSONSlice(start: message.session.start - 1, end: message.session.end + 1)
      && params.id == message.item && integer(params.position) == message.position
      && params.position.isEmpty == (message.position == nil) && integer(params.generation) == message.generation
      && params.generation.isEmpty == (message.generation == nil)
  }

  private static let pieces = [
    #","id":1"#, #""id":"x""#, #","generation":3"#, #","position":-0"#, #"":"2.0""#, #""jsonrpc":"2.0","#, "{", "}",
    "}}", ",", " ", "\"", "\\", "\\\"", "0", "-", "9", "e1", ".5", "null", "\u{7F}", "ä", "\n",
    #"method":"itemAppeared""#, #""params":{}"#, #""session":"s""#, "123456789012345",
  ].map { Array($0.utf8) }

  /// A message in one of its plain forms, with up to three changes.
  private func mutated(_ random: inout SeededRandom) -> [UInt8] {
    let name = String(repeating: "s", count: 1 + random.below(40))
    let item = ["\"position\":\(random.below(100) - 10)", #""id":"item""#, #""id":7"#][random.below(3)]
    var params = [#""session":"\#(name)""#, item]
    if random.chance(oneIn: 4) { params.append(#""generation":1"#) }
    params.shuffle(using: &random)
    var members = [
      #""jsonrpc":"2.0""#, #""method":"itemAppeared""#, "\"params\":{" + params.joined(separator: ",") + "}",
    ]
    if random.chance(oneIn: 2) { members.append(["\"id\":12", #""id":"r""#][random.below(2)]) }
    members.shuffle(using: &random)
    var body = Array(("{" + members.joined(separator: ",") + "}").utf8)
    for _ in 0..<random.below(4) {
      let index = random.below(body.count)
      switch random.below(5) {
      case 0: body[index] = UInt8(truncatingIfNeeded: random.next())
      case 1: body.remove(at: index)
      case 2: body.insert(contentsOf: Self.pieces[random.below(Self.pieces.count)], at: index)
      case 3: body.insert(contentsOf: body[index..<min(body.count, index + random.below(30))], at: index)
      default: body.removeSubrange(index..<min(body.count, index + random.below(8)))
      }
      if body.isEmpty { return body }
    }
    return body
  }

  /// What follows in the buffer: anything, what would end the message well too, or not enough to look ahead.
  private func tail(_ random: inout SeededRandom) -> [UInt8] {
    let ends = [#"","position":1}}"#, "1}}}", #"2.0"}}"#, "\"}}"].map { Array($0.utf8) }
    return ends[random.below(ends.count)] + [UInt8](repeating: 0, count: random.chance(oneIn: 10) ? 3 : 32)
  }
}

/// Two servers that are told the same, one of them in a way that the short way cannot take, say the same.
@Suite struct PlainAppearanceServerTests {
  @Test(arguments: 0..<12 as Range<UInt64>)
  func bothWaysLeadToTheSame(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var short = try ServerProbe()
    var long = try ServerProbe()
    let names = ["a", "5e55-4a7b-000000000003-c0ffee-000001", #"esc\u0061ped"#, "text"]
    for (index, name) in names.enumerated() {
      let source = index == 1 ? #"{"type":"items","items":["x","y",7,-1]}"# : #"{"type":"synthetic","count":500}"#
      let rest = #""pageSize":\#(10 + 10 * index)\#(name == "text" ? #","itemsAs":"text""# : "")"#
      try short.open(name, source, rest)
      try long.open(name, source, rest)
    }
    for number in 0..<600 {
      let body = message(&random, number, names + ["escaped", "none"])
      short.server.handle((Array(body.utf8) + [UInt8](repeating: 0x7D, count: 32)).span, whole(body))
      // Without anything behind it a message is not read the short way.
      long.server.handle(Array(body.utf8).span, whole(body))
      if random.chance(oneIn: 5) {
        short.turn()
        long.turn()
      }
      #expect(short.server.outbox.take() == long.server.outbox.take(), "\(body)")
    }
  }

  private func whole(_ body: String) -> JSONSlice { JSONSlice(start: 0, end: body.utf8.count) }

  private func message(_ random: inout SeededRandom, _ number: Int, _ names: [String]) -> String {
    let name = names[random.below(names.count)]
    let ids = ["\"x\"", "7", "-1", "-0", #""7""#, "3", #""none""#, #""\"x\"""#]
    var params = #""session":"\#(name)","#
    if random.chance(oneIn: 3) {
      params += "\"id\":" + ids[random.below(ids.count)]
    } else {
      params += "\"position\":\(random.below(60) - 3)"
    }
    if random.chance(oneIn: 5) { params += ",\"generation\":\(random.below(3))" }
    let id = random.chance(oneIn: 2) ? "\"id\":\(number)," : ""
    if random.chance(oneIn: 40) {
      return #"{"jsonrpc":"2.0","id":"r\#(number)","method":"loadMore","params":{"session":"\#(name)"}}"#
    }
    return #"{"jsonrpc":"2.0",\#(id)"method":"itemAppeared","params":{\#(params)}}"#
  }
}
