/// Where a line stands against the window it is cut to.
struct CellWindow {
  /// First visible column, and the one after the last.
  let start: Int
  let end: Int
  /// Column after what has been taken.
  private(set) var column = 0
  /// Something did not fit any more.
  private(set) var isOver = false
  /// Where the output stood, and which column, before the window's last cell was filled: a mark may have to go there.
  private(set) var lastCellOffset: Int
  private(set) var lastCellColumn = 0
  private var marks = 0

  init(start: Int, end: Int, offset: Int) {
    self.start = start
    self.end = end
    lastCellOffset = offset
  }

  /// Takes a character of so many cells; true where its bytes are to be written.
  mutating func take(cells: Int, _ output: inout [UInt8]) -> Bool {
    if cells == 0 {
      marks += 1
      return column > start && marks <= LineCutter.maxMarksOnCharacter
    }
    marks = 0
    if column < end {
      lastCellOffset = output.count
      lastCellColumn = column
    }
    let next = column &+ cells
    if next > end {
      isOver = true
      return false
    }
    let isWhole = column >= start
    // The right half of a wide character at the left side shows as blanks.
    if !isWhole && next > start { for _ in start..<next { output.append(0x20) } }
    column = next
    return isWhole
  }

  mutating func append(_ bytes: [UInt8], _ output: inout [UInt8]) {
    for byte in bytes where !isOver {
      if take(cells: 1, &output) { output.append(byte) }
    }
  }
}
