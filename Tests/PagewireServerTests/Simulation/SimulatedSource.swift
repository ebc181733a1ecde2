import TestSupport

/// What a front end has behind a session of type `client`: items in an order, some of them twice.
///
/// A cursor is `["c", index, nonce]` for what begins at an index and `["p", index, nonce]` for what ends before it; no two that
/// are given are the same, so that only a cycle that is meant is one.
struct SimulatedSource {
  /// How pages say where they are.
  enum Style: CaseIterable { case cursors, offsets }

  /// A page as it was answered.
  struct Page: Equatable {
    /// Where in the source its items are.
    let range: Range<Int>
    let ids: [Int]
    /// Whether the next page follows this one in the source.
    var isHonest: Bool
  }

  let style: Style
  let ids: [Int]
  /// Where a list begins that names no cursor.
  let start: Int
  private var nonce = 0
  private var sizes: [String: Int] = [:]

  init(_ random: inout SeededRandom) {
    style = random.chance(oneIn: 3) ? .offsets : .cursors
    var ids = (0..<(random.chance(oneIn: 8) ? 0 : 5 + random.below(40))).map { $0 }
    if !ids.isEmpty {
      for _ in 0..<random.below(12) { ids[random.below(ids.count)] = random.below(ids.count) }
    }
    self.ids = ids
    start = style == .cursors && random.chance(oneIn: 2) ? ids.count / 2 : 0
  }

  /// The answer to a `fetchPage`, as its text, and what it holds.
  ///
  /// - Parameter isPlain: whether it has what was asked for; else more, less or nothing, and maybe a cursor that leads back.
  mutating func answer(_ params: JSON, _ random: inout SeededRandom, isPlain: Bool) -> (text: String, page: Page) {
    let limit = params["limit"].int ?? 1
    // A place has a page of one size, however often it is asked for.
    let place = "\(params["cursor"]) \(params["offset"])"
    let size = sizes[place] ?? (isPlain ? limit : random.below(2 * limit + 1))
    sizes[place] = size
    let range = range(params, limit: size)
    var page = Page(range: range, ids: Array(ids[range]), isHonest: true)
    var members = [#""items":[\#(page.ids.map { #"{"id":\#($0)}"# }.joined(separator: ","))]"#]
    switch style {
    case .offsets: members.append(#""hasMore":\#(range.upperBound < ids.count)"#)
    case .cursors:
      if !isPlain && random.chance(oneIn: 6) {
        page.isHonest = false
        members.append(#""next":["c",0,0]"#)
      } else {
        members.append(#""next":\#(range.upperBound == ids.count ? "null" : cursor("c", range.upperBound))"#)
      }
      if range.lowerBound > 0 { members.append(#""previous":\#(cursor("p", range.lowerBound))"#) }
    }
    if random.chance(oneIn: 4) { members.append(#""total":\#(ids.count)"#) }
    return ("{" + members.joined(separator: ",") + "}", page)
  }

  private mutating func cursor(_ kind: String, _ index: Int) -> String {
    nonce += 1
    return #"["\#(kind)",\#(index),\#(nonce)]"#
  }

  private func range(_ params: JSON, limit: Int) -> Range<Int> {
    let cursor = params["cursor"]
    if cursor[0] == "p", let end = cursor[1].int {
      let end = min(max(0, end), ids.count)
      return max(0, end - limit)..<end
    }
    let wanted = cursor[1].int ?? (style == .offsets ? params["offset"].int ?? 0 : start)
    let first = min(max(0, wanted), ids.count)
    return first..<min(ids.count, first + limit)
  }

  /// A cursor that a refresh may start from, where the source knows any.
  func place(_ random: inout SeededRandom) -> String? {
    style == .cursors ? #"["c",\#(random.below(ids.count + 1)),0]"# : nil
  }
}
