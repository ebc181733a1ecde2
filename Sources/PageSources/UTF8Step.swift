/// One step through bytes that should be UTF-8.
struct UTF8Step: Equatable {
  /// How many bytes to go on: those of the character, or of the ill-formed part that one U+FFFD stands for.
  var length: Int
  /// Whether the bytes are a character.
  var isValid: Bool

  /// The step at `index`, which must lie in `text`.
  ///
  /// An ill-formed part is as long as it could be the start of a character, and at least one byte, as Unicode advises
  /// and `String(decoding:)` does.
  static func step(_ text: Span<UInt8>, at index: Int) -> UTF8Step {
    let lead = text[index]
    if lead < 0x80 { return UTF8Step(length: 1, isValid: true) }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      second = 0xA0...0xBF
    case 0xED:
      length = 3
      second = 0x80...0x9F
    case 0xE1...0xEF: length = 3
    case 0xF0:
      length = 4
      second = 0x90...0xBF
    case 0xF1...0xF3: length = 4
    case 0xF4:
      length = 4
      second = 0x80...0x8F
    default: return UTF8Step(length: 1, isValid: false)
    }
    guard index &+ 1 < text.count, second.contains(text[index &+ 1]) else { return UTF8Step(length: 1, isValid: false) }
    var good = 2
    while good < length {
      guard index &+ good < text.count, text[index &+ good] & 0xC0 == 0x80 else {
        return UTF8Step(length: good, isValid: false)
      }
      good &+= 1
    }
    return UTF8Step(length: length, isValid: true)
  }

  /// The length of the longest start of `text` that does not end inside a character.
  static func wholeCharacters(in text: Span<UInt8>) -> Int {
    let end = text.count
    var start = end
    // A character has at most three bytes after its first.
    while start > 0, end &- start < 4 {
      start &-= 1
      let byte = text[start]
      if byte & 0xC0 == 0x80 { continue }
      let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return start &+ needed > end ? start : end
    }
    return end
  }
}
