import CBenchSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An API on the loopback, paged through to its end.
enum HTTPPagesWorkload: Workload {
  static let name = "http-pages"
  static let summary = "pages of 100 items from a local server that names the next URL, against dlt's RESTClient"

  private static let pages = 500
  private static let pageItems = 100

  /// The whole answers of the server, whose threads only read them.
  ///
  /// `@unchecked Sendable`: nothing is changed after `init`, and the memory lives as long as this does.
  private final class Answers: @unchecked Sendable {
    let list: UnsafeMutableBufferPointer<bench_answer>

    init() {
      list = .allocate(capacity: pages)
      for page in 0..<pages {
        let next = page + 1 < pages ? "\"/items?page=\(page + 1)\"" : "null"
        let body = Array("{\"items\":[".utf8) + Items.page(page, count: pageItems) + Array("],\"next\":\(next)}".utf8)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        let answer = Array(head.utf8) + body
        let memory = UnsafeMutableBufferPointer<CChar>.allocate(capacity: answer.count)
        _ = memory.initialize(from: answer.map { CChar(bitPattern: $0) })
        list.initializeElement(at: page, to: bench_answer(bytes: memory.baseAddress, count: answer.count))
      }
    }

    deinit {
      for answer in list { answer.bytes.deallocate() }
      list.deallocate()
    }

    var bytes: Int { list.reduce(0) { $0 + $1.count } }
  }

  static func measure(_ bench: Setting) throws -> [Row] {
    let answers = Answers()
    var port: Int32 = 0
    let listener = bench_http_listen(&port)
    guard listener >= 0 else { throw Misbehaviour(program: "pagewire-bench", what: "cannot listen: errno \(errno)") }
    let server = try Feeder { bench_http_serve(listener, answers.list.baseAddress, answers.list.count) }
    defer {
      shutdown(listener, Int32(SHUT_RDWR))
      server.join()
      close(listener)
    }
    let url = "http://127.0.0.1:\(port)/items"
    let dlt = bench.peers.command(.dlt, script: "dlt_pages.py", [url])
    func rate(_ nanoseconds: Double) -> Double { Double(pages) / nanoseconds * 1e9 }
    let contest = Contest(
      workload: name, unit: "pages/s", rounds: bench.rounds(7),
      notes: [
        "\(pages) pages of \(pageItems) items, \(answers.bytes / pages) bytes each, one after the other, connection kept"
      ])
    return try contest.rows(
      Contender(name: "pagewire") {
        let client = try Client(bench)
        return Contender.Run(
          round: { rate(try time(client, url)) }, finish: { try client.child.finish() })
      },
      against: [
        Contender(name: "limit: C, reads only") { Contender.Run { rate(try timeReading(bench, port, answers.bytes)) } },
        Contender(name: "dlt", target: .ratioAtLeast(2), install: dlt == nil ? Peer.dlt.install : nil) {
          let script = try ScriptPeer(bench, dlt ?? Command(path: "dlt"))
          return Contender.Run { rate(try time(script)) }
        },
      ])
  }

  /// Nanoseconds from `open` to the answer of the last `loadMore`.
  private static func time(_ client: Client, _ url: String) throws -> Double {
    let session = "s"
    let begin = bench_now()
    try client.openLoaded(
      session, source: "{\"type\":\"http\",\"url\":\"\(url)\",\"paging\":{\"strategy\":\"nextUrl\"}}",
      settings: "\"pageSize\":\(pageItems)")
    for _ in 1..<pages { _ = try client.call("loadMore", "{\"session\":\"\(session)\"}") }
    let end = bench_now()
    try client.expect(count: pages * pageItems, in: session)
    try client.close(session)
    return Double(end - begin)
  }

  /// Nanoseconds that the other client takes for the same, by its own clock.
  private static func time(_ dlt: ScriptPeer) throws -> Double {
    let figures = try dlt.round("go")
    guard figures.count == 2, figures[0] == Double(pages * pageItems) else {
      throw Misbehaviour(program: "dlt", what: "gave \(figures) instead of \(pages * pageItems) items and a time")
    }
    return figures[1]
  }

  /// Nanoseconds that it takes to ask for the pages and read them, without a look at them.
  private static func timeReading(_ bench: Setting, _ port: Int32, _ bytes: Int) throws -> Double {
    bench_pin(bench.serverCPU)
    defer { bench_pin(bench.clientCPU) }
    let begin = bench_now()
    let count = bench_http_read(port, pages)
    let end = bench_now()
    guard count == bytes else {
      throw Misbehaviour(program: "pagewire-bench", what: "read \(count) bytes of pages where \(bytes) are due")
    }
    return Double(end - begin)
  }
}
