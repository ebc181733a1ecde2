import CBenchSupport

/// How a page of a file grows with the size of that file.
enum GrowthByFileSize {
  private static let places = halfDecades(from: 10_000, to: 100_000_000_000)
  private static let lines = 50
  private static let operations = 20

  static func measure(_ bench: Setting) throws -> GrowthAxis {
    var series = [
      GrowthSeries("open, to the first page", .microseconds, .flat, showsTail: true),
      GrowthSeries("open, to the last page", .microseconds, .flat),
      GrowthSeries("open, to the page in the middle", .microseconds, .flat),
      GrowthSeries("the page after the first", .microseconds, .flat),
    ]
    var resident = GrowthSeries("resident", .bytes, .flat)
    var own = GrowthSeries("of it the server's own (anonymous)", .bytes, .flat)
    let block = Log.block(bytes: 1 << 20)
    for size in places { try write(path(bench, size), size, block) }
    let clients = try places.map { _ in try Client(bench) }
    for round in -1..<bench.rounds(9) {
      for (size, client) in zip(places, clients) {
        Watch.arm()
        Watch.rest()
        for _ in 0..<operations {
          for (number, from) in ["\"start\"", "\"end\"", "{\"fraction\":0.5}"].enumerated() {
            let source = "{\"type\":\"file\",\"path\":\"\(path(bench, size))\",\"format\":\"lines\",\"from\":\(from)}"
            let taken = try client.timedOpen("s", source: source, settings: "\"pageSize\":\(lines)")
            try client.expect(count: lines, in: "s")
            if round >= 0 { series[number].add(taken, at: size) }
            if number == 0 {
              let next = try client.timedCall("loadMore", "{\"session\":\"s\"}")
              if round >= 0 { series[3].add(next, at: size) }
            }
            try client.close("s")
          }
        }
        resident.add(client.residentBytes, at: size)
        own.add(client.ownBytes, at: size)
      }
    }
    for client in clients { try client.child.finish() }
    return GrowthAxis(
      name: "file-size", title: "Size of a file: 10 KB to 100 GB",
      subtitle:
        "lines of 110 bytes, 50 a page; in files above 24 MB there are 8 MB of lines at the start, middle and end, and holes between",
      xTitle: "bytes of the file", xUnit: .bytes, latency: series, memory: [resident, own])
  }

  /// Whole lines, or three pieces of them and holes.
  private static func write(_ path: String, _ size: Int, _ block: [UInt8]) throws {
    let piece = 8 * block.count
    guard size > 3 * piece else {
      var whole: [UInt8] = []
      while whole.count < size { whole += block.prefix(size - whole.count) }
      whole[whole.count - 1] = UInt8(ascii: "\n")
      return try Files.write(path, block: whole, size: size)
    }
    try Files.write(path, block: block, size: piece, length: size)
    for start in [size / 2 - piece / 2, size - piece] {
      for offset in stride(from: start, to: start + piece, by: block.count) {
        try Files.overwrite(path, at: offset, block)
      }
    }
  }

  private static func path(_ bench: Setting, _ size: Int) -> String { "\(bench.folder)/\(size).log" }
}
