/// A strict scanner for JSON text (RFC 8259) that says where values stand and never decodes them.
///
/// It accepts exactly the grammar: valid UTF-8 inside strings, no control characters, no leading zeros, no trailing commas,
/// no byte order mark. Lone surrogate escapes (`"\uD800"`) are legal by the grammar and pass. It keeps no state between
/// calls, allocates nothing for text nested up to 64 levels, and uses the same stack at any depth.
///
/// Offsets are offsets into `bytes`. A range that lies outside of `bytes` is a mistake of the caller and traps.
public struct JSONScanner: Sendable {
  /// How many arrays and objects may be open at once, unless told otherwise.
  public static let defaultMaxDepth = 1000

  /// How many arrays and objects may be open at once.
  public let maxDepth: Int
  /// How many members or elements of one object or array are recorded at most; validation alone has no such bound.
  public let maxRecorded: Int

  /// Makes a scanner that refuses text nested deeper than `maxDepth`, and objects and arrays to be recorded that hold more
  /// than `maxRecorded` members or elements.
  public init(maxDepth: Int = JSONScanner.defaultMaxDepth, maxRecorded: Int = .max) {
    self.maxDepth = max(0, maxDepth)
    self.maxRecorded = max(0, maxRecorded)
  }

  /// Checks that `slice` holds exactly one value with nothing but white space around it, and returns the value.
  public func scanDocument(_ bytes: Span<UInt8>, _ slice: JSONSlice) throws(JSONSyntaxError) -> JSONSlice {
    let start = JSONScanner.skipWhitespace(bytes, slice.start, slice.end)
    if start &+ 3 <= slice.end, bytes[start] == 0xEF, bytes[start &+ 1] == 0xBB, bytes[start &+ 2] == 0xBF {
      throw JSONSyntaxError(.byteOrderMark, at: start)
    }
    let end = try scanValue(bytes, from: start, to: slice.end)
    let rest = JSONScanner.skipWhitespace(bytes, end, slice.end)
    if rest < slice.end { throw JSONSyntaxError(.trailingText, at: rest) }
    return JSONSlice(start: start, end: end)
  }

  /// Checks the object that starts at `start`, records its top-level members, and returns the offset after it.
  ///
  /// `members` is emptied first; after an error its content means nothing. `depth` counts the arrays and objects that are
  /// open around this one. Throws `expectedValue` where no object starts.
  public func scanObject(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, depth: Int = 0, members: inout [JSONMember]
  ) throws(JSONSyntaxError) -> Int {
    members.empty()
    var next = try openObject(bytes, at: start, to: end, depth: depth)
    if next.isEnd { return next.offset }
    while true {
      let key = try JSONScanner.scanKey(bytes, at: next.offset, to: end)
      let valueEnd = try scanValue(bytes, from: key.valueStart, to: end, depth: depth &+ 1)
      guard members.count < maxRecorded else { throw JSONSyntaxError(.tooMany, at: key.slice.start &- 1) }
      members.append(JSONMember(bytes, key: key, valueEnd: valueEnd))
      next = try JSONScanner.afterMember(bytes, at: valueEnd, to: end)
      if next.isEnd { return next.offset }
    }
  }

  /// Checks the array that starts at `start`, records its elements with their ids, and returns the offset after it.
  ///
  /// `elements` is emptied first; after an error its content means nothing. `depth` counts the arrays and objects that are
  /// open around this one. Throws `expectedValue` where no array starts.
  public func scanArray(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, depth: Int = 0, elements: inout [JSONElement]
  ) throws(JSONSyntaxError) -> Int {
    elements.empty()
    guard start < end else { throw JSONSyntaxError(.unexpectedEnd, at: end) }
    guard bytes[start] == UInt8(ascii: "[") else { throw JSONSyntaxError(.expectedValue, at: start) }
    guard depth < maxDepth else { throw JSONSyntaxError(.tooDeep, at: start) }
    var i = JSONScanner.skipWhitespace(bytes, start &+ 1, end)
    if i < end, bytes[i] == UInt8(ascii: "]") { return i &+ 1 }
    while true {
      var id = JSONSlice.none
      let valueEnd =
        if i < end, bytes[i] == UInt8(ascii: "{") {
          try scanElementObject(bytes, from: i, to: end, depth: depth &+ 1, id: &id)
        } else {
          try scanValue(bytes, from: i, to: end, depth: depth &+ 1)
        }
      guard elements.count < maxRecorded else { throw JSONSyntaxError(.tooMany, at: i) }
      elements.append(JSONElement(value: JSONSlice(start: i, end: valueEnd), id: id))
      i = JSONScanner.skipWhitespace(bytes, valueEnd, end)
      guard i < end else { throw JSONSyntaxError(.unexpectedEnd, at: end) }
      switch bytes[i] {
      case UInt8(ascii: ","): i = JSONScanner.skipWhitespace(bytes, i &+ 1, end)
      case UInt8(ascii: "]"): return i &+ 1
      default: throw JSONSyntaxError(.expectedCommaOrEnd, at: i)
      }
    }
  }

  /// Scans one object of an array and notes the value of its last member named `id`.
  private func scanElementObject(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, depth: Int, id: inout JSONSlice
  ) throws(JSONSyntaxError) -> Int {
    var next = try openObject(bytes, at: start, to: end, depth: depth)
    if next.isEnd { return next.offset }
    while true {
      let key = try JSONScanner.scanKey(bytes, at: next.offset, to: end)
      let valueEnd = try scanValue(bytes, from: key.valueStart, to: end, depth: depth &+ 1)
      if key.word(in: bytes) == JSONKeyWord.make("id") { id = JSONSlice(start: key.valueStart, end: valueEnd) }
      next = try JSONScanner.afterMember(bytes, at: valueEnd, to: end)
      if next.isEnd { return next.offset }
    }
  }
}
