import JSONText

/// Changes to JSON text that leave the rest of it as it stands.
enum JSONEdit {
  /// The longest pointer that is followed, in names.
  static let maximumDepth = 32

  /// The text with `value` at `pointer`; objects that are missing on the way are made, also in place of null.
  ///
  /// Nil where the way leads through another value, or to an element that an array does not have.
  static func setting(_ text: [UInt8], at pointer: JSONPointer, to value: [UInt8]) -> [UInt8]? {
    guard pointer.tokens.count <= maximumDepth,
      let document = try? JSONScanner().scanDocument(text.span, JSONSlice(start: 0, end: text.count))
    else { return nil }
    var result: [UInt8] = []
    return append(text, document, pointer.tokens[...], value, to: &result) ? result : nil
  }

  private static func append(
    _ text: [UInt8], _ place: JSONSlice, _ tokens: ArraySlice<[UInt8]>, _ value: [UInt8], to result: inout [UInt8]
  ) -> Bool {
    guard let token = tokens.first else {
      result += value
      return true
    }
    let rest = tokens.dropFirst()
    if let inner = JSONPointer(tokens: [token]).resolve(in: text.span, place) {
      result += text[place.start..<inner.start]
      guard append(text, inner, rest, value, to: &result) else { return false }
      result += text[inner.end..<place.end]
      return true
    }
    switch JSONReader.kind(text.span, place) {
    case .object:
      let end = place.end - 1
      let isEmpty = JSONScanner.skipWhitespace(text.span, place.start + 1, place.end) == end
      result += text[place.start..<end]
      if !isEmpty { result.append(UInt8(ascii: ",")) }
      appendMembers(token, rest, value, to: &result)
      result.append(UInt8(ascii: "}"))
      return true
    case .null:
      appendObjects(tokens, value, to: &result)
      return true
    default:
      return false
    }
  }

  private static func appendMembers(
    _ token: [UInt8], _ rest: ArraySlice<[UInt8]>, _ value: [UInt8], to result: inout [UInt8]
  ) {
    result.append(UInt8(ascii: "\""))
    JSONStringEncoder.append(token.span, to: &result)
    result.append(text: "\":")
    appendObjects(rest, value, to: &result)
  }

  private static func appendObjects(_ tokens: ArraySlice<[UInt8]>, _ value: [UInt8], to result: inout [UInt8]) {
    guard let token = tokens.first else {
      result += value
      return
    }
    result.append(UInt8(ascii: "{"))
    appendMembers(token, tokens.dropFirst(), value, to: &result)
    result.append(UInt8(ascii: "}"))
  }
}
