// Resume tokens: as they come from outside, and with the checksum put right, so that what is behind it is reached too.
import FuzzSupport
import Glibc
import JSONText

@testable import PagewireServer

/// The checksum of tokens, FNV-1a, computed once more.
func checksum(_ text: [UInt8]) -> [UInt8] {
  let hash = text.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  return (0..<8).map { UInt8(truncatingIfNeeded: hash >> UInt64(8 * $0)) }
}

func checkToken(_ text: [UInt8]) {
  guard let token = ResumeToken(text) else { return }
  guard let written = token.text else { Fuzzing.fail("a token that was short enough to be read can be written") }
  Fuzzing.check(written.count <= ResumeToken.maxBytes, "a token keeps to its limit")
  guard let again = ResumeToken(written) else { Fuzzing.fail("a token that was written can be read") }
  Fuzzing.check(again.source == token.source, "it is of the same source")
  Fuzzing.check(again.scrolledID == token.scrolledID, "and of the same item")
  Fuzzing.check(again.place == token.place, "it means the same page")
  Fuzzing.check(token.earlier.suffix(again.earlier.count).elementsEqual(again.earlier), "the nearest places are kept")
  if let id = token.scrolledID { JSONPromises.checkValue(id, "an id") }
  for place in [token.place] + token.earlier {
    if let cursor = place.cursor { JSONPromises.checkValue(cursor, "a cursor") }
  }
  Fuzzing.check(token.start(for: token.source &+ 1, firstCursor: nil) == nil, "another source has no use for it")
}

func checkInput(_ input: [UInt8]) {
  if let decoded = Base64URL.decode(input) {
    Fuzzing.check(Base64URL.encode(decoded) == input, "bytes have one text")
  }
  let encoded = Base64URL.encode(input)
  Fuzzing.check(Base64URL.decode(encoded) == input, "bytes come back from their text")
  checkToken(input)
  checkToken(Base64URL.encode(checksum(input) + input))
}

exit(
  Fuzzing.run { start, count in
    checkInput(Fuzzing.bytes(start, count))
    return 0
  })
