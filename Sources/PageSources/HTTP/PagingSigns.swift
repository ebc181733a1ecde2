import JSONText

/// Signs in an answer that there are more items than it has.
enum PagingSigns {
  private static let flags = ["has_more", "hasMore", "has_next", "hasNext", "hasNextPage", "more", "truncated"]
  private static let tokens = [
    "next", "next_cursor", "nextCursor", "next_page", "nextPage", "next_page_token", "nextPageToken", "next_token",
    "nextToken", "NextToken", "continue", "continuation", "LastEvaluatedKey", "endCursor", "end_cursor", "cursor",
    "nextLink", "next_url", "scroll_id", "_scroll_id",
  ]
  static let totals = [
    "total", "count", "total_count", "totalCount", "total_items", "totalItems", "total_results", "totalResults",
    "numFound",
    "total_records",
  ]
  static let pages = ["total_pages", "totalPages", "pages", "page_count", "pageCount", "last_page", "lastPage"]
  private static let totalHeaders = ["x-total-count", "x-total"]
  private static let headers = totalHeaders + ["x-next-page", "next-page", "x-next-cursor"]
  /// As many signs as are told.
  private static let maximumSigns = 6

  /// What is found, each as the end of a sentence: `/total is 23`.
  static func find(_ response: HTTPResponse, _ document: JSONSlice?, received: Int) -> [String] {
    var signs: [String] = []
    for name in headers {
      guard let value = response.headers.first(name), !value.isEmpty else { continue }
      let number = Int(String(decoding: value, as: UTF8.self))
      if totalHeaders.contains(name), number ?? 0 <= received { continue }
      signs.append("the header \(name) is \(SourceObject.shown(String(decoding: value, as: UTF8.self)))")
    }
    guard let document else { return signs }
    let bytes = response.body
    for (path, members) in objects(bytes, document) {
      for member in members where signs.count < maximumSigns {
        let name = JSONReader.string(bytes.span, content: member.key)
        guard isSign(bytes, name, member.value, received: received) else { continue }
        let pointer = JSONPointer(tokens: path + [Array(name.utf8)]).text
        signs.append("\(pointer) is \(SourceObject.shown(JSONReader.text(bytes.span, member.value)))")
      }
    }
    return Array(signs.prefix(maximumSigns))
  }

  /// The members of the answer itself, and of the objects that are its members, each with the way to it.
  static func objects(_ bytes: [UInt8], _ document: JSONSlice) -> [(path: [[UInt8]], members: [JSONMember])] {
    var found: [(path: [[UInt8]], members: [JSONMember])] = []
    var members: [JSONMember] = []
    var inner: [(value: JSONSlice, path: [[UInt8]])] = [(document, [])]
    var index = 0
    while index < inner.count {
      let (value, path) = inner[index]
      index += 1
      guard JSONReader.kind(bytes.span, value) == .object else { continue }
      _ = try? JSONScanner().scanObject(bytes.span, from: value.start, to: value.end, members: &members)
      found.append((path, members))
      guard path.isEmpty else { continue }
      for member in members where inner.count < 50 && JSONReader.kind(bytes.span, member.value) == .object {
        inner.append((member.value, [Array(JSONReader.string(bytes.span, content: member.key).utf8)]))
      }
    }
    return found
  }

  private static func isSign(_ bytes: [UInt8], _ name: String, _ value: JSONSlice, received: Int) -> Bool {
    let kind = JSONReader.kind(bytes.span, value)
    let integer = JSONReader.integer(bytes.span, value)
    if flags.contains(name), JSONReader.bool(bytes.span, value) == true { return true }
    if totals.contains(name), let integer { return integer > received }
    if pages.contains(name), let integer { return integer > 1 }
    guard tokens.contains(name) else { return false }
    switch kind {
    case .string: return value.count > 2
    case .number, .object: return true
    default: return false
    }
  }
}
