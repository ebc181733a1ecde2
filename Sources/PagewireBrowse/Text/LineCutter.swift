/// Cuts one line of data to a window of terminal cells, made safe for a terminal.
///
/// What is left out at either side is marked by `<` and `>`. Nothing it writes can move the cursor, change colours or
/// do anything but fill cells: control characters and the like appear as visible escapes.
struct LineCutter {
  /// Cells left out at the left.
  let firstColumn: Int
  /// Cells to fill; what does not fit is cut.
  let width: Int
  /// Written before and after a mark, so that it is not taken for data.
  let markOn: StaticString
  let markOff: StaticString

  /// Tabs stop at multiples of so many cells.
  static let tabCells = 8
  /// Combining marks kept on one character; more is no writing, but could be megabytes.
  static let maxMarksOnCharacter = 8

  init(firstColumn: Int = 0, width: Int, markOn: StaticString = "", markOff: StaticString = "") {
    self.firstColumn = firstColumn
    self.width = width
    self.markOn = markOn
    self.markOff = markOff
  }

  /// Appends the visible part of `text` and returns how many cells it fills, at most `width`.
  ///
  /// `isCut` says that the text goes on beyond what is given.
  func append(_ text: Span<UInt8>, isCut: Bool = false, to output: inout [UInt8]) -> Int {
    guard width > 0, text.count > 0 || isCut else { return 0 }
    let hasLeftMark = firstColumn > 0
    if hasLeftMark { appendMark(0x3C, &output) }
    guard width > 1 || !hasLeftMark else { return 1 }
    let start = firstColumn &+ (hasLeftMark ? 1 : 0)
    var window = CellWindow(start: start, end: firstColumn &+ width, offset: output.count)
    var index = 0
    while index < text.count && !window.isOver {
      let decoded = decodeScalar(text, at: index)
      append(decoded, text, at: index, &window, &output)
      index = index &+ decoded.length
    }
    if window.isOver || (isCut && window.column >= window.end) {
      output.removeSubrange(window.lastCellOffset...)
      for _ in max(window.lastCellColumn, start)..<(window.end - 1) { output.append(0x20) }
      appendMark(0x3E, &output)
      return width
    }
    let filled = (hasLeftMark ? 1 : 0) + max(0, window.column - start)
    guard isCut, window.column >= start else { return filled }
    appendMark(0x3E, &output)
    return filled + 1
  }

  private func append(
    _ decoded: DecodedScalar, _ text: Span<UInt8>, at index: Int, _ window: inout CellWindow, _ output: inout [UInt8]
  ) {
    guard let scalar = decoded.scalar else {
      appendEscape("\\x" + hexadecimal(UInt32(text[index]), digits: 2), &window, &output)
      return
    }
    if scalar == 0x09 {
      for _ in 0..<(Self.tabCells - window.column % Self.tabCells) where !window.isOver {
        if window.take(cells: 1, &output) { output.append(0x20) }
      }
    } else if let cells = CharacterWidth.cells(scalar) {
      if window.take(cells: cells, &output) {
        for place in 0..<decoded.length { output.append(text[index &+ place]) }
      }
    } else if scalar < 0x20 || scalar == 0x7F {
      window.append([0x5E, UInt8(truncatingIfNeeded: scalar ^ 0x40)], &output)
    } else {
      appendEscape("<U+" + hexadecimal(scalar, digits: 4) + ">", &window, &output)
    }
  }

  private func appendEscape(_ text: String, _ window: inout CellWindow, _ output: inout [UInt8]) {
    window.append(Array(text.utf8), &output)
  }

  private func appendMark(_ byte: UInt8, _ output: inout [UInt8]) {
    markOn.withUTF8Buffer { output.append(contentsOf: $0) }
    output.append(byte)
    markOff.withUTF8Buffer { output.append(contentsOf: $0) }
  }
}
