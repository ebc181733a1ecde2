/// One thing that happens in a schedule.
///
/// What a step does exactly is read from its two numbers when its turn comes, so that any step means something in any
/// state: a schedule can be cut anywhere and still be run.
struct Step: Sendable, Equatable {
  enum Kind: Int, CaseIterable, Sendable {
    case deliver, deliverLate, fireNextTimer, fireStaleTimer, passTime
    case appearNearEnd, appearNearStart, appearAnywhere, fling, appearWrongly
    case range, rangeAtEnd, rangeWrongly
    case loaderAppears, loaderDisappears, scroll, scrollToEnd
    case loadMore, loadPrevious, refresh, cancel, cancelUnknown
    case setScrolledID, insertAtHead, grow, look, restart, endInput
  }

  var kind: Kind
  var first: UInt32
  var second: UInt32

  /// How often each kind comes, in proportion.
  private static let weights: [(Kind, Int)] = [
    (.deliver, 34), (.deliverLate, 2), (.fireNextTimer, 7), (.fireStaleTimer, 1), (.passTime, 4),
    (.appearNearEnd, 9), (.appearNearStart, 6), (.appearAnywhere, 5), (.fling, 3), (.appearWrongly, 2),
    (.range, 5), (.rangeAtEnd, 3), (.rangeWrongly, 1),
    (.loaderAppears, 6), (.loaderDisappears, 4), (.scroll, 5), (.scrollToEnd, 4),
    (.loadMore, 6), (.loadPrevious, 4), (.refresh, 4), (.cancel, 5), (.cancelUnknown, 1),
    (.setScrolledID, 2), (.insertAtHead, 3), (.grow, 2), (.look, 3), (.restart, 1), (.endInput, 0),
  ]
  private static let table: [Kind] = weights.flatMap { kind, weight in repeatElement(kind, count: weight) }

  static func drawn(from dice: inout Dice) -> Step {
    let word = dice.next()
    return Step(
      kind: dice.pick(table), first: UInt32(truncatingIfNeeded: word), second: UInt32(truncatingIfNeeded: word >> 32))
  }

  var text: String { "\(kind) \(first) \(second)" }
}
