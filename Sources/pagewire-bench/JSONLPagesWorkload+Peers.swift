import CBenchSupport

extension JSONLPagesWorkload {
  /// Servers that do the same with JSON of their own: read the lines, know the ids, write the items.
  static func peers(_ bench: Setting, _ path: String, size: Int) throws -> [Contender] {
    try MessagePeer.all(bench).filter { $0.takesPages }.map { peer in
      peer.contender(rounds: 3, target: .ratioAtLeast(10)) { command in
        let client = try peer.start(bench, command)
        return Contender.Run { Double(size) / (try time(client, path, size: size)) * 1e3 }
      }
    }
  }

  /// Nanoseconds in which a peer pages through the file once.
  private static func time(_ client: Client, _ path: String, size: Int) throws -> Double {
    let requests = (0..<pages).flatMap {
      Wire.request(
        client.newID(), "nextPage",
        "{\"path\":\"\(path)\",\"count\":\(pageItems),\"isFirst\":\($0 == 0)}")
    }
    var received = 0
    let begin = bench_now()
    try client.child.send(requests)
    for _ in 0..<pages {
      let body = try client.reader.next()
      guard body.prefix(100).has("\"ids\":[\"item-") else {
        throw Misbehaviour(program: client.child.name, what: "answered nextPage with \(body.shown)")
      }
      received += body.count
    }
    let end = bench_now()
    guard received > size * 9 / 10 else {
      throw Misbehaviour(program: client.child.name, what: "sent \(received) bytes for a file of \(size)")
    }
    return Double(end - begin)
  }
}
