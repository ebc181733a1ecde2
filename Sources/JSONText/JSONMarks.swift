import CJSONMarks

/// Where the marks of a JSON text stand: the first bytes of its values and names, and its punctuation.
///
/// They are found by the widest registers of the machine, a batch after the other, while a ``MarkedWalk`` goes from one to the
/// next; the memory for a batch is used again for the next text. Marks say nothing yet about the text's grammar.
public struct JSONMarks: Sendable {
  /// Texts shorter than this are faster looked at byte by byte.
  static let worthwhileBytes = 256
  /// How many marks a step of a walk looks at, at most.
  static let reach = 8
  /// How many blocks make a batch; its marks stay in the nearest cache.
  private static let batchBlocks = 32

  /// Whether this machine finds marks faster than they are come across.
  public static let areAvailable = cjsonmarks_available()

  /// Their offsets in the text.
  private(set) var places: [UInt32] = []
  /// How many there are of this batch.
  private(set) var count = 0
  private var search = cjsonmarks()
  private var hasEnded = false

  /// Makes one without memory, which it takes with its first text.
  public init() {}

  /// Whether the text looked at so far has nothing that no JSON text has: broken UTF-8, a bad escape, a control in a string.
  var areSound: Bool { !search.is_broken }

  /// Begins with another text, before which so many bytes stand in its buffer.
  mutating func begin(before: Int) {
    if places.isEmpty {
      places = [UInt32](repeating: 0, count: 2 &* JSONMarks.reach &+ Int(CJSONMARKS_BLOCK) &* JSONMarks.batchBlocks)
    }
    count = 0
    search = cjsonmarks()
    search.before = before
    hasEnded = false
  }

  /// Goes on to the next batch, in front of which the last marks stay that were not passed, fewer than `reach`; false where
  /// there is none.
  ///
  /// The text is from `start` to the end of `bytes`, the same each time. It starts with a bracket and has fewer than 2^32 bytes.
  mutating func findMore(_ bytes: Span<UInt8>, from start: Int, passed: Int) -> Bool {
    let kept = count &- passed
    guard !hasEnded, kept >= 0, kept <= JSONMarks.reach else { return false }
    for index in 0..<kept { places[index] = places[passed &+ index] }
    let found = places.withUnsafeMutableBufferPointer { places in
      bytes.withUnsafeBufferPointer { bytes in
        guard let places = places.baseAddress, let base = bytes.baseAddress else { return 0 }
        return cjsonmarks_find(&search, base + start, bytes.count &- start, JSONMarks.batchBlocks, places + kept)
      }
    }
    count = kept &+ found
    if search.offset >= bytes.count &- start {
      hasEnded = true
      // Behind the last mark stands the first one, an opening bracket, which ends no text: so no step need look for the end.
      for index in count..<count &+ JSONMarks.reach { places[index] = 0 }
      count &+= JSONMarks.reach
    }
    return true
  }
}
