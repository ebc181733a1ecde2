import Synchronization

/// Where lines lie in a file, and how many there are: counted as far as somebody wanted, and gone on with from there.
///
/// Shared by the threads that read one source's pages. Two that count at the same time do the same work twice, and what
/// the slower one finds is dropped; neither waits for the other.
final class LineIndex: Sendable {
  /// A place in the file, and how many line feeds lie before it; it need not be the start of a line.
  private struct Mark {
    var offset: Int
    var lines: Int
  }

  private struct State {
    /// Tells what was counted in this file from what is still being counted in an earlier one.
    var epoch = 0
    var identity: FileIdentity?
    var tally = LineTally()
    var marks: [Mark] = []
    /// Whether the count has come to the end of the file.
    var isWhole = false
    /// The size that the file had last.
    var size = 0
    /// Where pages ended that were read last, and the numbers of the lines that start there: the pages behind them need no
    /// count.
    var noted: [(offset: Int, line: Int)] = []
  }

  /// Marks are at least so many bytes apart: a mark takes 16, so the index is no larger than 0.1 % of the file.
  static let markBytes = 16 << 10
  /// Marks are so many lines apart, or so many bytes where the lines are long.
  static let markLines = 1024
  static let maximumMarkBytes = 1 << 20
  /// How many ends of pages are noted.
  static let maximumNoted = 16

  private let skipsBlank: Bool
  private let isFollowed: Bool
  private let state = Mutex(State())

  /// An index that knows nothing yet.
  ///
  /// - Parameter isFollowed: whether an unterminated last line is no item.
  init(skipsBlank: Bool, isFollowed: Bool) {
    self.skipsBlank = skipsBlank
    self.isFollowed = isFollowed
  }

  /// How many items the file has, nil while they are not counted.
  var total: Int? {
    state.withLock { state in
      guard state.isWhole else { return nil }
      return state.tally.items + (state.tally.hasRest && !isFollowed ? 1 : 0)
    }
  }

  /// Up to which byte lines are counted, and how many bytes the file had last.
  var reach: (counted: Int, size: Int) { state.withLock { ($0.tally.offset, $0.size) } }

  /// Bytes that the index takes, about.
  var byteCount: Int { state.withLock { $0.marks.count * MemoryLayout<Mark>.stride } }

  /// Whether the count has come to the end of the file, as it was then.
  var isWhole: Bool { state.withLock { $0.isWhole } }

  /// Forgets what was counted in another file than `file`, or in this one when it was another.
  func adopted(_ file: OpenFile) throws(ReadFault) {
    do throws(FileFault) {
      try adopt(file)
    } catch {
      throw .file(error)
    }
  }

  private func adopt(_ file: OpenFile) throws(FileFault) {
    let (known, counted) = state.withLock { ($0.identity, $0.tally.offset) }
    if var known, try known.change(in: file, before: counted) == nil {
      return state.withLock { $0.size = file.size }
    }
    let identity = try FileIdentity(of: file)
    state.withLock { $0 = State(epoch: $0.epoch + 1, identity: identity, size: file.size) }
  }

  /// Counts to the end of the file.
  func count(_ file: OpenFile, limits: FileLimits, cancellation: CancellationFlag) throws(ReadFault) {
    try adopted(file)
    while try !step(file, limits: limits, cancellation: cancellation) {}
  }

  /// Where the line with this number, from 1, starts; nil where the file has no such line.
  func start(
    ofLine number: Int, in file: OpenFile, limits: FileLimits, cancellation: CancellationFlag
  ) throws(ReadFault) -> Int? {
    if number <= 1 { return 0 }
    try adopted(file)
    let feeds = number - 1
    while state.withLock({ $0.tally.lines }) < feeds {
      if try step(file, limits: limits, cancellation: cancellation) { break }
    }
    guard let mark = mark(before: feeds) else { return nil }
    return try place(ofFeed: feeds, from: mark, in: file, cancellation: cancellation)
  }

  /// The number, from 1, of the line that starts at `offset`; nil where the lines before it are not counted.
  ///
  /// Nothing is counted for it but what lies between two marks.
  func number(ofLineAt offset: Int, in file: OpenFile, _ cancellation: CancellationFlag) throws(ReadFault) -> Int? {
    if offset == 0 { return 1 }
    let (noted, start) = state.withLock { state -> (Int?, Mark?) in
      guard state.identity?.isNode(of: file) == true else { return (nil, nil) }
      if let noted = state.noted.last(where: { $0.offset == offset }) { return (noted.line, nil) }
      guard offset <= state.tally.offset else { return (nil, nil) }
      let index = Self.firstIndex(in: state.marks) { $0.offset > offset }
      return (nil, index == 0 ? Mark(offset: 0, lines: 0) : state.marks[index - 1])
    }
    guard var mark = start else { return noted }
    while mark.offset < offset {
      if cancellation.isCancelled { throw .cancelled }
      let bytes = try bytes(of: file, at: mark.offset, count: min(offset - mark.offset, 8 * Self.markBytes))
      if bytes.isEmpty { return nil }
      mark = Mark(offset: mark.offset + bytes.count, lines: mark.lines + LineTally.lineFeeds(in: bytes.span))
    }
    return mark.lines + 1
  }

  /// Remembers the number of the line that starts at `offset`, where a page of `file` ended.
  func note(_ line: Int, at offset: Int, in file: OpenFile) {
    state.withLock { state in
      guard state.identity?.isNode(of: file) == true else { return }
      if state.noted.count == Self.maximumNoted { state.noted.removeFirst() }
      state.noted.append((offset, line))
    }
  }

  // MARK: Counting

  /// Counts on by a block; true at the end of the file.
  private func step(
    _ file: OpenFile, limits: FileLimits, cancellation: CancellationFlag
  ) throws(ReadFault) -> Bool {
    if cancellation.isCancelled { throw .cancelled }
    let (before, epoch, mark) = state.withLock { ($0.tally, $0.epoch, $0.marks.last) }
    var tally = before
    let block = max(limits.readBytes, Self.markBytes)
    let bytes = try bytes(of: file, at: before.offset, count: block)
    var marks: [Mark] = []
    var last = mark ?? Mark(offset: 0, lines: 0)
    var index = 0
    // A byte order mark is no text.
    if before.offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      index = 3
      tally.offset = 3
    }
    while index < bytes.count {
      let end = min(index + Self.markBytes, bytes.count)
      tally.add(bytes.span.extracting(index..<end), skipsBlank: skipsBlank)
      index = end
      let distance = tally.offset - last.offset
      let isDue = tally.lines - last.lines >= Self.markLines || distance >= Self.maximumMarkBytes
      if distance >= Self.markBytes && isDue {
        last = Mark(offset: tally.offset, lines: tally.lines)
        marks.append(last)
      }
    }
    let isWhole = bytes.count < block
    return state.withLock { state in
      // Somebody else has gone on from here already.
      guard state.epoch == epoch, state.tally == before else { return state.isWhole }
      state.tally = tally
      state.marks.append(contentsOf: marks)
      state.isWhole = isWhole
      return isWhole
    }
  }

  // MARK: Finding

  /// The last mark that lies before a line feed, counted from 1; nil where the file has no such line feed.
  private func mark(before feed: Int) -> Mark? {
    state.withLock { state in
      guard feed <= state.tally.lines else { return nil }
      let index = Self.firstIndex(in: state.marks) { $0.lines >= feed }
      return index == 0 ? Mark(offset: 0, lines: 0) : state.marks[index - 1]
    }
  }

  /// The index of the first mark that is beyond a place, as `isBeyond` says of it and all after it.
  private static func firstIndex(in marks: [Mark], _ isBeyond: (Mark) -> Bool) -> Int {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(marks[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func bytes(of file: OpenFile, at offset: Int, count: Int) throws(ReadFault) -> [UInt8] {
    do throws(FileFault) {
      return try file.bytes(at: offset, count: count)
    } catch {
      throw .file(error)
    }
  }

  /// The byte behind a line feed that lies behind `mark`; nil where nothing follows it.
  private func place(
    ofFeed feed: Int, from mark: Mark, in file: OpenFile, cancellation: CancellationFlag
  ) throws(ReadFault) -> Int? {
    var mark = mark
    while true {
      if cancellation.isCancelled { throw .cancelled }
      let bytes = try bytes(of: file, at: mark.offset, count: Self.markBytes)
      if bytes.isEmpty { return nil }
      let found = LineTally.lineFeeds(in: bytes.span)
      if mark.lines + found < feed {
        mark = Mark(offset: mark.offset + bytes.count, lines: mark.lines + found)
        continue
      }
      var left = feed - mark.lines
      for index in bytes.indices where bytes[index] == 0x0A {
        left -= 1
        if left > 0 { continue }
        return mark.offset + index + 1
      }
      return nil
    }
  }
}
