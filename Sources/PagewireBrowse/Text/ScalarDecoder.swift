/// One step through bytes that should be UTF-8.
struct DecodedScalar: Equatable {
  /// The scalar, or nil where the byte at this place does not begin a valid sequence.
  var scalar: UInt32?
  /// Bytes taken; 1 where nothing was valid.
  var length: Int
}

/// Decodes strictly: overlong forms, surrogates and sequences cut short are no characters.
func decodeScalar(_ bytes: Span<UInt8>, at index: Int) -> DecodedScalar {
  let first = UInt32(bytes[index])
  if first < 0x80 { return DecodedScalar(scalar: first, length: 1) }
  let invalid = DecodedScalar(scalar: nil, length: 1)
  let length: Int
  var scalar: UInt32
  let least: UInt32
  switch first {
  case 0xC2...0xDF: (length, scalar, least) = (2, first & 0x1F, 0x80)
  case 0xE0...0xEF: (length, scalar, least) = (3, first & 0x0F, 0x800)
  case 0xF0...0xF4: (length, scalar, least) = (4, first & 0x07, 0x10000)
  default: return invalid
  }
  guard bytes.count - index >= length else { return invalid }
  for place in 1..<length {
    let byte = UInt32(bytes[index &+ place])
    guard byte & 0xC0 == 0x80 else { return invalid }
    scalar = scalar << 6 | byte & 0x3F
  }
  guard scalar >= least, scalar <= 0x10FFFF, !(0xD800...0xDFFF).contains(scalar) else { return invalid }
  return DecodedScalar(scalar: scalar, length: length)
}
