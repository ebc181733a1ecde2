import CBenchSupport

/// How a session grows with the number of its items.
enum GrowthByItems {
  private static let places = halfDecades(from: 1_000, to: 10_000_000)
  private static let page = 100
  private static let operations = 300
  /// Loads whose time is taken: the last on the way to so many items.
  private static let loads = 200

  static func measure(_ bench: Setting) throws -> GrowthAxis {
    var byPosition = GrowthSeries("itemAppeared by position, outside the zone", .microseconds, .flat)
    var byID = GrowthSeries("itemAppeared by id", .microseconds, .flat)
    var load = GrowthSeries("loadMore of 100 items, to its answer", .microseconds, .flat, showsTail: true)
    var slowest = GrowthSeries("the slowest loadMore on the way to so many", .microseconds, .flat)
    var resident = GrowthSeries("resident", .bytes, .linear)
    var own = GrowthSeries("of it the server's own (anonymous)", .bytes, .linear)

    for round in 0..<bench.rounds(3) {
      // Forth and back, so that a machine that gets slower does not look like growth.
      for count in round % 2 == 0 ? places : places.reversed() {
        let client = try Client(bench)
        for _ in 0..<max(1, 30_000 / count) {
          let times = try fill(client, count)
          load.add(Array(times.suffix(min(loads, times.count / 2))), at: count)
          slowest.add(times.max() ?? 0, at: count)
        }
        try client.expect(count: count, in: "list")
        resident.add(client.residentBytes, at: count)
        own.add(client.ownBytes, at: count)
        Watch.rest()
        var dice = GrowthDice(seed: round * 1_000_003 + count)
        for number in -20..<operations {
          let item = dice.draw(count - page)
          let one = try client.timedAppearance("list", "\"position\":\(item)", at: item)
          let other = try client.timedAppearance("list", "\"id\":\(item)", at: item)
          if number < 0 { continue }
          byPosition.add(one, at: count)
          byID.add(other, at: count)
        }
        try client.child.finish()
      }
    }
    return GrowthAxis(
      name: "items", title: "Items in one session: 1,000 to 10,000,000",
      subtitle:
        "a synthetic source, ids are integers, duplicates are looked for, 100 items a page; the item that is asked for is drawn evenly",
      xTitle: "items loaded", xUnit: .count, latency: [byPosition, byID, load, slowest], memory: [resident, own])
  }

  /// Opens the session anew and loads so many items; the microseconds of each page.
  private static func fill(_ client: Client, _ count: Int) throws -> [Double] {
    var times: [Double] = []
    Watch.arm()
    Watch.rest()
    try client.openLoaded(
      "list", source: "{\"type\":\"synthetic\",\"count\":null}",
      settings: "\"pageSize\":\(page),\"ifExists\":\"replace\"")
    for number in 1..<count / page {
      if number % 500 == 0 {
        Watch.arm()
        Watch.rest()
      }
      times.append(try client.timedCall("loadMore", "{\"session\":\"list\"}"))
    }
    return times
  }
}
