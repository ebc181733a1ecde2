/// Writes bytes as the content of a JSON string, in one pass over them.
enum JSONStringText {
  /// Appends `text` with what JSON wants escaped; each ill-formed part of its UTF-8 becomes one U+FFFD.
  ///
  /// Returns whether all of it was valid UTF-8. Valid text comes out as it went in, so U+2028 and other characters that
  /// some take for line ends stay themselves.
  static func append(_ text: Span<UInt8>, to bytes: inout [UInt8]) -> Bool {
    let raw = text.bytes
    var isValid = true
    var runStart = 0
    var index = 0
    while true {
      index = endOfPlain(raw, from: index)
      if index >= text.count { break }
      let byte = text[index]
      if byte >= 0x80 {
        let character = UTF8Step.step(text, at: index)
        if character.isValid {
          index &+= character.length
          continue
        }
        isValid = false
        appendRun(text, runStart..<index, to: &bytes)
        bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
        index &+= character.length
      } else {
        appendRun(text, runStart..<index, to: &bytes)
        appendEscape(of: byte, to: &bytes)
        index &+= 1
      }
      runStart = index
    }
    appendRun(text, runStart..<text.count, to: &bytes)
    return isValid
  }

  /// The first index from `start` on whose byte is not printable ASCII that goes into a string as it is.
  @inline(__always)
  private static func endOfPlain(_ raw: RawSpan, from start: Int) -> Int {
    var index = start
    let count = raw.byteCount
    while index &+ 8 <= count {
      let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let marks = specialMarks(word)
      if marks != 0 { return index &+ marks.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    while index < count {
      let byte = raw.unsafeLoad(fromByteOffset: index, as: UInt8.self)
      if byte >= 0x80 || byte < 0x20 || byte == 0x22 || byte == 0x5C { return index }
      index &+= 1
    }
    return index
  }

  /// Sets the high bit of the bytes that are special: not ASCII, a control character, a quote, a backslash.
  ///
  /// Only the lowest mark counts, because a borrow may set wrong ones above it.
  @inline(__always)
  private static func specialMarks(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ 0x2222_2222_2222_2222
    let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let controls = (word &- 0x2020_2020_2020_2020) & ~word
    let marks = word | controls | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
    return marks & 0x8080_8080_8080_8080
  }

  @inline(__always)
  private static func appendRun(_ text: Span<UInt8>, _ run: Range<Int>, to bytes: inout [UInt8]) {
    if run.isEmpty { return }
    // The pointer does not outlive the closure, and the range was checked against the span.
    text.extracting(run).withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(0x5C)
    switch byte {
    case 0x22, 0x5C: bytes.append(byte)
    case 0x08: bytes.append(0x62)
    case 0x09: bytes.append(0x74)
    case 0x0A: bytes.append(0x6E)
    case 0x0C: bytes.append(0x66)
    case 0x0D: bytes.append(0x72)
    default:
      bytes.append(contentsOf: [0x75, 0x30, 0x30])
      bytes.append(hexDigit(byte &>> 4))
      bytes.append(hexDigit(byte & 0x0F))
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 &+ value : 0x57 &+ value
  }
}
