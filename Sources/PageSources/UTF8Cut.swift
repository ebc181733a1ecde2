/// Where text may be cut.
enum UTF8Cut {
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
