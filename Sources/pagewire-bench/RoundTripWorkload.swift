import CBenchSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Sequential `itemAppeared` requests, client and server on one CPU.
enum RoundTripWorkload: Workload {
  static let name = "roundtrip"
  static let summary = "sequential itemAppeared requests on one CPU, against a C pipe echo of the same bytes"

  private static let operations = 20_000

  static func measure(_ bench: Setting) throws -> [Row] {
    bench_pin(bench.serverCPU)
    defer { bench_pin(bench.clientCPU) }
    let client = try Client(bench)
    let session = "5e55-4a7b-000000000003-c0ffee-000003"
    try client.openLoaded(
      session, source: "{\"type\":\"synthetic\",\"count\":1000}", settings: "\"pageSize\":200")
    let request = Wire.request(
      12345, "itemAppeared", "{\"session\":\"\(session)\",\"position\":90,\"generation\":1}")
    try client.child.send(request)
    let answer = try client.reader.answer(to: 12345)
    guard answer.has("\"decision\":\"idle\""), answer.has("\"position\":90") else {
      throw Misbehaviour(program: client.child.name, what: "answered itemAppeared with \(answer.shown)")
    }
    let expected = Wire.frame(String(decoding: answer, as: UTF8.self))
    let echo = try Child(try bench.baseline("pagewire-bench-echo"), on: bench.serverCPU)

    var ours: [Double] = []
    var theirs: [Double] = []
    for round in -1..<bench.rounds(15) {
      Watch.rest()
      let mine = try time(client.child, request, expected)
      Watch.rest()
      let his = try time(echo, request, request)
      if round < 0 { continue }
      ours.append(mine)
      theirs.append(his)
    }
    try client.child.finish()
    try echo.finish()
    return [
      Row(
        workload: name, unit: "us", baseline: "C pipe echo", ours: ours, theirs: theirs, target: .ratioAtMost(1.5))
    ]
  }

  /// The median over many round trips in microseconds.
  private static func time(_ child: Child, _ request: [UInt8], _ expected: [UInt8]) throws -> Double {
    Watch.arm()
    var buffer = [UInt8](repeating: 0, count: 65536)
    var times: [Double] = []
    times.reserveCapacity(operations)
    for _ in 0..<operations {
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
      times.append(Double(bench_now() - begin) / 1e3)
      guard have == expected.count, memcmp(buffer, expected, have) == 0 else {
        throw Misbehaviour(program: child.name, what: "answered \(buffer[..<have].shown)")
      }
    }
    return Statistics.median(times)
  }
}
