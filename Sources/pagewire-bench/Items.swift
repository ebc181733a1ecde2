/// Items like those of a feed: ten members, text of several scripts, about 380 bytes each.
enum Items {
  private static let words = [
    "scroll", "page", "the", "of", "loading", "list", "with", "naïve", "façade", "übermäßig", "данные", "страница",
    "東京",
    "一覧", "🙂", "cursor", "refresh", "and", "at", "window", "position", "offset", "stable", "session", "quote \\\"x\\\"",
    "tab\\t", "slash \\/", "item",
  ]

  /// The items of one page without the brackets around them; the ids of different pages differ.
  static func page(_ page: Int, count: Int, separator: UInt8 = UInt8(ascii: ",")) -> [UInt8] {
    var random = UInt64(page + 1) &* 0x9e37_79b9_7f4a_7c15
    func draw(_ limit: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(limit))
    }
    func text(_ bytes: Int) -> String {
      var text = ""
      while text.utf8.count < bytes { text += words[draw(draw(7) == 0 ? words.count : 7)] + " " }
      return text
    }
    var bytes: [UInt8] = []
    for number in 0..<count {
      let id = page * count + number
      let item =
        "{\"id\":\"item-\(id)\",\"title\":\"\(text(30))\",\"subtitle\":\"\(text(40))\",\"score\":\(draw(100_000)).\(draw(100))"
        + ",\"read\":\(draw(2) == 0),\"tags\":[\"\(text(6))\",\"\(text(8))\"],\"author\":{\"name\":\"\(text(14))\",\"id\":\(draw(9999))}"
        + ",\"date\":\"2025-11-\(10 + draw(20))T1\(draw(10)):00:00Z\",\"image\":\"https://example.org/i/\(draw(1_000_000)).jpg\","
        + "\"summary\":\"\(text(60))\"}"
      if number > 0 { bytes.append(separator) }
      bytes += Array(item.utf8)
    }
    return bytes
  }
}
