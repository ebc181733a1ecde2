import CBenchSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A large log, paged through to its end.
enum FileScrollWorkload: Workload {
  static let name = "file-scroll"
  static let summary = "a log paged through by 1,000 lines, against a Python loop that frames the same; peak memory"

  private static let pageLines = 1000
  /// Python reads this much of the same log; it is slow, and its pace does not change on the way.
  private static let baselineBytes = 32 << 20

  static func measure(_ bench: Setting) throws -> [Row] {
    let path = bench.folder + "/scroll.log"
    let block = Log.block(bytes: 1 << 20)
    let linesInBlock = block.count { $0 == UInt8(ascii: "\n") }
    let blocks = max(1, bench.options.logMegabytes * 1_000_000 / block.count)
    try Files.write(path, block: block, size: blocks * block.count)
    let places: [String] = ["/usr/bin/python3", "/usr/local/bin/python3", "/bin/python3"]
    let python = places.first { place in access(place, X_OK) == 0 }
    let partBlocks = min(blocks, max(1, baselineBytes / block.count))

    var ours: [Double] = []
    var theirs: [Double] = []
    var notes: [String] = []
    for round in 0..<bench.rounds(3) {
      Watch.rest()
      let client = try Client(bench)
      let run = try scroll(client, path, lines: blocks * linesInBlock, settings: settings(client, path))
      ours.append(Double(blocks * block.count) / run.nanoseconds * 1e3)
      if round == 0 { notes += run.notes }
      try client.child.finish()
      if let python {
        Watch.rest()
        let peer = Client(try Child(python, ["-c", pythonServer, "\(partBlocks * block.count)"], on: bench.serverCPU))
        let part = try scroll(peer, path, lines: partBlocks * linesInBlock, settings: "")
        theirs.append(Double(partBlocks * block.count) / part.nanoseconds * 1e3)
        try peer.child.finish()
      }
    }
    notes.append("\(blocks * block.count / 1_000_000) MB, \(blocks * linesInBlock) lines, one loadMore after the other")
    if python == nil { notes.append("no python3 here, so there is no baseline") }
    return [
      Row(
        workload: name, unit: "MB/s", baseline: python == nil ? "-" : "Python loop", ours: ours, theirs: theirs,
        target: python == nil ? .none : .ratioAtLeast(3), notes: notes)
    ]
  }

  /// `maxItems` where the server supports it.
  private static func settings(_ client: Client, _ path: String) throws -> String {
    let id = client.newID()
    Watch.arm()
    let limited = ",\"maxItems\":10000"
    try client.child.send(openRequest(id, "probe", path, limited + ",\"autoload\":false"))
    let answer = try client.reader.next { FrameReader.isAnswer($0, to: id) }
    if answer.prefix(100).has("\"error\":") { return "" }
    try client.close("probe")
    return limited
  }

  private static func openRequest(_ id: Int, _ session: String, _ path: String, _ settings: String) -> [UInt8] {
    Wire.request(
      id, "open",
      "{\"session\":\"\(session)\",\"source\":{\"type\":\"file\",\"path\":\"\(path)\",\"format\":\"lines\"},"
        + "\"pageSize\":\(pageLines)\(settings)}")
  }

  /// Pages through the file, and checks that every line came once.
  private static func scroll(
    _ client: Client, _ path: String, lines: Int, settings: String
  ) throws -> (nanoseconds: Double, notes: [String]) {
    var received = 0
    var early = 0
    Watch.arm()
    let begin = bench_now()
    try client.child.send(openRequest(client.newID(), "s", path, settings))
    // Only a copy of the head of a page is kept: to hold the reader's buffer would make it copy all of it.
    var head = Array(try client.reader.next { $0.prefix(200).has("\"method\":\"pageAppended\"") }.prefix(200))
    while true {
      guard Wire.integer(head[...], after: "\"start\":") == received else {
        throw Misbehaviour(program: client.child.name, what: "sent a page out of place: \(head[...].shown)")
      }
      let id = client.newID()
      try client.child.send(Wire.request(id, "loadMore", "{\"session\":\"s\"}"))
      var pages = 0
      let answer = try client.reader.next {
        if FrameReader.isAnswer($0, to: id) { return true }
        if $0.prefix(200).has("\"method\":\"pageAppended\"") {
          pages += 1
          head = Array($0.prefix(200))
        }
        return false
      }
      try client.reader.refuseErrors(answer)
      received += pageLines
      if received * 10 >= lines && early == 0 { early = client.child.memory("VmHWM") }
      if pages == 0 { break }
      if received % 100_000 == 0 { Watch.arm() }
    }
    let nanoseconds = Double(bench_now() - begin)
    guard let last = Wire.integer(head[...], after: "\"start\":"), last / pageLines == (lines - 1) / pageLines else {
      throw Misbehaviour(program: client.child.name, what: "ended before the file did: \(head[...].shown)")
    }
    let peak = client.child.memory("VmHWM")
    var notes = ["peak memory \(peak) KiB; it was \(early) KiB after a tenth of the file"]
    notes.append(settings.isEmpty ? "this server does not support maxItems, so nothing is dropped" : "maxItems 10000")
    return (nanoseconds, notes)
  }

  /// What one would write by hand: the same frames in and out, the standard library's json.
  private static let pythonServer = """
    import json, sys
    limit = int(sys.argv[1])
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    def send(message):
        body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
        stdout.write(b"Content-Length: %d\\r\\n\\r\\n" % len(body)); stdout.write(body)
    file, offset, start, size = None, 0, 0, 0
    def page():
        global offset, start
        items = []
        while len(items) < size and offset < limit:
            line = file.readline()
            items.append({"offset": offset, "text": line[:-1].decode("utf-8", "replace")})
            offset += len(line)
        if items:
            send({"jsonrpc": "2.0", "method": "pageAppended", "params": {"session": "s", "start": start, "items": items,
              "ids": [item["offset"] for item in items], "count": start + len(items), "hasMore": offset < limit}})
        start += len(items)
        return len(items)
    while True:
        header = stdin.readline()
        if not header: break
        stdin.readline()
        message = json.loads(stdin.read(int(header.split(b":")[1])))
        if message["method"] == "open":
            file, size = open(message["params"]["source"]["path"], "rb"), message["params"]["pageSize"]
            send({"jsonrpc": "2.0", "id": message["id"], "result": {}})
            page()
        else:
            send({"jsonrpc": "2.0", "id": message["id"], "result": {"added": page()}})
        stdout.flush()
    """
}
