import CBenchSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Items through a `client` source.
enum ClientPagesWorkload: Workload {
  static let name = "client-pages"
  static let summary = "pages of 1,000 items through a client source, against cat moving the same bytes"

  private static let sessions = 4
  private static let pages = 24
  private static let pageItems = 1000

  static func measure(_ bench: Setting) throws -> [Row] {
    // Pages of their own for each session, more than the caches hold.
    let items = (0..<sessions).map { session in
      (0..<pages).map { Items.page(session * pages + $0, count: pageItems) }
    }
    let answers = (0..<pages * sessions).flatMap {
      answer(id: "1000", items[$0 % sessions][$0 / sessions], page: $0 / sessions).flatMap { $0 }
    }
    func rate(_ nanoseconds: Double) -> Double { Double(answers.count) / nanoseconds * 1e3 }
    let path = try catPath()
    let contest = Contest(
      workload: name, unit: "MB/s", rounds: bench.rounds(15),
      notes: ["\(items[0][0].count / pageItems) bytes an item, \(sessions) sessions at a time, default pipes"])
    let peers = try MessagePeer.all(bench).filter { $0.takesPages }.map { peer in
      peer.contender(rounds: 3, target: .ratioAtLeast(10)) { command in
        let client = try peer.start(bench, command)
        return Contender.Run { rate(try timePeer(client, items)) }
      }
    }
    return try contest.rows(
      Contender(name: "pagewire") {
        let client = try Client(bench)
        try checkBytes(client, items[0][0])
        var round = 0
        return Contender.Run(
          round: {
            round += 1
            return rate(try time(client, items, round: round))
          }, finish: { try client.child.finish() })
      },
      against: [
        Contender(name: "limit: cat", target: .ratioAtLeast(1)) {
          let cat = try Child(path, on: bench.serverCPU)
          return Contender.Run(round: { rate(try timeCopy(cat, answers)) }, finish: { try cat.finish() })
        },
        Contender(name: "cat, 1 MiB pipes", target: .ratioAtLeast(0.4)) {
          let cat = try Child(path, on: bench.serverCPU)
          try cat.widenPipes()
          return Contender.Run(round: { rate(try timeCopy(cat, answers)) }, finish: { try cat.finish() })
        },
      ] + peers)
  }

  /// Nanoseconds in which a peer takes in the same pages, one request each, and passes them on with their ids.
  private static func timePeer(_ client: Client, _ items: [[[UInt8]]]) throws -> Double {
    let all = items.flatMap { $0 }
    let child = client.child
    let input = child.input
    let begin = bench_now()
    let feeder = try Feeder {
      for page in all {
        let head = "{\"jsonrpc\":\"2.0\",\"id\":1000,\"method\":\"page\",\"params\":{\"items\":["
        let count = head.utf8.count + page.count + 3
        guard writeAll(input, [Array("Content-Length: \(count)\r\n\r\n\(head)".utf8), page, Array("]}}".utf8)]) else {
          return
        }
      }
    }
    do {
      for _ in all {
        let body = try client.reader.next()
        guard body.count > all[0].count / 2, body.prefix(100).has("\"ids\":[") else {
          throw Misbehaviour(program: child.name, what: "answered a page with \(body.shown)")
        }
      }
    } catch {
      child.end()
      feeder.join()
      throw error
    }
    let end = bench_now()
    feeder.join()
    return Double(end - begin)
  }

  static func catPath() throws -> String {
    for path in ["/bin/cat", "/usr/bin/cat"] where access(path, X_OK) == 0 { return path }
    throw Misbehaviour(program: "cat", what: "is not there")
  }

  /// The answer to a `fetchPage`, as a frame in three pieces, so that nobody need copy the items.
  private static func answer(id: String, _ items: [UInt8], page: Int) -> [[UInt8]] {
    let head = "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":{\"items\":["
    let tail = page + 1 == pages ? "],\"next\":null}}" : "],\"next\":\(page + 1)}}"
    let count = head.utf8.count + items.count + tail.utf8.count
    return [Array("Content-Length: \(count)\r\n\r\n\(head)".utf8), items, Array(tail.utf8)]
  }

  private static func openRequest(_ client: Client, _ session: String) -> [UInt8] {
    Wire.request(
      client.newID(), "open",
      "{\"session\":\"\(session)\",\"source\":{\"type\":\"client\"},\"pageSize\":\(pageItems),\"timeoutMs\":60000}")
  }

  /// One page, untimed: its items must come back byte for byte.
  private static func checkBytes(_ client: Client, _ items: [UInt8]) throws {
    try client.child.send(openRequest(client, "check"))
    let fetch = try client.reader.next { $0.prefix(200).has("\"method\":\"fetchPage\"") }
    guard let id = fetchID(fetch) else {
      throw Misbehaviour(program: client.child.name, what: "sent fetchPage without an id: \(fetch.shown)")
    }
    let answer = answer(id: id, items, page: 0)
    let child = client.child
    let input = child.input
    let feeder = try Feeder { _ = writeAll(input, answer) }
    let page = try client.reader.next { $0.prefix(200).has("\"method\":\"pageAppended\"") }
    feeder.join()
    guard page.has("[" + String(decoding: items, as: UTF8.self) + "]") else {
      throw Misbehaviour(program: child.name, what: "changed the items of a page: \(page.shown)")
    }
    try client.expect(count: pageItems, in: "check")
    try client.close("check")
  }

  private static func fetchID(_ body: ArraySlice<UInt8>) -> String? {
    Wire.text(body.prefix(300), after: "\"id\":", upTo: [UInt8(ascii: ","), UInt8(ascii: "}")])
  }

  /// Nanoseconds from the first `open` to the last page of the last session.
  private static func time(_ client: Client, _ items: [[[UInt8]]], round: Int) throws -> Double {
    let child = client.child
    let names = (0..<sessions).map { "r\(round + 1)s\($0)" }
    // What the reader learns (which session wants a page, under which id) reaches the feeder as lines through a pipe.
    var wants: [Int32] = [-1, -1]
    guard bench_pipe(&wants) == 0 else { throw Misbehaviour(program: "pagewire-bench", what: "has no pipe left") }
    let source = wants[0]
    let input = child.input
    let begin = bench_now()
    for name in names { try child.send(openRequest(client, name)) }
    let feeder = try Feeder { feed(input, from: source, items, names) }
    do {
      defer {
        close(wants[1])
      }
      try readPages(client, names, wants[1], bytes: items.joined().reduce(0) { $0 + $1.count })
    } catch {
      child.end()
      feeder.join()
      close(source)
      throw error
    }
    let end = bench_now()
    feeder.join()
    close(source)
    for name in names {
      try client.expect(count: pages * pageItems, in: name)
      try client.close(name)
    }
    return Double(end - begin)
  }

  /// Reads until every session has all its pages.
  private static func readPages(_ client: Client, _ names: [String], _ wants: Int32, bytes: Int) throws {
    var left = sessions * pages
    var received = 0
    while left > 0 {
      let body = try client.reader.next()
      let head = body.prefix(200)
      if head.has("\"method\":\"pageAppended\"") {
        left -= 1
        received += body.count
      } else if head.has("\"method\":\"fetchPage\"") {
        guard let id = fetchID(body),
          let name = Wire.text(body.prefix(300), after: "\"session\":\"", upTo: [UInt8(ascii: "\"")]),
          let session = names.firstIndex(of: name)
        else { throw Misbehaviour(program: client.child.name, what: "sent \(body.shown)") }
        _ = writeAll(wants, Array("\(session) \(id)\n".utf8))
      } else {
        try client.reader.refuseErrors(body)
      }
    }
    guard received >= bytes else {
      throw Misbehaviour(program: client.child.name, what: "sent \(received) bytes of pages where \(bytes) are due")
    }
  }

  /// The feeder's loop: answers each want by the session's next page, and asks for the one after it in the same write.
  private static func feed(_ input: Int32, from wants: Int32, _ items: [[[UInt8]]], _ names: [String]) {
    var next = [Int](repeating: 0, count: sessions)
    var pending: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let got = read(wants, &chunk, chunk.count)
      if got <= 0 { return }
      pending += chunk[..<got]
      while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let words = String(decoding: pending[..<end], as: UTF8.self).split(separator: " ")
        pending.removeSubrange(...end)
        guard words.count == 2, let session = Int(words[0]), next[session] < pages else { return }
        let page = next[session]
        next[session] += 1
        var pieces = answer(id: String(words[1]), items[session][page], page: page)
        if page + 1 < pages {
          pieces[2] += Wire.request(
            1_000_000 + session * pages + page, "loadMore", "{\"session\":\"\(names[session])\"}")
        }
        guard writeAll(input, pieces) else { return }
      }
    }
  }

  /// Nanoseconds to move the same bytes through `cat`.
  private static func timeCopy(_ cat: Child, _ answers: [UInt8]) throws -> Double {
    var left = answers.count
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    let input = cat.input
    let begin = bench_now()
    let feeder = try Feeder { _ = writeAll(input, answers) }
    while left > 0 {
      let got = read(cat.output, &buffer, buffer.count)
      if got < 0 && errno == EINTR && !Watch.expired { continue }
      guard got > 0 else {
        let failure = cat.failure("closed its output")
        cat.end()
        feeder.join()
        throw failure
      }
      left -= got
    }
    let end = bench_now()
    feeder.join()
    return Double(end - begin)
  }
}
