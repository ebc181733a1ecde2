import CBenchSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a page of one item grows with the size of that item.
enum GrowthByItemSize {
  private static let places = halfDecades(from: 10, to: 10_000_000)

  static func measure(_ bench: Setting) throws -> GrowthAxis {
    var fromClient = GrowthSeries("loadMore of one item from client", .microseconds, .linear)
    var fromFile = GrowthSeries("loadMore of one item from a JSON Lines file", .microseconds, .linear)
    var appearance = GrowthSeries("itemAppeared by that item's id", .microseconds, .flat)
    var ofClient = GrowthSeries("peak, client", .bytes, .linear)
    var ofFile = GrowthSeries("peak, file", .bytes, .linear)
    var after = GrowthSeries("resident a second later, client", .bytes, .flat)

    let items = places.map(item)
    let clients = try places.map { _ in try (0..<2).map { _ in try Client(bench) } }
    for (size, item) in zip(places, items) {
      try Files.write(path(bench, size), block: item + [10], size: item.count + 1)
    }
    for round in 0..<bench.rounds(5) {
      for (index, size) in places.enumerated() {
        Watch.arm()
        Watch.rest()
        for time in 0..<max(2, min(40, 3_000_000 / size)) {
          let client = clients[index][0]
          try open(client, "{\"type\":\"client\"}")
          let given = try client.timedPage("s", items: items[index])
          let asked = try client.timedAppearance("s", "\"id\":7", at: 0)
          try client.close("s")
          let other = clients[index][1]
          try open(other, "{\"type\":\"file\",\"path\":\"\(path(bench, size))\",\"format\":\"jsonl\"}")
          let read = try other.timedCall("loadMore", "{\"session\":\"s\"}")
          try other.expect(count: 1, in: "s")
          try other.close("s")
          // The first grows buffers that the others find.
          if round == 0 && time == 0 { continue }
          fromClient.add(given, at: size)
          fromFile.add(read, at: size)
          appearance.add(asked, at: size)
        }
      }
    }
    // What large messages took is given back a second after the last of them.
    Watch.arm()
    usleep(1_500_000)
    for (index, size) in places.enumerated() {
      ofClient.add(Double(clients[index][0].child.memory("VmHWM")) * 1024, at: size)
      ofFile.add(Double(clients[index][1].child.memory("VmHWM")) * 1024, at: size)
      after.add(clients[index][0].residentBytes, at: size)
      for client in clients[index] { try client.child.finish() }
    }
    return GrowthAxis(
      name: "item-size", title: "Size of an item: 10 B to 10 MB",
      subtitle:
        "a page of one item, from loadMore to its answer, which follows the page; one server for each source and size",
      xTitle: "bytes of the item", xUnit: .bytes, latency: [fromClient, fromFile, appearance],
      memory: [ofClient, ofFile, after])
  }

  private static func open(_ client: Client, _ source: String) throws {
    // Nothing after the first item is in the zone of an item that is the last.
    _ = try client.call(
      "open",
      "{\"session\":\"s\",\"source\":\(source),\"pageSize\":1,\"autoload\":false,\"trigger\":\"loader\"}")
  }

  /// An object of exactly so many bytes: an id, and a text of words.
  private static func item(bytes: Int) -> [UInt8] {
    let head = "{\"id\":7"
    guard bytes > head.utf8.count + 10 else {
      return Array((head + String(repeating: " ", count: bytes - head.utf8.count - 1) + "}").utf8)
    }
    var text = Array((head + ",\"t\":\"").utf8)
    let words = Array("some words as they stand in a text, ".utf8)
    while text.count < bytes - 2 { text += words.prefix(bytes - 2 - text.count) }
    return text + Array("\"}".utf8)
  }

  private static func path(_ bench: Setting, _ size: Int) -> String { "\(bench.folder)/item-\(size).jsonl" }
}
