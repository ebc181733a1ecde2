import JSONText

/// Turns pages into lines for a pipe: the text of a line as it is, any other item as its JSON text on one line.
struct PrintedItems {
  /// Lines ready to be written.
  var output: [UInt8] = []
  /// Lines that the server gave only the beginning of.
  private(set) var truncatedLines = 0
  private var members: [JSONMember] = []
  private let scanner = JSONScanner()

  /// Appends all items of an array whose text has been checked already.
  ///
  /// Returns their number, or -1 where the text is no array after all.
  mutating func append(_ bytes: Span<UInt8>, array: JSONSlice) -> Int {
    guard array.fits(in: bytes.count), array.count >= 2, bytes[array.start] == UInt8(ascii: "[") else { return -1 }
    output.reserveCapacity(output.count + array.count)
    var index = JSONScanner.skipWhitespace(bytes, array.start &+ 1, array.end)
    if index < array.end, bytes[index] == UInt8(ascii: "]") { return 0 }
    var count = 0
    while index < array.end {
      if let end = appendPlainLine(bytes, from: index, to: array.end) {
        index = end
      } else {
        guard let end = try? scanner.scanValue(bytes, from: index, to: array.end) else { return -1 }
        append(bytes, item: JSONSlice(start: index, end: end))
        index = end
      }
      count &+= 1
      output.append(0x0A)
      index = JSONScanner.skipWhitespace(bytes, index, array.end)
      guard index < array.end, bytes[index] == UInt8(ascii: ",") else { break }
      index = JSONScanner.skipWhitespace(bytes, index &+ 1, array.end)
    }
    return count
  }

  /// Appends one item, without a line end.
  private mutating func append(_ bytes: Span<UInt8>, item: JSONSlice) {
    if let line = ItemText.line(bytes, item, &members) {
      JSONReader.appendDecoded(bytes, content: line, to: &output)
      if ItemText.isTruncated(bytes, members) { truncatedLines += 1 }
      return
    }
    // A string cannot hold a raw line end, so each one there is stands between values and means nothing.
    for index in item.range where bytes[index] != 0x0A && bytes[index] != 0x0D { output.append(bytes[index]) }
  }

  /// Appends an item of the form `{"offset":123,"text":"..."}`, which the lines of a file nearly always have.
  ///
  /// Faster than to look at it as JSON a second time. Returns the offset after it, or nil with nothing appended.
  private mutating func appendPlainLine(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    guard var index = skip(bytes, "{\"offset\":", from: start, to: end) else { return nil }
    let digits = index
    while index < end, bytes[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
    guard index > digits, let content = skip(bytes, ",\"text\":\"", from: index, to: end) else { return nil }
    guard let close = try? JSONScanner.scanString(bytes, from: content, to: end) else { return nil }
    let after = close.offset &+ 1
    guard after < end, bytes[after] == UInt8(ascii: "}") else { return nil }
    let text = JSONSlice(start: content, end: close.offset)
    if close.hasEscape {
      JSONReader.appendDecoded(bytes, content: text, to: &output)
    } else {
      bytes.extracting(text.range).withUnsafeBufferPointer { output.append(contentsOf: $0) }
    }
    return after &+ 1
  }

  @inline(__always)
  private func skip(_ bytes: Span<UInt8>, _ text: StaticString, from start: Int, to end: Int) -> Int? {
    let count = text.utf8CodeUnitCount
    guard end &- start >= count else { return nil }
    let isEqual = text.withUTF8Buffer { expected in
      for place in 0..<count where bytes[start &+ place] != expected[place] { return false }
      return true
    }
    return isEqual ? start &+ count : nil
  }
}
