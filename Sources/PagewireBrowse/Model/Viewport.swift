/// Which rows of a list are on the screen, and which one is selected.
///
/// Rows are numbered like positions: the row before the first item and the one after the last have the numbers next to
/// theirs. So what comes or goes at an edge leaves everything on the screen where it is.
struct Viewport: Equatable {
  /// Number of the top row.
  private(set) var top = 0
  /// Position of the selected item.
  private(set) var selected = 0
  /// Rows for items.
  private(set) var height = 1
  /// Cells that are scrolled out at the left.
  private(set) var firstColumn = 0
  /// An end that the selection sticks to as more comes in there.
  private(set) var pinned: Pin?

  /// An end of the list to stay at.
  enum Pin: Equatable { case start, end }

  /// Where a list begins and ends, and whether it has rows beside its items there.
  struct Extent: Equatable {
    var first: Int
    var last: Int
    var hasHead: Bool
    var hasTail: Bool

    var firstRow: Int { hasHead ? first &- 1 : first }
    var lastRow: Int { hasTail ? last &+ 1 : last }
  }

  /// Cells that a step sideways moves.
  private static let sidewaysStep = 8
  /// No kept text is wider: a byte fills at most eight cells.
  private static let maxColumn = ItemPage.maxTextBytes * 8

  /// Positions of the items on the screen; nil where there are none.
  func visible(_ extent: Extent?) -> ClosedRange<Int>? {
    guard let extent else { return nil }
    let low = max(top, extent.first)
    let high = min(top &+ height &- 1, extent.last)
    return low <= high ? low...high : nil
  }

  /// Takes a new height of the screen.
  mutating func resize(height: Int, _ extent: Extent?) {
    self.height = max(1, height)
    settle(extent)
  }

  /// Moves the selection by so many items.
  mutating func move(by count: Int, _ extent: Extent?) {
    pinned = nil
    selected = selected &+ count
    settle(extent)
  }

  /// Moves selection and screen by nearly a screenful.
  mutating func movePage(by pages: Int, _ extent: Extent?) {
    pinned = nil
    let step = max(1, height - 1) * pages
    selected = selected &+ step
    top = top &+ step
    settle(extent)
  }

  /// Goes to an end of the list, and goes on there until another key is pressed.
  mutating func pin(_ pin: Pin, _ extent: Extent?) {
    pinned = pin
    settle(extent)
  }

  /// Lets an end go that the selection was to stick to.
  mutating func unpin() {
    pinned = nil
  }

  /// Scrolls sideways by steps.
  mutating func scrollSideways(by steps: Int) {
    firstColumn = min(max(0, firstColumn + steps * Self.sidewaysStep), Self.maxColumn)
  }

  /// Selects an item and puts its row so many rows below the top, as far as the list allows.
  mutating func place(_ position: Int, rowOnScreen: Int, _ extent: Extent?) {
    selected = position
    top = position &- min(max(0, rowOnScreen), height - 1)
    settle(extent)
  }

  /// Brings selection and top into the list again after either has changed.
  mutating func settle(_ extent: Extent?) {
    guard let extent else {
      top = 0
      selected = 0
      return
    }
    switch pinned {
    case .start: selected = extent.first
    case .end: selected = extent.last
    case nil: selected = min(max(selected, extent.first), extent.last)
    }
    // The row beside the first or last item belongs to it: whoever gets there should see what goes on there.
    let lowest = selected == extent.first ? extent.firstRow : selected
    let highest = selected == extent.last ? extent.lastRow : selected
    top = max(top, highest &- height &+ 1)
    top = min(top, lowest)
    top = max(min(top, extent.lastRow &- height &+ 1), extent.firstRow)
  }
}
