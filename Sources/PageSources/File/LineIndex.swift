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
  }

  /// Marks are at least so many bytes apart: a mark takes 16, so the index is no larger than 0.1 % of the file.
  static let markBytes = 16 << 10
  /// Marks are so many lines apart, or so many bytes where the lines are long.
  static let markLines = 1024
  static let maximumMarkBytes = 1 << 20

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

  /// Bytes that the index takes, about.
  var byteCount: Int { state.withLock { $0.marks.count * MemoryLayout<Mark>.stride } }

  /// Whether the count has come to the end of the file, as it was then.
  var isWhole: Bool { state.withLock { $0.isWhole } }

  /// Forgets what was counted in another file than `file`, or in this one when it was another.
  func adopt(_ file: OpenFile) throws(FileFault) {
    let (known, counted) = state.withLock { ($0.identity, $0.tally.offset) }
    if var known, try known.change(in: file, before: counted) == nil { return }
    let identity = try FileIdentity(of: file)
    state.withLock { $0 = State(epoch: $0.epoch + 1, identity: identity) }
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

  // MARK: Counting

  private func adopted(_ file: OpenFile) throws(ReadFault) {
    do throws(FileFault) {
      try adopt(file)
    } catch {
      throw .file(error)
    }
  }

  /// Counts on by a block; true at the end of the file.
  private func step(
    _ file: OpenFile, limits: FileLimits, cancellation: CancellationFlag
  ) throws(ReadFault) -> Bool {
    if cancellation.isCancelled { throw .cancelled }
    let (before, epoch, mark) = state.withLock { ($0.tally, $0.epoch, $0.marks.last) }
    var tally = before
    let block = max(limits.readBytes, Self.markBytes)
    let bytes: [UInt8]
    do throws(FileFault) {
      bytes = try file.bytes(at: before.offset, count: block)
    } catch {
      throw .file(error)
    }
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
      var low = 0
      var high = state.marks.count
      while low < high {
        let middle = (low + high) / 2
        if state.marks[middle].lines < feed { low = middle + 1 } else { high = middle }
      }
      return low == 0 ? Mark(offset: 0, lines: 0) : state.marks[low - 1]
    }
  }

  /// The byte behind a line feed that lies behind `mark`; nil where nothing follows it.
  private func place(
    ofFeed feed: Int, from mark: Mark, in file: OpenFile, cancellation: CancellationFlag
  ) throws(ReadFault) -> Int? {
    var mark = mark
    while true {
      if cancellation.isCancelled { throw .cancelled }
      let bytes: [UInt8]
      do throws(FileFault) {
        bytes = try file.bytes(at: mark.offset, count: Self.markBytes)
      } catch {
        throw .file(error)
      }
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
