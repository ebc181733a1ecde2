import PaginationCore

/// What sort of source a scenario has: all that is not the items themselves.
struct SourceShape: Sendable {
  enum Paging: Sendable {
    /// By page number and offset; items may be inserted at its head.
    case offset
    /// By cursors, forward.
    case cursor
    /// By cursors, in both directions.
    case bothWays
  }

  /// How a page says that nothing follows it.
  enum EndWord: Sendable {
    case nextNull
    case hasMoreFalse
    case nothing
  }

  enum Ids: Sendable {
    case found
    case sourceKeys
    case none
    /// Every fifth item has none.
    case mostly
  }

  var seed: UInt64 = 0
  var paging = Paging.offset
  /// Items from key 0 up, in the first family; the others hold as many and a few more.
  var count = 40
  /// The lowest key, where there are pages before the first.
  var lowest = 0
  /// The key at which the list starts.
  var start = 0
  var ids = Ids.found
  /// Whether pages have odd sizes.
  var hasOddSizes = false
  /// The share of empty pages, in per cent.
  var emptyShare = 0
  /// Items that a page repeats of the one before it.
  var overlap = 0
  /// Whether pages repeat items within.
  var repeatsItems = false
  var endWord = EndWord.nothing
  /// The page whose `next` was seen so many steps before.
  var cycleAt: Int?
  var cycleSteps = 1
  /// The page that says that there is more but not where.
  var missingCursorAt: Int?
  var saysTotal = false
  /// Whether it may grow at its end, and what it gains is looked for there.
  var isFollowed = false

  static func drawn(from dice: inout Dice, pageSize: Int) -> SourceShape {
    var shape = SourceShape()
    shape.seed = dice.next()
    shape.paging = dice.pick([.offset, .offset, .cursor, .bothWays])
    shape.count = dice.pick([0, 1, pageSize - 1, pageSize, pageSize + 1, 3 * pageSize, 40, 40, 100, 100, 2_500])
    shape.ids = dice.pick([.found, .found, .found, .found, .found, .sourceKeys, .none, .mostly])
    shape.hasOddSizes = dice.chance(percent: 40)
    shape.emptyShare = dice.pick([0, 0, 0, 10, 40, 90])
    shape.endWord = dice.pick([.nextNull, .hasMoreFalse, .nothing])
    shape.saysTotal = dice.chance(percent: 20)
    if shape.paging != .offset {
      if dice.chance(percent: 25) { shape.overlap = 1 + dice.below(3) }
      shape.repeatsItems = dice.chance(percent: 15)
      if dice.chance(percent: 12) {
        shape.cycleAt = 1 + dice.below(4)
        shape.cycleSteps = 1 + dice.below(3)
      }
      if dice.chance(percent: 6) { shape.missingCursorAt = 1 + dice.below(4) }
      if shape.count > 0 && dice.chance(percent: 50) { shape.start = dice.below(min(shape.count, 60)) }
    }
    if shape.paging == .bothWays { shape.lowest = dice.pick([0, -1, -pageSize, -30]) }
    return shape
  }

  /// Whether what is loaded can be told from the items alone: an unbroken stretch of the source.
  func isDeduped(_ settings: SessionSettings) -> Bool { settings.dedupe && ids == .found }
}
