import JSONText

/// What people are shown of an item: the text of a line, else the item's JSON.
enum ItemText {
  /// The content of `text` where the item is a line of a text file.
  ///
  /// A line is an object with an integer `offset` and a string `text`, and beside them nothing but numbers and truth
  /// values, so that an object that only happens to have these two members is shown whole.
  static func lineContent(_ bytes: Span<UInt8>, _ members: [JSONMember]) -> JSONSlice? {
    var text: JSONSlice?
    var hasOffset = false
    for member in members {
      switch JSONReader.kind(bytes, member.value) {
      case .string:
        guard text == nil, JSONReader.contentEquals(bytes, member.key, "text") else { return nil }
        text = JSONReader.stringContent(bytes, member.value)
      case .number:
        if JSONReader.contentEquals(bytes, member.key, "offset") {
          hasOffset = JSONReader.integer(bytes, member.value) != nil
        }
      case .bool: break
      case .null, .array, .object, nil: return nil
      }
    }
    return hasOffset ? text : nil
  }

  /// Appends the text of the item in `value`, at least the first `limit` bytes of it; true where that is all.
  ///
  /// `members` is working space.
  static func append(
    _ bytes: Span<UInt8>, _ value: JSONSlice, limit: Int, members: inout [JSONMember], to output: inout [UInt8]
  ) -> Bool {
    if let line = line(bytes, value, &members) {
      return appendDecoded(bytes, content: line, limit: limit, to: &output) && !isTruncated(bytes, members)
    }
    return appendCompact(bytes, value, limit: limit, to: &output)
  }

  /// Appends JSON text without the white space that means nothing, up to a limit; true where that is all.
  static func appendCompact(_ bytes: Span<UInt8>, _ value: JSONSlice, limit: Int, to output: inout [UInt8]) -> Bool {
    let end = output.count + limit
    var isInString = false
    var isEscaped = false
    var index = value.start
    while index < value.end {
      let byte = bytes[index]
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte <= 0x20 {
        index &+= 1
        continue
      }
      if output.count >= end { return false }
      output.append(byte)
      index &+= 1
    }
    return true
  }

  /// The content of the text of a line; nil for any other item.
  static func line(_ bytes: Span<UInt8>, _ value: JSONSlice, _ members: inout [JSONMember]) -> JSONSlice? {
    guard JSONReader.kind(bytes, value) == .object else { return nil }
    let scanner = JSONScanner()
    guard (try? scanner.scanObject(bytes, from: value.start, to: value.end, members: &members)) != nil else {
      return nil
    }
    return lineContent(bytes, members)
  }

  /// Whether the server says that a line goes on beyond its text.
  static func isTruncated(_ bytes: Span<UInt8>, _ members: [JSONMember]) -> Bool {
    JSONReader.value(bytes, of: members, named: "truncated").flatMap { JSONReader.bool(bytes, $0) } ?? false
  }

  private static func appendDecoded(
    _ bytes: Span<UInt8>, content: JSONSlice, limit: Int, to output: inout [UInt8]
  ) -> Bool {
    // An escape takes at most six bytes, so this much of the content is enough; cutting must not split one.
    var end = content.end
    if content.count > 6 * limit {
      end = content.start
      while end < content.start &+ 6 * limit { end &+= bytes[end] == UInt8(ascii: "\\") ? escapeLength(bytes, end) : 1 }
      end = min(end, content.end)
    }
    JSONReader.appendDecoded(bytes, content: JSONSlice(start: content.start, end: end), to: &output)
    return end == content.end
  }

  private static func escapeLength(_ bytes: Span<UInt8>, _ index: Int) -> Int {
    index &+ 1 < bytes.count && bytes[index &+ 1] == UInt8(ascii: "u") ? 6 : 2
  }
}
