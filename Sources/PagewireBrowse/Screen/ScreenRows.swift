/// The rows of a screen, ready for a terminal: items, edge rows, what stands for none, status line.
struct ScreenRows {
  let screen: ListScreen

  private static let reverse = "\u{1B}[7m".utf8
  private static let dim = "\u{1B}[2m".utf8

  /// All rows from the top; each fills at most the screen's width.
  func make() -> [[UInt8]] {
    var rows: [[UInt8]] = []
    let height = screen.viewport.height
    rows.reserveCapacity(height + 1)
    if let emptyNotice = screen.model.emptyNotice {
      rows.append(message(Self.text(emptyNotice)))
    } else {
      for number in screen.viewport.top..<(screen.viewport.top &+ height) { rows.append(row(number)) }
    }
    while rows.count < height { rows.append([]) }
    rows.append(status())
    return rows
  }

  private func row(_ number: Int) -> [UInt8] {
    let model = screen.model
    if let page = model.page(at: number), let text = page.text(at: number) {
      return item(page.bytes.span.extracting(text.range), isCut: text.isCut, at: number)
    }
    if let first = model.first, number == first &- 1, let head = model.head {
      return message(Self.text(head, loading: "Loading earlier items ..."))
    }
    if let last = model.last, number == last &+ 1, let tail = model.tail {
      return message(Self.text(tail, loading: "Loading more ..."))
    }
    return []
  }

  private func item(_ text: Span<UInt8>, isCut: Bool, at position: Int) -> [UInt8] {
    var output: [UInt8] = []
    let column = screen.viewport.firstColumn
    guard position == screen.viewport.selected else {
      let cutter = LineCutter(
        firstColumn: column, width: screen.columns, markOn: "\u{1B}[7m", markOff: "\u{1B}[27m")
      _ = cutter.append(text, isCut: isCut, to: &output)
      return output
    }
    output += Self.reverse
    let cutter = LineCutter(firstColumn: column, width: screen.columns, markOn: "\u{1B}[27m", markOff: "\u{1B}[7m")
    let cells = cutter.append(text, isCut: isCut, to: &output)
    for _ in cells..<max(cells, screen.columns) { output.append(0x20) }
    return output
  }

  private func message(_ text: String) -> [UInt8] {
    var output = Array(Self.dim)
    let cutter = LineCutter(firstColumn: screen.viewport.firstColumn, width: screen.columns)
    _ = cutter.append(Array(text.utf8).span, to: &output)
    return output
  }

  /// Source at the left; position, count and what goes on at the right, which is what stays where there is no room.
  private func status() -> [UInt8] {
    let width = screen.columns
    let right = Array((" " + place() + " " + activity() + " ").utf8)
    var output = Array(Self.reverse)
    guard right.count < width else {
      let cells = LineCutter(width: width).append(right.span, to: &output)
      for _ in cells..<max(cells, width) { output.append(0x20) }
      return output
    }
    var left = screen.title
    if let serverEnd = screen.serverEnd {
      left = "Enter: start again. " + serverEnd
    } else if let notice = screen.notice {
      left = notice
    } else if let failure = screen.model.refreshFailure {
      left = "Refresh failed (r: try again): " + failure
    }
    let cells = LineCutter(width: width - right.count).append(Array((" " + left).utf8).span, to: &output)
    for _ in cells..<max(cells, width - right.count) { output.append(0x20) }
    return output + right
  }

  /// `12/200+`: the selected item, counted from 1 where the list began, and the last one known; `+` where more follow.
  private func place() -> String {
    let more = screen.model.facts.hasMore ? "+" : ""
    guard let last = screen.model.last else { return "0/0" + more }
    let total = screen.model.total.map { " of \($0)" } ?? ""
    return "\(Self.ordinal(screen.viewport.selected))/\(Self.ordinal(last))\(more)\(total)"
  }

  /// Items before the place where the list began have no zero between them and the first.
  private static func ordinal(_ position: Int) -> Int {
    position >= 0 ? position &+ 1 : position
  }

  private func activity() -> String {
    let model = screen.model
    if screen.serverEnd != nil { return "no server" }
    switch model.emptyNotice {
    case .firstLoad: return "first load"
    case .retrying: return "waiting to retry"
    case .failed: return "failed"
    case .paused: return "paused"
    case .empty: return model.loading.isEmpty ? "empty" : "empty, refreshing"
    case .idle: return "idle"
    case nil: break
    }
    if model.loading.contains(.refresh) { return "refreshing" }
    for edge in [model.tail, model.head] {
      switch edge {
      case .loading: return "loading"
      case .retrying: return "waiting to retry"
      case .failed: return "failed"
      case .paused: return "paused"
      case nil: continue
      }
    }
    return "items"
  }

  private static func text(_ emptyNotice: EmptyListNotice) -> String {
    switch emptyNotice {
    case .firstLoad: "Loading the first items ..."
    case .retrying(let message, let milliseconds): retrying(message, milliseconds)
    case .failed(let message): "The first load failed (Enter: try again): " + message
    case .paused: pausedText
    case .empty: "No items."
    case .idle: "Nothing is loaded (Enter: load)."
    }
  }

  private static func text(_ edge: EdgeRow, loading: String) -> String {
    switch edge {
    case .loading: loading
    case .retrying(let message, let milliseconds): retrying(message, milliseconds)
    case .failed(let message): "Loading failed (Enter: try again): " + message
    case .paused: pausedText
    }
  }

  private static let pausedText = "Paused: several pages in a row brought nothing new (Enter: go on)."

  private static func retrying(_ message: String, _ milliseconds: Int) -> String {
    "Loading failed, next try in \(milliseconds) ms (Enter: now): " + message
  }
}
