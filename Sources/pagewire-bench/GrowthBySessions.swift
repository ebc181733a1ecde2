import CBenchSupport

/// How a server grows with the number of its sessions.
enum GrowthBySessions {
  private static let places = halfDecades(from: 1, to: 100_000)
  private static let source = "{\"type\":\"synthetic\",\"count\":null}"
  private static let settings = "\"pageSize\":\(page)"
  private static let page = 20
  private static let operations = 300
  /// The first sessions of a server, which run code that has not run before.
  private static let warm = 10
  /// The item that is reported: outside of the zone at the end of a page of twenty.
  private static let item = 5

  static func measure(_ bench: Setting) throws -> GrowthAxis {
    var byPosition = GrowthSeries("itemAppeared by position, outside the zone", .microseconds, .flat)
    var byID = GrowthSeries("itemAppeared by id", .microseconds, .flat)
    var load = GrowthSeries("loadMore of 20 items, to its answer", .microseconds, .flat)
    var open = GrowthSeries("open, to the first pageAppended of 20 items", .microseconds, .flat, showsTail: true)
    var slowest = GrowthSeries("the slowest open on the way to so many", .microseconds, .flat)
    var resident = GrowthSeries("resident", .bytes, .linear)
    var own = GrowthSeries("of it the server's own (anonymous)", .bytes, .linear)

    for _ in 0..<3 {
      var clients: [Client] = []
      for count in places {
        let client = try Client(bench)
        let times = try fill(client, count).dropFirst(warm)
        if let worst = times.max() { slowest.add(worst, at: count) }
        resident.add(client.residentBytes, at: count)
        own.add(client.ownBytes, at: count)
        clients.append(client)
      }
      for round in 0..<bench.rounds(3) {
        for (count, client) in zip(places, clients) {
          Watch.arm()
          Watch.rest()
          var dice = GrowthDice(seed: round * 1_000_003 + count)
          for number in -20..<operations {
            let session = name(dice.draw(count))
            let one = try client.timedAppearance(session, "\"position\":\(item)", at: item)
            let other = try client.timedAppearance(session, "\"id\":\(item)", at: item)
            if number < 0 { continue }
            byPosition.add(one, at: count)
            byID.add(other, at: count)
          }
          for number in -5..<operations / 3 {
            let session = name(dice.draw(count))
            let loaded = try client.timedCall("loadMore", "{\"session\":\"\(session)\"}")
            // Back to twenty items, so that no list is longer than another.
            _ = try client.call("refresh", "{\"session\":\"\(session)\"}")
            let opened = try client.timedOpen("one more", source: source, settings: settings)
            try client.close("one more")
            if number < 0 { continue }
            load.add(loaded, at: count)
            open.add(opened, at: count)
          }
        }
      }
      for client in clients { try client.child.finish() }
    }
    return GrowthAxis(
      name: "sessions", title: "Sessions in one server: 1 to 100,000",
      subtitle:
        "each with 20 items of a synthetic source and a name of 36 bytes; the one that is asked is drawn evenly",
      xTitle: "open sessions", xUnit: .count, latency: [byPosition, byID, load, open, slowest], memory: [resident, own])
  }

  /// Opens so many sessions; the microseconds of each.
  private static func fill(_ client: Client, _ count: Int) throws -> [Double] {
    var times: [Double] = []
    for number in 0..<count {
      // Rests are for between the measurements (see `Watch.rest`).
      if number % 500 == 0 {
        Watch.arm()
        Watch.rest()
      }
      times.append(try client.timedOpen(name(number), source: source, settings: settings))
    }
    return times
  }

  /// A name of 36 bytes, as long as a UUID.
  private static func name(_ number: Int) -> String {
    let digits = String(number)
    return "5e55104a-7b1c-4c0f-fee0-" + String(repeating: "0", count: 12 - digits.count) + digits
  }
}
