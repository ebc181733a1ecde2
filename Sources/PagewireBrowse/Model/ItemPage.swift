/// The items of one page as a list shows them: text and id of each, in one buffer.
struct ItemPage: Equatable {
  /// Position of the first item that is still here.
  private(set) var start: Int
  /// All texts and ids, one after the other.
  private(set) var bytes: [UInt8] = []
  private var entries: [Entry] = []
  /// Entries before this one have been dropped.
  private var lower = 0

  private struct Entry: Equatable {
    /// Where the text begins; it ends where the id begins.
    let textStart: Int
    let textEnd: Int
    let idEnd: Int
    let isCut: Bool
  }

  /// Text beyond this many bytes of an item is not kept: a list shows the beginning, and memory stays bounded.
  static let maxTextBytes = 16 * 1024

  /// An empty page whose first item will be at `start`.
  init(start: Int) {
    self.start = start
  }

  /// Number of items.
  var count: Int { entries.count - lower }

  /// Position of the last item; one before `start` where there is none.
  var last: Int { start &+ count &- 1 }

  /// Adds an item: `write` appends its text to the buffer, as much of it as it likes, and says whether that is all.
  mutating func append(id: Span<UInt8>, text write: (inout [UInt8]) -> Bool) {
    let textStart = bytes.count
    var isCut = !write(&bytes)
    if bytes.count - textStart > Self.maxTextBytes {
      bytes.removeSubrange((textStart + Self.maxTextBytes)...)
      isCut = true
    }
    let textEnd = bytes.count
    for index in 0..<id.count { bytes.append(id[index]) }
    entries.append(Entry(textStart: textStart, textEnd: textEnd, idEnd: bytes.count, isCut: isCut))
  }

  /// Where in `bytes` the text of the item at this position is, and whether it goes on.
  func text(at position: Int) -> (range: Range<Int>, isCut: Bool)? {
    guard let entry = entry(at: position) else { return nil }
    return (entry.textStart..<entry.textEnd, entry.isCut)
  }

  /// The id of the item at this position as JSON text; empty where it has none.
  func id(at position: Int) -> ArraySlice<UInt8>? {
    guard let entry = entry(at: position) else { return nil }
    return bytes[entry.textEnd..<entry.idEnd]
  }

  /// The position of the item with this id, compared as text.
  func position(ofID id: ArraySlice<UInt8>) -> Int? {
    guard !id.isEmpty else { return nil }
    for index in lower..<entries.count {
      let entry = entries[index]
      if entry.idEnd - entry.textEnd == id.count && bytes[entry.textEnd..<entry.idEnd] == id {
        return start &+ (index - lower)
      }
    }
    return nil
  }

  /// Drops the items before a position.
  mutating func drop(before position: Int) {
    let dropped = min(max(0, position &- start), count)
    lower += dropped
    start = start &+ dropped
  }

  /// Drops the items from a position on.
  mutating func drop(from position: Int) {
    let kept = min(max(0, position &- start), count)
    entries.removeSubrange((lower + kept)...)
  }

  private func entry(at position: Int) -> Entry? {
    guard position >= start, position <= last else { return nil }
    return entries[lower + (position - start)]
  }
}
