import JSONText

/// The ids in an incoming message that stand for requests of ours, so that they can be played again under other numbers.
struct RecordedIDs {
  /// Where the id of a response to a request of ours is; empty for everything else.
  var response = JSONSlice.none
  /// That request's number.
  var number = 0

  static let none = RecordedIDs()
}

/// Messages in the form in which a transcript holds them.
enum RecordedMessage {
  /// The text to send again, nil where it must be sent as raw bytes: it is no JSON, has line feeds, or would be misread.
  static func sent(_ body: Span<UInt8>, _ ids: RecordedIDs) -> [UInt8]? {
    let whole = JSONSlice(start: 0, end: body.count)
    guard let value = try? JSONScanner(maxDepth: 1_000).scanDocument(body, whole), !hasLineFeed(body, value),
      !contains(body, value, "\"$ref\"")
    else { return nil }
    var text: [UInt8] = []
    if ids.response.isEmpty {
      append(body, value, to: &text)
    } else {
      append(body, JSONSlice(start: value.start, end: ids.response.start), to: &text)
      text.append(contentsOf: Array("{\"$ref\":\"request\(ids.number)\"}".utf8))
      append(body, JSONSlice(start: ids.response.end, end: value.end), to: &text)
    }
    return text
  }

  /// A frame as the JSON string of a `sendRaw` step, in which each character stands for a byte.
  static func rawFrame(_ body: Span<UInt8>) -> [UInt8] {
    var text = Array("\"Content-Length: \(body.count)\\r\\n\\r\\n".utf8)
    let digits = Array("0123456789abcdef".utf8)
    for index in 0..<body.count {
      let byte = body[index]
      if byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
        text.append(byte)
      } else {
        text.append(contentsOf: Array("\\u00".utf8))
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
      }
    }
    text.append(UInt8(ascii: "\""))
    return text
  }

  // MARK: Patterns

  /// Members whose value is another one each time.
  private static let varying: [(StaticString, StaticString)] = [
    ("retryInMs", "\"$type\":\"integer\""), ("pendingRetryInMs", "\"$any\":true"), ("version", "\"$any\":true"),
    ("resume", "\"$any\":true"),
  ]
  /// Members whose value is another one when a load is done sooner or later.
  private static let timed: [StaticString] = ["decision", "previous", "position", "outcome"]

  /// A message that was sent, as the pattern that the same message fits when it is sent again.
  static func pattern(_ body: Span<UInt8>, isBusy: Bool) -> [UInt8] {
    var text: [UInt8] = []
    write(body, JSONSlice(start: 0, end: body.count), depth: 0, isBusy: isBusy, to: &text)
    return text
  }

  private static func write(
    _ body: Span<UInt8>, _ value: JSONSlice, depth: Int, isBusy: Bool, to text: inout [UInt8]
  ) {
    var members: [JSONMember] = []
    guard depth < 3, JSONReader.kind(body, value) == .object,
      (try? JSONScanner(maxDepth: Int.max).scanObject(body, from: value.start, to: value.end, members: &members)) != nil
    else { return writeExactly(body, value, to: &text) }
    if members.contains(where: { !$0.key.isEmpty && body[$0.key.start] == UInt8(ascii: "$") }) {
      return writeExactly(body, value, to: &text)
    }
    let isRequest =
      depth == 0 && JSONReader.value(body, of: members, named: "method") != nil
    text.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      append(body, JSONSlice(start: member.key.start - 1, end: member.key.end + 1), to: &text)
      text.append(UInt8(ascii: ":"))
      if isRequest && JSONReader.contentEquals(body, member.key, "id") {
        text.append(contentsOf: Array("{\"$capture\":\"request\(JSONReader.text(body, member.value))\"}".utf8))
      } else if let wildcard = wildcard(body, member, depth: depth, isBusy: isBusy) {
        text.append(UInt8(ascii: "{"))
        wildcard.withUTF8Buffer { text.append(contentsOf: $0) }
        // What really came is what a front end gets when the recording is played to it.
        if !contains(body, member.value, "\"$"), !hasLineFeed(body, member.value) {
          text.append(contentsOf: Array(",\"$example\":".utf8))
          append(body, member.value, to: &text)
        }
        text.append(UInt8(ascii: "}"))
      } else {
        write(body, member.value, depth: depth + 1, isBusy: isBusy, to: &text)
      }
    }
    text.append(UInt8(ascii: "}"))
  }

  private static func wildcard(
    _ body: Span<UInt8>, _ member: JSONMember, depth: Int, isBusy: Bool
  ) -> StaticString? {
    guard depth > 0 else { return nil }
    for (name, wildcard) in varying where JSONReader.contentEquals(body, member.key, name) { return wildcard }
    guard isBusy else { return nil }
    for name in timed where JSONReader.contentEquals(body, member.key, name) { return "\"$any\":true" }
    return nil
  }

  /// A value as it stands, or, where it would be taken for a wildcard or break the line, as exact text.
  private static func writeExactly(_ body: Span<UInt8>, _ value: JSONSlice, to text: inout [UInt8]) {
    guard contains(body, value, "\"$") || hasLineFeed(body, value) else { return append(body, value, to: &text) }
    var json = JSONWriter()
    json.beginObject()
    json.key("$raw")
    json.string(utf8: body.extracting(value.range))
    json.endObject()
    text.append(contentsOf: json.bytes)
  }

  // MARK: Secrets

  /// A part of a message that is not recorded, and what stands in its place.
  private typealias Secret = (slice: JSONSlice, other: StaticString)

  /// The body without the values of `headers` and `env` that a source object spells out, and without the user in a URL.
  ///
  /// A body that is no JSON is left as it is.
  static func withoutSecrets(_ text: Span<UInt8>) -> [UInt8] {
    let scanner = JSONScanner(maxDepth: Int.max)
    var hidden: [Secret] = []
    if let value = try? scanner.scanDocument(text, JSONSlice(start: 0, end: text.count)) {
      var messages: [JSONElement] = []
      if JSONReader.kind(text, value) == .array {
        _ = try? scanner.scanArray(text, from: value.start, to: value.end, elements: &messages)
      } else {
        messages = [JSONElement(value: value, id: .none)]
      }
      for message in messages { collectSecrets(text, message.value, depth: 0, isSecret: false, into: &hidden) }
    }
    var result: [UInt8] = []
    var offset = 0
    for (value, other) in hidden {
      append(text, JSONSlice(start: offset, end: value.start), to: &result)
      other.withUTF8Buffer { result.append(contentsOf: $0) }
      offset = value.end
    }
    append(text, JSONSlice(start: offset, end: text.count), to: &result)
    return result
  }

  /// Notes the strings in the objects named `headers` and `env` down to the depth at which a source object has them.
  private static func collectSecrets(
    _ text: Span<UInt8>, _ value: JSONSlice, depth: Int, isSecret: Bool, into hidden: inout [Secret]
  ) {
    var members: [JSONMember] = []
    guard depth < 4, JSONReader.kind(text, value) == .object,
      (try? JSONScanner(maxDepth: Int.max).scanObject(text, from: value.start, to: value.end, members: &members)) != nil
    else { return }
    for member in members {
      if isSecret {
        if JSONReader.kind(text, member.value) == .string { hidden.append((member.value, "\"left out\"")) }
        continue
      }
      if JSONReader.contentEquals(text, member.key, "url"), let user = user(text, member.value) {
        hidden.append((user, "left-out"))
      }
      let isNext =
        JSONReader.contentEquals(text, member.key, "headers") || JSONReader.contentEquals(text, member.key, "env")
      collectSecrets(text, member.value, depth: depth + 1, isSecret: isNext, into: &hidden)
    }
  }

  /// The name and password in the text of a URL, which is refused with them.
  private static func user(_ text: Span<UInt8>, _ value: JSONSlice) -> JSONSlice? {
    guard let content = JSONReader.stringContent(text, value) else { return nil }
    var slashes = 0
    var start = content.start
    for offset in content.start..<content.end {
      switch text[offset] {
      case UInt8(ascii: "/"):
        // What is behind the second one ends at the third.
        slashes += 1
        if slashes > 2 { return nil }
        start = offset &+ 1
      // A slash may be written with a reverse one before it.
      case UInt8(ascii: "\\"): continue
      case UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
      case UInt8(ascii: "@"): return slashes == 2 ? JSONSlice(start: start, end: offset) : nil
      default: continue
      }
    }
    return nil
  }

  // MARK: Bytes

  private static func append(_ bytes: Span<UInt8>, _ slice: JSONSlice, to text: inout [UInt8]) {
    bytes.extracting(slice.range).withUnsafeBufferPointer { text.append(contentsOf: $0) }
  }

  private static func hasLineFeed(_ bytes: Span<UInt8>, _ slice: JSONSlice) -> Bool {
    var offset = slice.start
    while offset < slice.end {
      if bytes[offset] == 0x0A || bytes[offset] == 0x0D { return true }
      offset &+= 1
    }
    return false
  }

  private static func contains(_ bytes: Span<UInt8>, _ slice: JSONSlice, _ text: StaticString) -> Bool {
    text.withUTF8Buffer { wanted in
      var offset = slice.start
      while offset &+ wanted.count <= slice.end {
        var matched = 0
        while matched < wanted.count, bytes[offset &+ matched] == wanted[matched] { matched &+= 1 }
        if matched == wanted.count { return true }
        offset &+= 1
      }
      return false
    }
  }
}
