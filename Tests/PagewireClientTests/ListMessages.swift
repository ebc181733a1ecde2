import JSONText
import Testing

@testable import PagewireBrowse

/// Reads a notification from JSON text, as the browser would.
func listEvent(_ method: String, _ params: String) throws -> ListEvent? {
  let bytes = Array(params.utf8)
  var members: [JSONMember] = []
  _ = try JSONScanner().scanObject(bytes.span, from: 0, to: bytes.count, members: &members)
  var decoder = ListEventDecoder()
  return try decoder.decode(method: method, bytes.span, members)
}

/// Facts as every message carries them.
func facts(
  _ count: Int, hasMore: Bool = true, hasPrevious: Bool = false, paused: Bool = false, phase: String = "items"
) -> String {
  """
  "count":\(count),"hasMore":\(hasMore),"hasPrevious":\(hasPrevious),"paused":\(paused),"phase":"\(phase)"
  """
}

/// A page of lines "line N" with their positions as ids.
func page(
  _ positions: Range<Int>, hasMore: Bool = true, replaces: Bool = false, generation: Int = 1, more: String = "",
  count: Int? = nil
) -> String {
  let items = positions.map { "{\"offset\":\($0 + 1000),\"text\":\"line \($0)\"}" }.joined(separator: ",")
  let ids = positions.map { "\($0 + 1000)" }.joined(separator: ",")
  return """
    {"session":"s","generation":\(generation),"page":0,"start":\(positions.lowerBound),"items":[\(items)],"ids":[\(ids)],
    "duplicates":0,"replaces":\(replaces),\(facts(count ?? positions.count, hasMore: hasMore))\(more)}
    """
}

/// A screen that is fed with messages.
struct FedScreen {
  var screen = ListScreen(title: "file.txt")

  init(columns: Int = 40, rows: Int = 6) throws {
    screen.resize(columns: columns, rows: rows)
  }

  mutating func feed(_ method: String, _ params: String) throws {
    screen.apply(try #require(try listEvent(method, params)))
  }

  mutating func loading(_ kind: String, _ isLoading: Bool, facts text: String = facts(0, phase: "items")) throws {
    try feed(
      "loading", "{\"session\":\"s\",\"generation\":1,\"kind\":\"\(kind)\",\"isLoading\":\(isLoading),\(text)}")
  }

  mutating func failed(_ kind: String, _ message: String, retryInMs: Int? = nil) throws {
    let retry = retryInMs.map { "\"willRetry\":true,\"retryInMs\":\($0)" } ?? "\"willRetry\":false"
    try feed(
      "loadFailed",
      """
      {"session":"s","generation":1,"kind":"\(kind)","attempt":1,\(retry),
      "error":{"code":1004,"message":"\(message)","data":{"name":"loadFailed"}}}
      """)
  }

  /// The rows as text, without colours and trailing blanks.
  var rows: [String] {
    ScreenRows(screen: screen).make().map { row in
      var text = String(decoding: row, as: UTF8.self)
      for code in ["7", "27", "2", "0"] { text = text.split(separator: "\u{1B}[\(code)m").joined() }
      while text.hasSuffix(" ") { text.removeLast() }
      return text
    }
  }
}
