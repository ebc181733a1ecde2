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
    let dlt = try bench.options.dlt.map { try Child($0, ["-u", "-c", dltProgram, url], on: bench.serverCPU) }
    if let dlt { _ = try line(from: dlt) }

    let client = try Client(bench)
    var ours: [Double] = []
    var theirs: [Double] = []
    for round in -1..<bench.rounds(7) {
      Watch.rest()
      let mine = try time(client, "r\(round + 1)", url)
      Watch.rest()
      let his = try dlt.map { try time($0) }
      if round < 0 { continue }
      ours.append(Double(pages) / mine * 1e9)
      if let his { theirs.append(Double(pages) / his * 1e9) }
    }
    try client.child.finish()
    try dlt?.finish()
    var notes = [
      "\(pages) pages of \(pageItems) items, \(answers.bytes / pages) bytes each, one after the other, connection kept"
    ]
    if dlt == nil { notes.append("no --dlt, so there is no baseline") }
    return [
      Row(
        workload: name, unit: "pages/s", baseline: dlt == nil ? "-" : "dlt", ours: ours, theirs: theirs,
        target: dlt == nil ? .none : .ratioAtLeast(2), notes: notes)
    ]
  }

  /// Nanoseconds from `open` to the answer of the last `loadMore`.
  private static func time(_ client: Client, _ session: String, _ url: String) throws -> Double {
    Watch.arm()
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
  private static func time(_ dlt: Child) throws -> Double {
    Watch.arm()
    try dlt.send(Array("go\n".utf8))
    let words = try line(from: dlt).split(separator: " ").compactMap { Int($0) }
    guard words.count == 2, words[0] == pages * pageItems else {
      throw Misbehaviour(program: "dlt", what: "gave \(words.first ?? 0) items of \(pages * pageItems)")
    }
    return Double(words[1])
  }

  private static func line(from child: Child) throws -> String {
    Watch.arm()
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let got = read(child.output, &byte, 1)
      if got < 0 && errno == EINTR && !Watch.expired { continue }
      guard got == 1 else { throw child.failure("closed its output; does that Python have dlt?") }
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
  }

  /// As its documentation has it, told how the pages are named; its start is not counted.
  private static let dltProgram = """
    import sys, time
    from dlt.sources.helpers.rest_client import RESTClient
    from dlt.sources.helpers.rest_client.paginators import JSONLinkPaginator
    origin, path = sys.argv[1].rsplit("/", 1)
    client = RESTClient(base_url=origin)
    print("ready")
    for _ in sys.stdin:
        begin, count = time.perf_counter_ns(), 0
        for page in client.paginate(path, paginator=JSONLinkPaginator(next_url_path="next"), data_selector="items"):
            count += len(page)
        print(count, time.perf_counter_ns() - begin)
    """
}
