import CJSONMarks

/// The marks of a JSON text: its punctuation outside of strings, where it stands, and whether a string ends before it.
///
/// They are found by the widest registers of the machine, a batch after the other, while a ``MarkedWalk`` goes from one to the
/// next; the memory for a batch is used again for the next text. Marks say nothing yet about the text's grammar.
public struct JSONMarks: Sendable {
  /// Texts shorter than this are faster looked at byte by byte.
  static let worthwhileBytes = 256
  /// How many marks a step of a walk looks at, at most.
  static let reach = 8
  /// How many blocks make a batch; its marks stay in the nearest cache.
  private static let batchBlocks = 96

  /// Whether this machine finds marks faster than they are come across.
  public static let areAvailable = cjsonmarks_available()

  /// The bit in a code that says that a string ends before the mark.
  static var behindString: UInt8 { UInt8(truncatingIfNeeded: CJSONMARKS_STRING) }

  /// Their offsets in the text.
  private(set) var places: [UInt32] = []
  /// The marks themselves, with ``behindString`` where they stand behind a string; 0 behind the last one.
  private(set) var codes: [UInt8] = []
  /// How many there are of this batch.
  private(set) var count = 0
  private var search = cjsonmarks()
  private var hasEnded = false

  /// Makes one without memory, which it takes with its first text.
  public init() {}

  /// Whether the text looked at so far has nothing that no JSON text has: broken UTF-8, a bad escape, a control in a string, two
  /// values without a mark between them.
  var areSound: Bool { search.errors == 0 }

  /// Begins with another text of so many bytes, before which `before` bytes stand in its buffer.
  mutating func begin(bytes: Int, before: Int) {
    let block = Int(CJSONMARKS_BLOCK)
    let room = 2 &* JSONMarks.reach &+ min((bytes &+ block &- 1) / block, JSONMarks.batchBlocks) &* block
    if places.count < room {
      places = [UInt32](repeating: 0, count: room)
      codes = [UInt8](repeating: 0, count: room)
    }
    count = 0
    search = cjsonmarks()
    search.before = before
    search.is_behind_mark = 1
    hasEnded = false
  }

  /// Goes on to the next batch, in front of which the last marks stay that were not passed, fewer than `reach`; false where
  /// there is none.
  ///
  /// The text is from `start` to the end of `bytes`, the same each time. It starts with a bracket and has fewer than 2^32 bytes.
  mutating func findMore(_ bytes: Span<UInt8>, from start: Int, passed: Int) -> Bool {
    let kept = count &- passed
    guard !hasEnded, kept >= 0, kept <= JSONMarks.reach else { return false }
    for index in 0..<kept {
      places[index] = places[passed &+ index]
      codes[index] = codes[passed &+ index]
    }
    let found = places.withUnsafeMutableBufferPointer { places in
      codes.withUnsafeMutableBufferPointer { codes in
        bytes.withUnsafeBufferPointer { bytes in
          guard let places = places.baseAddress, let codes = codes.baseAddress, let base = bytes.baseAddress else {
            return 0
          }
          return cjsonmarks_find(
            &search, base + start, bytes.count &- start, JSONMarks.batchBlocks, places + kept, codes + kept)
        }
      }
    }
    count = kept &+ found
    if search.offset >= bytes.count &- start {
      hasEnded = true
      // Behind the last mark stand some that are none: so no step need look for the end.
      for index in count..<count &+ JSONMarks.reach {
        places[index] = 0
        codes[index] = 0
      }
      count &+= JSONMarks.reach
    }
    return true
  }
}
