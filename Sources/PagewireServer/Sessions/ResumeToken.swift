import JSONText
import PaginationCore

/// A place in a list that outlives the process: what `state {resume: true}` gives and `open {resume}` takes.
///
/// Its text is base64url of a checksum and JSON: a version, a digest of the source, the scrolled item's id, the place of its
/// page and the places of as many earlier pages as fit. What comes back is data from outside and checked like it.
struct ResumeToken {
  /// The longest token, in bytes.
  static let maxBytes = 4 << 10
  private static let version = 1

  let source: UInt64
  let scrolledID: [UInt8]?
  let place: PagePlace
  let earlier: [PagePlace]

  /// Where a session starts with this token; nil where it belongs to another source.
  ///
  /// - Parameter source: the digest of the source that the session has.
  func start(for source: UInt64, firstCursor: Cursor?) -> StartPlace? {
    guard source == self.source else { return nil }
    return StartPlace(place: place, earlier: earlier, isResume: true, firstCursor: firstCursor)
  }

  init(source: UInt64, scrolledID: [UInt8]?, place: PagePlace, earlier: [PagePlace]) {
    self.source = source
    self.scrolledID = scrolledID
    self.place = place
    self.earlier = earlier
  }

  /// The same in every process, so not the one with which ids are kept: FNV-1a, enough to tell sources apart.
  private static func digest(_ text: Span<UInt8>, after hash: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
    var hash = hash
    for index in 0..<text.count { hash = (hash ^ UInt64(text[index])) &* 0x100_0000_01b3 }
    return hash
  }

  /// The digest of a source object: of all its members but `from`, for where a list starts does not make it another one.
  static func digest(ofSource value: JSONSlice, in bytes: Span<UInt8>) -> UInt64 {
    guard let object = Params.object(bytes, at: value, pointer: "") else {
      return digest(bytes.extracting(value.range))
    }
    var hash = digest([UInt8]().span)
    for member in object.members where !JSONReader.contentEquals(bytes, member.key, "from") {
      hash = digest(bytes.extracting(member.key.range), after: hash &+ 1)
      hash = digest(bytes.extracting(member.value.range), after: hash &+ 1)
    }
    return hash
  }

  // MARK: Text

  /// The token's text, with as many of the nearest earlier places as fit; nil where not even the place itself does.
  var text: [UInt8]? {
    // Cursors are as long as their sources like, so what cannot fit is left out before it is written.
    if (scrolledID?.count ?? 0) + (place.cursor?.count ?? 0) > Self.maxBytes { return nil }
    var kept = earlier[...]
    var length = 0
    for (index, place) in earlier.enumerated().reversed() {
      length += (place.cursor?.count ?? 0) + Self.leastPlaceBytes
      if length > Self.maxBytes {
        kept = earlier[(index + 1)...]
        break
      }
    }
    while true {
      let json = json(earlier: Array(kept))
      let encoded = Base64URL.encode(Self.bytes(of: Self.digest(json.span)) + json)
      if encoded.count <= Self.maxBytes { return encoded }
      if kept.isEmpty { return nil }
      kept = kept.dropFirst(max(1, kept.count / 4))
    }
  }

  /// What a place takes beside its cursor, at least: `[,0,0,true],`.
  private static let leastPlaceBytes = 12

  /// The most places that a token can hold.
  static let maxPlaces = maxBytes / leastPlaceBytes

  private static func bytes(of checksum: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: checksum >> UInt64(8 * $0)) }
  }

  private func json(earlier: [PagePlace]) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("v", Self.version)
    json.member("s", String(source, radix: 16))
    if let scrolledID {
      json.key("i")
      json.raw(scrolledID)
    }
    json.key("p")
    write(place, to: &json)
    json.key("e")
    json.beginArray()
    for place in earlier { write(place, to: &json) }
    json.endArray()
    json.endObject()
    return json.bytes
  }

  private func write(_ place: PagePlace, to json: inout JSONWriter) {
    json.beginArray()
    if let cursor = place.cursor { json.raw(cursor) } else { json.null() }
    json.int(place.page)
    json.int(place.offset)
    json.bool(place.isBackward)
    json.endArray()
  }

  /// Reads a token; nil where it is none, mangled or of another version.
  init?(_ text: [UInt8]) {
    guard text.count <= Self.maxBytes, let decoded = Base64URL.decode(text), decoded.count > 8 else { return nil }
    let bytes = Array(decoded[8...])
    guard Self.bytes(of: Self.digest(bytes.span)) == Array(decoded[..<8]) else { return nil }
    let scanner = JSONScanner(maxDepth: Self.maxBytes)
    let whole = JSONSlice(start: 0, end: bytes.count)
    var members: [JSONMember] = []
    guard let value = try? scanner.scanDocument(bytes.span, whole), JSONReader.kind(bytes.span, value) == .object,
      (try? scanner.scanObject(bytes.span, from: value.start, to: value.end, members: &members)) != nil
    else { return nil }
    let params = Params(members)
    guard (try? params.integer(bytes.span, "v")) == Self.version,
      let digest = params.value(bytes.span, "s").flatMap({ JSONReader.string(bytes.span, $0) }),
      let source = UInt64(digest, radix: 16), let placeValue = params.value(bytes.span, "p"),
      let place = Self.place(bytes, placeValue, scanner), let earlierValue = params.value(bytes.span, "e"),
      let earlier = Self.places(bytes, earlierValue, scanner)
    else { return nil }
    self.source = source
    self.place = place
    self.earlier = earlier
    scrolledID = params.value(bytes.span, "i").map { JSONReader.raw(bytes.span, $0) }
  }

  private static func places(_ bytes: [UInt8], _ value: JSONSlice, _ scanner: JSONScanner) -> [PagePlace]? {
    var elements: [JSONElement] = []
    guard JSONReader.kind(bytes.span, value) == .array,
      (try? scanner.scanArray(bytes.span, from: value.start, to: value.end, elements: &elements)) != nil
    else { return nil }
    var places: [PagePlace] = []
    for element in elements {
      guard let place = place(bytes, element.value, scanner) else { return nil }
      places.append(place)
    }
    return places
  }

  private static func place(_ bytes: [UInt8], _ value: JSONSlice, _ scanner: JSONScanner) -> PagePlace? {
    var parts: [JSONElement] = []
    guard JSONReader.kind(bytes.span, value) == .array,
      (try? scanner.scanArray(bytes.span, from: value.start, to: value.end, elements: &parts)) != nil,
      parts.count == 4, let page = JSONReader.integer(bytes.span, parts[1].value),
      let offset = JSONReader.integer(bytes.span, parts[2].value),
      let isBackward = JSONReader.bool(bytes.span, parts[3].value),
      (-ServerOptions.maxInteger...ServerOptions.maxInteger).contains(page),
      (0...ServerOptions.maxInteger).contains(offset)
    else { return nil }
    let cursor = JSONReader.isNull(bytes.span, parts[0].value) ? nil : JSONReader.raw(bytes.span, parts[0].value)
    return PagePlace(cursor: cursor, page: page, offset: offset, isBackward: isBackward)
  }
}

/// Base64 with the URL alphabet and without padding (RFC 4648, section 5).
enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 4 / 3 + 4)
    var index = 0
    while index < bytes.count {
      let rest = min(3, bytes.count - index)
      var word = UInt32(bytes[index]) << 16
      if rest > 1 { word |= UInt32(bytes[index + 1]) << 8 }
      if rest > 2 { word |= UInt32(bytes[index + 2]) }
      for digit in 0...rest { text.append(alphabet[Int(word >> UInt32(18 - 6 * digit)) & 63]) }
      index += 3
    }
    return text
  }

  static func decode(_ text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    var word: UInt32 = 0
    var bits = 0
    for character in text {
      guard let digit = value(of: character) else { return nil }
      word = word << 6 | digit
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
    // Bits that are left over must be zero, so that a text has one meaning and a meaning one text.
    return bits < 6 && word & (1 << UInt32(bits) - 1) == 0 ? bytes : nil
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
