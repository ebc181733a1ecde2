import CBenchSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Sequential `itemAppeared` requests, client and server on one CPU.
enum RoundTripWorkload: Workload {
  static let name = "roundtrip"
  static let summary = "sequential itemAppeared requests outside the zone, client and server on one CPU"

  private static let session = "5e55-4a7b-000000000003-c0ffee-000003"
  private static let id = 12345

  static func measure(_ bench: Setting) throws -> [Row] {
    bench_pin(bench.serverCPU)
    defer { bench_pin(bench.clientCPU) }
    let echo = try bench.baseline("pagewire-bench-echo")
    let operations = bench.amount(20_000)
    let contest = Contest(workload: name, unit: "us", rounds: bench.rounds(15))
    let peers = try MessagePeer.all(bench).map { peer in
      return peer.contender(rounds: 5) { command in
        let client = try peer.start(bench, command, sessions: [session])
        let times = peer.isSlow ? operations / 10 : operations
        if peer.isLanguageServer {
          return Contender.Run { try time(client, request(peer.itemAppeared), times: times) }
        }
        return try run(client, peer.itemAppeared, times: times)
      }
    }
    return try contest.rows(
      Contender(name: "pagewire") {
        let client = try Client(bench)
        try client.openLoaded(
          session, source: "{\"type\":\"synthetic\",\"count\":1000}", settings: "\"pageSize\":200")
        var run = try run(client, "itemAppeared", times: operations) {
          $0.has("\"decision\":\"idle\"") && $0.has("\"position\":90")
        }
        run.finish = { try client.child.finish() }
        return run
      },
      against: [
        Contender(name: "limit: C pipe echo", target: .ratioAtMost(1.15)) {
          let child = try Child(echo, on: bench.serverCPU)
          let request = request("itemAppeared")
          return Contender.Run(
            round: { try time(child, request, request, times: operations) }, finish: { try child.finish() })
        }
      ] + peers + hover(bench, times: operations / 10))
  }

  /// What comes closest in a language server: a question about a position in an open document, of one line.
  private static func hover(_ bench: Setting, times: Int) throws -> [Contender] {
    try MessagePeer.all(bench).filter { $0.name == Peer.clangd.rawValue }.map { peer in
      var contender = peer.contender(rounds: 5, target: .aheadAtLeast(15)) { command in
        let client = try peer.start(bench, command)
        let document = Document(uri: "file:///document.cpp", lines: 1)
        try document.open(in: client)
        return Contender.Run { try time(client, document.hover(id), times: times) }
      }
      contender.name += ", hover"
      return contender
    }
  }

  private static func request(_ method: String) -> [UInt8] {
    Wire.request(id, method, "{\"session\":\"\(session)\",\"position\":90,\"generation\":1}")
  }

  /// Asks once to see the answer, which must be the same from then on.
  private static func run(
    _ client: Client, _ method: String, times: Int, fits: (ArraySlice<UInt8>) -> Bool = { _ in true }
  ) throws -> Contender.Run {
    let request = request(method)
    try client.child.send(request)
    let answer = try client.reader.peersAnswer(to: id)
    guard fits(answer[...]) else {
      throw Misbehaviour(program: client.child.name, what: "answered itemAppeared with \(answer[...].shown)")
    }
    return Contender.Run { try time(client.child, request, answer, times: times) }
  }

  /// The same for a server that does not write its answers the same way every time: each is looked for.
  private static func time(_ client: Client, _ request: [UInt8], times: Int) throws -> Double {
    var samples: [Double] = []
    samples.reserveCapacity(times)
    for _ in 0..<times {
      let begin = bench_now()
      try client.child.send(request)
      _ = try client.reader.peersAnswer(to: id)
      samples.append(Double(bench_now() - begin) / 1e3)
    }
    return Statistics.median(samples)
  }

  /// The median over many round trips in microseconds.
  private static func time(_ child: Child, _ request: [UInt8], _ expected: [UInt8], times: Int) throws -> Double {
    var buffer = [UInt8](repeating: 0, count: 65536)
    var samples: [Double] = []
    samples.reserveCapacity(times)
    for _ in 0..<times {
      let begin = bench_now()
      guard write(child.input, request, request.count) == request.count else {
        throw child.failure("cannot be written to")
      }
      var have = 0
      while have < expected.count {
        let got = buffer.withUnsafeMutableBytes {
          read(child.output, $0.baseAddress.map { $0 + have }, $0.count - have)
        }
        if got < 0 && errno == EINTR && !Watch.expired { continue }
        guard got > 0 else { throw child.failure("gave no answer to itemAppeared") }
        have += got
      }
      samples.append(Double(bench_now() - begin) / 1e3)
      guard have == expected.count, memcmp(buffer, expected, have) == 0 else {
        throw Misbehaviour(program: child.name, what: "answered \(buffer[..<have].shown)")
      }
    }
    return Statistics.median(samples)
  }
}
