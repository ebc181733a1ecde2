import JSONText

/// Reads lines of a file straight into a page, and checks many of them together: with commas for their line feeds, and in
/// brackets, they are an array.
///
/// It takes lines that each hold an object from their first byte to their last, and end in a line feed. The first line of any
/// other kind ends its work, and is left to `LineReader`, which knows of everything that a line may be.
struct ObjectLines {
  /// Where the line behind those taken starts.
  private(set) var offset: Int
  /// Whether something that is not blank is known to stand there.
  private(set) var isBeforeLine = false
  /// Whether a line feed is known to follow there.
  private(set) var isBeforeLineFeed = false

  private let input: any ByteInput
  /// No line is taken that starts here or later.
  private let end: Int
  private let limits: FileLimits
  private let idName: JSONMemberName
  private let cancellation: CancellationFlag
  private var marks = JSONMarks()
  private var elements: [JSONElement] = []
  /// Where the lines of a block end that become items if they are what they should be.
  private var lineEnds: [Int] = []

  /// Lines of `input`, which is read at any place and as often as need be, from the one on that starts at `offset`.
  init(
    _ input: any ByteInput, from offset: Int, before end: Int, limits: FileLimits, idName: JSONMemberName,
    cancellation: CancellationFlag
  ) {
    self.input = input
    self.offset = offset
    self.end = end
    self.limits = limits
    self.idName = idName
    self.cancellation = cancellation
  }

  /// Takes lines until the page is full or `end` is reached, or there comes one that is not taken.
  mutating func read(into builder: inout PageBuilder) throws(ReadFault) {
    var goesOn = true
    while goesOn, !builder.isFull, offset < end { goesOn = try readBlock(into: &builder) }
  }

  /// Takes the lines of one block; whether all of them were taken.
  private mutating func readBlock(into builder: inout PageBuilder) throws(ReadFault) -> Bool {
    if cancellation.isCancelled { throw .cancelled }
    let count = blockBytes(builder)
    let start = builder.openRow()
    let (freeItems, freeBytes) = (builder.freeItems, builder.freeBytes)
    try read(count, into: &builder.bytes)
    let isPlain = findLines(in: &builder.bytes, from: start, freeItems: freeItems, freeBytes: freeBytes)
    let taken = check(builder.bytes.span, from: start)
    let isWhole = taken > 0 && taken == lineEnds.count
    let rest = taken > 0 ? lineEnds[taken - 1] + 1 : start
    // Line feeds from there on are still what they were, and no line of blanks starts with anything else.
    isBeforeLine = isWhole && rest < builder.bytes.count && builder.bytes[rest] > UInt8(ascii: " ")
    isBeforeLineFeed = isBeforeLine && builder.bytes.span.lineFeed(from: rest) != nil
    builder.closeRow(from: start, elements.span.extracting(first: taken), firstKey: offset)
    offset += rest - start
    return isWhole && isPlain
  }

  /// How many bytes the rest of the page probably takes, and a little more.
  ///
  /// The first block is small, so that the first page of any file is quick; what was read too much is read again.
  private func blockBytes(_ builder: PageBuilder) -> Int {
    let count = builder.items.count
    guard count > 0 else { return max(limits.firstReadBytes, 1) }
    let wanted = min(builder.freeItems, PageBuilder.usualItems) + 1
    let bytes = min(builder.bytes.count / count * wanted * 17 / 16, PageBuilder.reservedBytes)
    return max(limits.firstReadBytes, 1, bytes)
  }

  private func read(_ count: Int, into bytes: inout [UInt8]) throws(ReadFault) {
    var outcome = Result<InputRead, ReadFault>.failure(.cancelled)
    bytes.append(addingCapacity: count) { output in
      output.withUnsafeMutableBufferPointer { buffer, initializedCount in
        let free = UnsafeMutableRawBufferPointer(
          UnsafeMutableBufferPointer(rebasing: buffer.suffix(from: initializedCount)))
        outcome = Result { () throws(ReadFault) in
          try input.read(into: free, at: offset, isPatient: false, cancellation: cancellation)
        }
        initializedCount += (try? outcome.get().count) ?? 0
      }
    }
    _ = try outcome.get()
  }

  /// Finds the whole lines from `start` on that the page has room for and that look like objects, and makes an array of them;
  /// false where it came upon one of another kind.
  private mutating func findLines(
    in bytes: inout [UInt8], from start: Int, freeItems: Int, freeBytes: Int
  ) -> Bool {
    lineEnds.removeAll(keepingCapacity: true)
    lineEnds.reserveCapacity(min(freeItems, PageBuilder.usualItems))
    var text = bytes.mutableSpan
    var lineStart = start
    var isPlain = true
    while lineEnds.count < freeItems, offset + (lineStart - start) < end,
      let feed = text.span.lineFeed(from: lineStart)
    {
      isPlain =
        feed - lineStart <= limits.recordBytes && feed - start <= freeBytes
        && text[lineStart] == UInt8(ascii: "{") && text[feed - 1] == UInt8(ascii: "}")
      if !isPlain { break }
      lineEnds.append(feed)
      text[feed] = UInt8(ascii: ",")
      lineStart = feed + 1
    }
    if let last = lineEnds.last { text[last] = UInt8(ascii: "]") }
    return isPlain
  }

  /// How many of the lines, from the first on, are an object and nothing else: the array that they are together has them as its
  /// elements.
  private mutating func check(_ bytes: Span<UInt8>, from start: Int) -> Int {
    guard let last = lineEnds.last else { return 0 }
    elements.reserveCapacity(lineEnds.count)
    let end = JSONScanner().scanArrayByMarks(
      bytes, from: start - 1, to: last + 1, id: idName, elements: &elements, marks: &marks)
    guard end != nil else { return 0 }
    var lineStart = start
    for index in 0..<min(lineEnds.count, elements.count) {
      let line = JSONSlice(start: lineStart, end: lineEnds[index])
      guard elements[index].value == line else { return index }
      lineStart = line.end + 1
    }
    return min(lineEnds.count, elements.count)
  }
}
