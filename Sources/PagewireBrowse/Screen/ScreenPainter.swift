/// Turns a list's rows into what a terminal is sent: only the rows that have changed, in one piece.
struct ScreenPainter {
  /// What the terminal shows, row by row; empty where that is not known.
  private var shown: [[UInt8]] = []

  /// Forgets what the terminal shows: the next frame is drawn whole.
  mutating func invalidate() {
    shown = []
  }

  /// What to send so that the terminal shows the rows.
  mutating func paint(_ rows: [[UInt8]]) -> [UInt8] {
    var output: [UInt8] = []
    let isWhole = shown.count != rows.count
    if isWhole { output += "\u{1B}[0m\u{1B}[2J".utf8 }
    for (index, row) in rows.enumerated() where isWhole || shown[index] != row {
      // Cleared first: after a full row the cursor would stand on its last cell.
      output += "\u{1B}[\(index + 1);1H\u{1B}[K".utf8
      output += row
      output += "\u{1B}[0m".utf8
    }
    shown = rows
    return output
  }
}
