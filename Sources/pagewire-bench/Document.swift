/// A document in a language server: what a session is to us, a thing with a name that questions about positions are asked of.
struct Document {
  var uri: String
  var lines: Int

  /// The text: so many declarations, a line each.
  private var text: String { (0..<lines).map { "int value_\($0);\\n" }.joined() }

  var opening: [UInt8] {
    Wire.request(
      nil, "textDocument/didOpen",
      "{\"textDocument\":{\"uri\":\"\(uri)\",\"languageId\":\"cpp\",\"version\":1,\"text\":\"\(text)\"}}")
  }

  /// Asks what is at the name in the first line.
  func hover(_ id: Int) -> [UInt8] {
    Wire.request(
      id, "textDocument/hover",
      "{\"textDocument\":{\"uri\":\"\(uri)\"},\"position\":{\"line\":0,\"character\":6}}")
  }

  /// Opens it, and sees that the server knows what is in it.
  func open(in client: Client) throws {
    let id = client.newID()
    try client.child.send(opening + hover(id))
    let answer = try client.reader.peersAnswer(to: id)
    guard answer[...].has("value_0") else {
      throw Misbehaviour(program: client.child.name, what: "answered hover with \(answer[...].shown)")
    }
  }
}
