/// Lines like those of a log, about 110 bytes each.
enum Log {
  private static let messages = [
    "request finished",
    "connection reset by peer", "cache miss for key user:", "GET /api/v1/items?page=", "retrying in",
    "größere Seite geladen", "naïve \"quoted\" value\twith a tab", "worker started", "ページを読み込みました",
  ]

  /// About so many bytes of whole lines.
  static func block(bytes: Int) -> [UInt8] {
    var block: [UInt8] = []
    block.reserveCapacity(bytes + 256)
    var random: UInt64 = 42
    var number = 0
    while block.count < bytes {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let draw = Int(random >> 40)
      let seconds = number % 60
      let line =
        "2025-11-30T12:\(10 + number / 60 % 50):\(seconds < 10 ? "0" : "")\(seconds).\(100 + draw % 900)Z INFO worker-\(draw % 16) "
        + "\(messages[draw % messages.count]) id=\(draw) bytes=\(draw &* 31 % 1_000_003) duration=\(draw % 977)ms\n"
      block += Array(line.utf8)
      number += 1
    }
    return block
  }
}
