import CBenchSupport

/// How a page grows with the number of its items.
enum GrowthByPageSize {
  /// The three ways that a page may come.
  private enum Source: CaseIterable {
    case synthetic
    case client
    case file
  }

  private static let places = halfDecades(from: 1, to: 100_000)

  static func measure(_ bench: Setting) throws -> GrowthAxis {
    let log = bench.folder + "/pages.log"
    let block = Log.block(bytes: 1 << 20)
    try Files.write(log, block: block, size: 16 << 20)
    var latency = [
      GrowthSeries("loadMore from synthetic, items of 30 bytes", .microseconds, .linear),
      GrowthSeries("loadMore from client, items of 380 bytes", .microseconds, .linear),
      GrowthSeries("loadMore from a file, lines of 110 bytes", .microseconds, .linear),
    ]
    var memory = [
      GrowthSeries("peak, synthetic", .bytes, .linear), GrowthSeries("peak, client", .bytes, .linear),
      GrowthSeries("peak, file", .bytes, .linear),
    ]
    let answers = places.map { Items.page(0, count: $0) }
    let clients = try places.map { _ in try Source.allCases.map { _ in try Client(bench) } }
    for round in 0..<bench.rounds(5) {
      for (index, count) in places.enumerated() {
        for (number, source) in Source.allCases.enumerated() {
          let client = clients[index][number]
          Watch.arm()
          Watch.rest()
          for time in 0..<max(2, min(40, 3000 / count)) {
            let taken = try page(of: count, from: source, client, answers[index], log)
            // The first grows buffers that the others find.
            if round > 0 || time > 0 { latency[number].add(taken, at: count) }
          }
        }
      }
    }
    for (index, count) in places.enumerated() {
      for (number, client) in clients[index].enumerated() {
        memory[number].add(Double(client.child.memory("VmHWM")) * 1024, at: count)
        try client.child.finish()
      }
    }
    return GrowthAxis(
      name: "page-size", title: "Items in one page: 1 to 100,000",
      subtitle:
        "a page of a new session, from loadMore to its answer, which follows the page; one server for each source and size",
      xTitle: "items a page", xUnit: .count, latency: latency, memory: memory)
  }

  /// The microseconds of one page.
  private static func page(
    of count: Int, from source: Source, _ client: Client, _ items: [UInt8], _ log: String
  ) throws -> Double {
    let text =
      switch source {
      case .synthetic: "{\"type\":\"synthetic\",\"count\":null}"
      case .client: "{\"type\":\"client\"}"
      case .file: "{\"type\":\"file\",\"path\":\"\(log)\",\"format\":\"lines\"}"
      }
    _ = try client.call("open", "{\"session\":\"s\",\"source\":\(text),\"pageSize\":\(count),\"autoload\":false}")
    let taken =
      source == .client
      ? try client.timedPage("s", items: items) : try client.timedCall("loadMore", "{\"session\":\"s\"}")
    try client.expect(count: count, in: "s")
    try client.close("s")
    return taken
  }
}

extension Client {
  /// Asks for a page and, as the source, gives it; the microseconds from the one to its answer.
  func timedPage(_ session: String, items: [UInt8]) throws -> Double {
    let id = newID()
    let request = Wire.request(id, "loadMore", "{\"session\":\"\(session)\"}")
    let begin = bench_now()
    try child.send(request)
    let fetch = try reader.next { $0.prefix(200).has("\"method\":\"fetchPage\"") }
    guard let number = Wire.text(fetch.prefix(300), after: "\"id\":", upTo: [UInt8(ascii: ","), UInt8(ascii: "}")])
    else {
      throw Misbehaviour(program: child.name, what: "sent fetchPage without an id: \(fetch.shown)")
    }
    let head = "{\"jsonrpc\":\"2.0\",\"id\":\(number),\"result\":{\"items\":["
    let tail = "],\"next\":1}}"
    let length = head.utf8.count + items.count + tail.utf8.count
    guard
      writeAll(
        child.input, [Array("Content-Length: \(length)\r\n\r\n\(head)".utf8), items, Array(tail.utf8)])
    else { throw child.failure("cannot be written to") }
    _ = try reader.answer(to: id)
    return Double(bench_now() - begin) / 1e3
  }
}
