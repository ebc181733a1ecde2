import CJSONMarks
import JSONText
import TestSupport
import Testing

/// What a search says of a text, from its start to its end.
private struct Found: Equatable {
  var places: [UInt32] = []
  var codes: [UInt8] = []
  var isSound = true

  /// Searches `text` from `start` on, so many blocks at a time.
  init(_ text: [UInt8], from start: Int, blocks: Int, isNarrower: Bool) {
    var search = cjsonmarks()
    search.before = start
    search.is_behind_mark = 1
    let room = Int(CJSONMARKS_BLOCK) * (text.count / Int(CJSONMARKS_BLOCK) + 2)
    places = [UInt32](repeating: 0, count: room)
    codes = [UInt8](repeating: 0, count: room)
    let find = isNarrower ? cjsonmarks_find_narrower : cjsonmarks_find
    var count = 0
    text.withUnsafeBufferPointer { text in
      places.withUnsafeMutableBufferPointer { places in
        codes.withUnsafeMutableBufferPointer { codes in
          guard let base = text.baseAddress, let places = places.baseAddress, let codes = codes.baseAddress else {
            return
          }
          while search.offset < text.count - start {
            count += find(&search, base + start, text.count - start, blocks, places + count, codes + count)
          }
        }
      }
    }
    places.removeSubrange(count...)
    codes.removeSubrange(count...)
    isSound = search.errors == 0
  }
}

/// On a machine with registers of 32 bytes only, both are the same; on one with wider ones this is the one test of the narrower.
@Test(arguments: 0..<600 as Range<UInt64>)
func bothWidthsFindTheSameMarks(seed: UInt64) throws {
  guard JSONMarks.areAvailable else { return }
  let words = [
    "{", "}", "[", "]", ",", ":", "\"a\"", "\"abc\":", "\"k\":\"v\",", "1", "-2.5", "true", " ", "\n", "\"é日🙂\"",
    "\"\\u00e9\"", "\"a long text that fills much of a block, which is 64 bytes\"",
    "\"", "\\", "\\\\", "\\\"", "é", "日", "🙂", "\\u12", "\u{1}", "\u{C}",
  ].map { Array($0.utf8) }
  var random = SeededRandom(seed: seed)
  // Most texts are of words that stand well beside each other, so that many have no error.
  let choices = seed % 3 == 0 ? words + [[0x80], [0xFF], [0xED, 0xA0, 0x80]] : Array(words[..<17])
  var text: [UInt8] = []
  let length = Int.random(in: 0..<700, using: &random)
  while text.count < length { text += choices.randomElement(using: &random)! }
  let start = Int.random(in: 0...min(5, text.count), using: &random)
  let blocks = Int.random(in: 1..<5, using: &random)
  let wide = Found(text, from: start, blocks: blocks, isNarrower: false)
  #expect(wide == Found(text, from: start, blocks: blocks, isNarrower: true))
  #expect(wide == Found(text, from: start, blocks: 100, isNarrower: false))
}
