import JSONText

/// Makes pages whose items are the elements of the array that a JSON file holds, as they stand; the file is never held
/// whole.
///
/// A file that holds any other value has that one item.
struct JSONArrayPager: ~Copyable {
  private var window: FileWindow
  private let name: InputName
  private let limits: FileLimits
  private var builder: PageBuilder
  private var scanner: JSONItemScanner
  /// Where the element behind the page starts, or the file ends.
  private(set) var end = 0

  /// A pager for one page of at most `limit` elements from where `window` stands: at byte 0 or at an element.
  init(_ window: consuming FileWindow, name: InputName, limits: FileLimits, limit: Int, idPath: JSONPointer) {
    self.window = window
    self.name = name
    self.limits = limits
    builder = PageBuilder(limit: limit, idPath: idPath, maximumBytes: limits.pageBytes)
    scanner = JSONItemScanner(idPath: idPath)
  }

  /// The page; no element of it starts at `end` or later.
  mutating func page(before end: Int = .max) throws(ReadFault) -> SourcePage {
    if window.offset == 0 {
      switch try begin() {
      case .array: break
      case .emptyArray: return try last()
      case .otherValue:
        _ = try appendElement(depth: 0)
        return try last()
      }
    }
    while true {
      let start = window.offset
      if builder.isFull || start >= end { return more(at: start) }
      if try !appendElement(depth: 1) { return more(at: start) }
      switch try window.nextByte() {
      case UInt8(ascii: ","):
        window.pass(to: window.position + 1)
        _ = try window.nextByte()
      case UInt8(ascii: "]"):
        window.pass(to: window.position + 1)
        return try last()
      case let other:
        let reason = other == nil ? JSONSyntaxError.Reason.unexpectedEnd : .expectedCommaOrEnd
        throw .source(notJSON(JSONSyntaxError(reason, at: window.position)))
      }
    }
  }

  private enum Shape {
    case array, emptyArray, otherValue
  }

  /// Enters the file: passes its byte order mark, white space, and the opening bracket.
  private mutating func begin() throws(ReadFault) -> Shape {
    while window.unread < 3 && !window.hasReadAll { try window.fill() }
    if window.unread >= 3, window.buffer[..<3] == [0xEF, 0xBB, 0xBF] { window.pass(to: 3) }
    guard try window.nextByte() == UInt8(ascii: "[") else { return .otherValue }
    window.pass(to: window.position + 1)
    guard try window.nextByte() == UInt8(ascii: "]") else { return .array }
    window.pass(to: window.position + 1)
    return .emptyArray
  }

  /// The last page, once nothing but white space follows to the end of the file.
  private mutating func last() throws(ReadFault) -> SourcePage {
    if try window.nextByte() != nil { throw .source(notJSON(JSONSyntaxError(.trailingText, at: window.position))) }
    end = window.offset
    return builder.page(hasMore: false)
  }

  private mutating func more(at offset: Int) -> SourcePage {
    end = offset
    return builder.page(next: FilePlace.page(at: offset).field, hasMore: true)
  }

  /// Appends the value at the window's position and passes it; returns false where it does not fit any more.
  private mutating func appendElement(depth: Int) throws(ReadFault) -> Bool {
    _ = try window.nextByte()
    let item = try scan(depth: depth)
    let buffer = window.buffer
    let fits = item.append(from: buffer.span, to: &builder, key: window.offset)
    if fits { window.pass(to: item.value.end) }
    return fits
  }

  /// Scans the value at the window's position, reading on until it is whole.
  private mutating func scan(depth: Int) throws(ReadFault) -> ScannedItem {
    while true {
      do throws(JSONSyntaxError) {
        let buffer = window.buffer
        let item = try scanner.scan(buffer.span, from: window.position, to: window.filled, depth: depth)
        // A number goes on where more digits follow.
        if item.value.end < window.filled || window.hasReadAll { return item }
      } catch {
        // A word or a character that is cut by the end of the block is an error near that end.
        let mayBeCut = error.reason == .unexpectedEnd || error.offset + 8 > window.filled
        if window.hasReadAll || !mayBeCut { throw .source(notJSON(error)) }
      }
      if window.unread > limits.recordBytes { throw .source(tooLong()) }
      try window.fill()
    }
  }

  // MARK: Errors

  private func notJSON(_ error: JSONSyntaxError) -> SourceError {
    let place = window.offset + error.offset - window.position
    let hint =
      error.reason == .trailingText ? "If each line holds a value of its own, open it with the format \"jsonl\". " : ""
    return SourceError(
      .badPage,
      "\(name.shown) is no JSON: at byte \(place) \(error.reason). \(hint)\(name.remedy)",
      details: name.details + [
        .integer("errorOffset", place), .string("reason", error.reason.description),
      ])
  }

  private func tooLong() -> SourceError {
    SourceError(
      .limitExceeded,
      "The value at byte \(window.offset) of \(name.shown) has more than \(limits.recordBytes) bytes, as many as"
        + " an item may have. Open the \(name.noun) with the format \"lines\" to see its start.",
      details: name.details + [
        .integer("offset", window.offset), .integer("limit", limits.recordBytes),
      ])
  }
}
