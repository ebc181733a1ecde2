/// A list and how somebody looks at it: messages and keys in, rows and wishes out.
///
/// Pure; knows no terminal.
struct ListScreen: Equatable {
  private(set) var model = ListModel()
  private(set) var viewport = Viewport()
  private(set) var columns = 80
  /// What the list shows, as the status line names it.
  let title: String
  /// A line that stays in the status line until the next key.
  private(set) var notice: String?
  /// How the server has ended, while there is none.
  private(set) var serverEnd: String?

  /// What a key asks of those who can do it.
  enum Wish: Equatable {
    case quit, suspend, redraw, refresh, loadMore, loadPrevious, restart
  }

  init(title: String) {
    self.title = title
  }

  /// The list's ends and edge rows; nil while it is empty.
  var extent: Viewport.Extent? {
    guard let first = model.first, let last = model.last else { return nil }
    return Viewport.Extent(first: first, last: last, hasHead: model.head != nil, hasTail: model.tail != nil)
  }

  /// Positions of the items on the screen.
  var visible: ClosedRange<Int>? { viewport.visible(extent) }

  /// The id of the selected item, as JSON text.
  var selectedID: ArraySlice<UInt8>? { model.id(at: viewport.selected) }

  /// Takes the size of the screen in cells.
  ///
  /// The last row is the status line.
  mutating func resize(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    viewport.resize(height: rows - 1, extent)
  }

  /// Takes a message of the server.
  mutating func apply(_ event: ListEvent) {
    let formerID = selectedID
    let rowOnScreen = viewport.selected &- viewport.top
    switch model.apply(event) {
    case .status:
      viewport.settle(extent)
    case .edges(let scrollTo):
      if let scrollTo { viewport.place(scrollTo, rowOnScreen: rowOnScreen, extent) } else { viewport.settle(extent) }
    case .replaced(let scrollTo):
      viewport.unpin()
      let place = scrollTo ?? formerID.flatMap { model.position(ofID: $0) } ?? model.first ?? 0
      viewport.place(place, rowOnScreen: rowOnScreen, extent)
    }
  }

  /// Shows a line of news in the status line.
  mutating func show(notice: String) {
    self.notice = notice
  }

  /// The server is gone, or there is one again.
  mutating func setServerEnd(_ reason: String?) {
    serverEnd = reason
    if reason != nil { model.abandon() }
    viewport.settle(extent)
  }

  /// Takes a key; gives what it asks for beyond moving about.
  mutating func press(_ key: Key) -> Wish? {
    notice = nil
    switch key {
    case .up: viewport.move(by: -1, extent)
    case .down: viewport.move(by: 1, extent)
    case .pageUp: viewport.movePage(by: -1, extent)
    case .pageDown: viewport.movePage(by: 1, extent)
    case .home: viewport.pin(.start, extent)
    case .end: viewport.pin(.end, extent)
    case .left: viewport.scrollSideways(by: -1)
    case .right: viewport.scrollSideways(by: 1)
    case .refresh: return .refresh
    case .retry: return retry()
    case .quit: return .quit
    case .suspend: return .suspend
    case .redraw: return .redraw
    }
    return nil
  }

  /// What "again" means for what is on the screen.
  private func retry() -> Wish? {
    if serverEnd != nil { return .restart }
    switch model.emptyNotice {
    case .failed, .paused, .idle, .retrying: return .loadMore
    case .firstLoad, .empty: return model.refreshFailure == nil ? nil : .refresh
    case nil: break
    }
    guard let extent else { return nil }
    if let tail = model.tail, tail != .loading, viewport.top &+ viewport.height > extent.last &+ 1 { return .loadMore }
    if let head = model.head, head != .loading, viewport.top < extent.first { return .loadPrevious }
    return model.refreshFailure == nil ? nil : .refresh
  }
}
