import JSONRPCTransport
import JSONText

/// A parsed body as plain values, since the test macros cannot take spans.
struct Parsed {
  let bytes: [UInt8]
  var parser: MessageParser
  let frame: ParsedFrame

  init(_ text: String, maxDepth: Int = 1000) { self.init(Array(text.utf8), maxDepth: maxDepth) }

  init(_ body: [UInt8], maxDepth: Int = 1000) {
    // The body stands in the middle of a buffer whose other bytes would matter if they were looked at.
    let buffer = Array("\"\\{[".utf8) + body + Array("\"}]\\,:".utf8)
    var parser = MessageParser(maxDepth: maxDepth)
    frame = parser.parse(buffer.span, JSONSlice(start: 4, end: 4 + body.count))
    self.parser = parser
    bytes = buffer
  }

  /// The message, if it is one.
  var message: Message? {
    if case .message(let message) = frame { return message }
    return nil
  }

  static func kind(_ frame: ParsedFrame) -> MessageKind? {
    if case .message(let message) = frame { return message.kind }
    return nil
  }

  /// Why it is none.
  var reason: InvalidMessage.Reason? { Parsed.invalid(frame)?.reason }

  /// The id that the answer to an invalid message has, as text; empty for null.
  var invalidID: String? { Parsed.invalid(frame).map { text($0.id) } }

  static func invalid(_ frame: ParsedFrame) -> InvalidMessage? {
    if case .invalid(let invalid) = frame { return invalid }
    return nil
  }

  var kind: MessageKind? { message?.kind }
  var id: String? { message.map { text($0.id) } }
  var method: String? { message.map { JSONReader.string(bytes.span, content: $0.method) } }
  var params: String? { message.map { text($0.params) } }
  var paramMembers: [[String]] { pairs(parser.paramMembers) }
  var resultMembers: [[String]] { pairs(parser.resultMembers) }
  var errorMembers: [[String]] { pairs(parser.errorMembers) }
  var items: [[String]] { parser.items.map { [text($0.value), text($0.id)] } }

  func text(_ slice: JSONSlice) -> String { JSONReader.text(bytes.span, slice) }

  private func pairs(_ members: [JSONMember]) -> [[String]] {
    members.map { [JSONReader.string(bytes.span, content: $0.key), text($0.value)] }
  }
}
