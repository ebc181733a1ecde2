import JSONText

/// A request's id kept beyond its frame: its exact text, so that it goes back byte for byte.
///
/// Ids of up to 40 bytes, which covers numbers and quoted UUIDs, take no memory of their own.
public struct RequestID: Sendable, Hashable {
  // The text's first 40 bytes, eight in each word, first byte lowest; zero in ids that are longer.
  private let word0: UInt64
  private let word1: UInt64
  private let word2: UInt64
  private let word3: UInt64
  private let word4: UInt64
  private let count: Int
  /// The text of an id that is longer; else empty.
  private let long: [UInt8]

  /// The id `null`.
  public static let null = RequestID(Array("null".utf8))

  /// Copies the id whose text `slice` marks in `bytes`.
  public init(_ bytes: Span<UInt8>, _ slice: JSONSlice) {
    precondition(slice.fits(in: bytes.count), "the slice belongs to another buffer")
    count = slice.count
    let isLong = slice.count > 40
    long = isLong ? JSONReader.raw(bytes, slice) : []
    let inline = isLong ? JSONSlice(start: slice.start, end: slice.start) : slice
    word0 = RequestID.word(bytes, inline, 0)
    word1 = RequestID.word(bytes, inline, 1)
    word2 = RequestID.word(bytes, inline, 2)
    word3 = RequestID.word(bytes, inline, 3)
    word4 = RequestID.word(bytes, inline, 4)
  }

  /// Makes an id from its JSON text.
  public init(_ text: [UInt8]) {
    self.init(text.span, JSONSlice(start: 0, end: text.count))
  }

  /// Makes the id of a request of our own: this number.
  public init(number: Int) {
    var digits: [UInt8] = []
    DecimalDigits.append(number, to: &digits)
    self.init(digits)
  }

  /// The id's JSON text.
  public var text: [UInt8] {
    var text: [UInt8] = []
    append(to: &text)
    return text
  }

  /// Appends the id's JSON text.
  public func append(to bytes: inout [UInt8]) {
    guard long.isEmpty else {
      bytes.append(contentsOf: long)
      return
    }
    var rest = count
    for word in [word0, word1, word2, word3, word4] {
      var shifted = word
      var bytesOfWord = min(8, rest)
      rest &-= bytesOfWord
      while bytesOfWord > 0 {
        bytes.append(UInt8(truncatingIfNeeded: shifted))
        shifted &>>= 8
        bytesOfWord &-= 1
      }
    }
  }

  /// The eight bytes of a text from the word's number on, padded with zeros.
  private static func word(_ bytes: Span<UInt8>, _ slice: JSONSlice, _ number: Int) -> UInt64 {
    let start = slice.start &+ 8 &* number
    if start &+ 8 <= slice.end { return bytes.word64(at: start) }
    var word: UInt64 = 0
    var i = start
    while i < slice.end {
      word |= UInt64(bytes[i]) &<< UInt64(8 &* (i &- start))
      i &+= 1
    }
    return word
  }
}
