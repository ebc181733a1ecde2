import JSONText

/// Cuts a stream of bytes into the bodies of frames: `Content-Length: N`, an empty line, N bytes.
///
/// It owns its input buffer and no descriptor: bytes come in through ``read(atLeast:_:)`` or ``append(_:)`` in any chunks
/// and ``next()`` says what they hold. It reads a superset of what it is meant to get (names in any case, any blanks, `\n`
/// for `\r\n`, other headers, blank lines between messages), grows its buffer only by what has arrived, never by what was
/// declared, and gives the memory of a huge frame back.
///
/// After a header block that cannot be used, and one report of it, everything is skipped up to the next line that is, or
/// ends in, a valid `Content-Length`; nothing of that is kept, so a body over the limit costs no memory either. Only for a
/// body in a wrong charset the length is known and trusted: it is skipped by count.
public struct FrameDecoder: Sendable {
  /// What the decoder is in the middle of.
  private enum State: Sendable {
    /// Header lines; left at the empty line that ends them.
    case header
    /// A body of so many bytes, which begins at `position`; left when all of it is there.
    case body(Int)
    /// So many more bytes of a body that nobody can read; left when they are gone.
    case skipping(Int)
    /// Whatever follows a malformed header block; left at a line that ends in a valid `Content-Length`.
    case resynchronising
  }

  /// The limits in force.
  public let limits: FrameLimits
  /// The input buffer that the slices of frames point into; bytes outside of such a slice mean nothing.
  public private(set) var buffer: [UInt8]

  private var state = State.header
  /// Offset of the first byte not yet dealt with.
  private var position = 0
  /// Offset after the last byte that has arrived.
  private var filled = 0
  /// Up to where the line that starts at `position` is known to hold no line feed.
  private var searched = 0
  /// The block that is being read; empty between messages.
  private var block = HeaderBlock()

  /// How large the buffer is while nothing needs a larger one.
  private var usualBufferBytes = FrameDecoder.firstBufferBytes

  /// How large the buffer is at first, which is enough for what a client begins with: clearing more takes a start 20 us.
  private static let firstBufferBytes = 4 << 10
  /// How large it is once it was full.
  private static let regularBufferBytes = 64 << 10
  /// How large it is where much comes at once.
  private static let streamBufferBytes = 256 << 10
  /// A buffer larger than this is given back once a frame no longer needs it.
  private static let retainedBufferBytes = 1 << 20

  /// Makes a decoder with an empty buffer.
  public init(limits: FrameLimits = FrameLimits()) {
    self.limits = limits
    buffer = [UInt8](repeating: 0, count: FrameDecoder.firstBufferBytes)
  }

  /// How many bytes have arrived and are not yet dealt with.
  public var bufferedBytes: Int { filled &- position }

  /// What comes next in the input; to be called again until it needs more.
  public mutating func next() -> FrameEvent {
    while true {
      switch state {
      case .header:
        if block.isEmpty, let event = plainFrame() { return event }
        if let event = headerLine() { return event }
      case .body(let length):
        guard filled &- position >= length else { return .needsInput(missing: length &- (filled &- position)) }
        state = .header
        return .frame(take(length))
      case .skipping(let length):
        let skipped = min(length, filled &- position)
        _ = take(skipped)
        if skipped < length {
          state = .skipping(length &- skipped)
          return .needsInput(missing: length &- skipped)
        }
        state = .header
      case .resynchronising:
        guard resynchronise() else { return .needsInput(missing: 1) }
      }
    }
  }

  /// What it means that no more bytes will come, once ``next()`` needs input.
  public func endOfInput() -> EndOfInput {
    switch state {
    case .header:
      let rest = HeaderLine.trimmed(buffer.span, JSONSlice(start: position, end: filled))
      return block.isEmpty && rest.isEmpty ? .clean : .truncated
    case .body, .skipping: return .truncated
    case .resynchronising: return .clean
    }
  }

  // MARK: Input

  /// Lets `fill` write new bytes straight into the buffer and returns what it returned: their number, or whatever it has
  /// to say by zero or a negative number.
  ///
  /// `fill` gets at least one byte of room; `minimum` is what ``FrameEvent/needsInput(missing:)`` asked for and only a hint:
  /// the buffer grows no further than to twice its size (the first one to the usual 64 KiB), and only when it is half full.
  /// Slices handed out before are no longer valid.
  public mutating func read(atLeast minimum: Int = 1, _ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    makeRoom(minimum)
    let offset = filled
    let room = buffer.count &- offset
    let count = buffer.withUnsafeMutableBytes { fill(UnsafeMutableRawBufferPointer(rebasing: $0[offset...])) }
    precondition(count <= room, "the bytes said to have been read do not fit the room given")
    if count > 0 { filled &+= count }
    return count
  }

  /// The peer sends more than it is asked for: more is taken in at once from now on.
  public mutating func expectMuch() { usualBufferBytes = FrameDecoder.streamBufferBytes }

  /// Takes in bytes that are elsewhere already.
  public mutating func append(_ bytes: Span<UInt8>) {
    var offset = 0
    while offset < bytes.count {
      let rest = bytes.extracting(offset..<bytes.count)
      offset &+= read(atLeast: rest.count) { room in
        let count = min(room.count, rest.count)
        rest.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        return count
      }
    }
  }

  /// Makes room for at least one byte after `filled`, for `minimum` if that is no more than what is held.
  private mutating func makeRoom(_ asked: Int) {
    // Far beyond any frame, and far from overflow.
    let minimum = max(1, min(asked, Int.max / 4))
    let held = filled &- position
    if filled == buffer.count { usualBufferBytes = max(usualBufferBytes, FrameDecoder.regularBufferBytes) }
    if buffer.count < usualBufferBytes { return move(held, toBufferOf: usualBufferBytes) }
    if held == 0, buffer.count <= FrameDecoder.retainedBufferBytes {
      searched = 0
      position = 0
      filled = 0
      return
    }
    // Never more room than there are bytes already, whatever length the peer has declared.
    let wanted = max(1, min(minimum, held))
    if buffer.count > FrameDecoder.retainedBufferBytes, held &+ minimum <= usualBufferBytes {
      move(held, toBufferOf: usualBufferBytes)
    } else if held &+ wanted > buffer.count {
      // Twice the size, so that all the moving together costs no more than one copy; less where less will do, with some
      // room for the frame behind it.
      let enough = held &+ minimum &+ FrameDecoder.regularBufferBytes
      move(held, toBufferOf: max(held &+ wanted, min(2 &* buffer.count, enough)))
    } else if buffer.count &- filled < wanted || position > filled / 2 {
      // Moving at most as much as was dealt with since the last move keeps this cheap.
      buffer.withUnsafeMutableBytes { bytes in
        let source = UnsafeRawBufferPointer(rebasing: bytes[position..<filled])
        UnsafeMutableRawBufferPointer(rebasing: bytes[..<held]).copyMemory(from: source)
      }
      rebase(held)
    }
  }

  /// Moves what is held to the front of a new buffer.
  private mutating func move(_ held: Int, toBufferOf size: Int) {
    var fresh = [UInt8](repeating: 0, count: size)
    fresh.withUnsafeMutableBytes { target in
      buffer.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<filled])) }
    }
    buffer = fresh
    rebase(held)
  }

  private mutating func rebase(_ held: Int) {
    searched = max(0, searched &- position)
    position = 0
    filled = held
  }
}

// MARK: - Header blocks

extension FrameDecoder {
  /// Takes the exact form that everybody sends, if it is there whole: the header, and the body with it if that is there.
  @inline(__always)
  private mutating func plainFrame() -> FrameEvent? {
    guard let header = PlainHeader(buffer.span, from: position, to: filled),
      header.length <= limits.maxFrameBytes, header.end &- position <= limits.maxHeaderBytes
    else { return nil }
    position = header.end
    if filled &- position >= header.length { return .frame(take(header.length)) }
    state = .body(header.length)
    return .needsInput(missing: header.length &- (filled &- position))
  }

  /// Deals with one header line; nil to go on.
  private mutating func headerLine() -> FrameEvent? {
    guard let line = nextLine() else {
      if block.bytes &+ (filled &- position) > limits.maxHeaderBytes {
        return malformed(.headerTooLong(limit: limits.maxHeaderBytes))
      }
      return .needsInput(missing: 1)
    }
    if block.bytes &+ line.count &+ 1 > limits.maxHeaderBytes {
      // The line is looked at again, as it is when it arrives in parts.
      position = line.start
      return malformed(.headerTooLong(limit: limits.maxHeaderBytes))
    }
    let read = HeaderLine(buffer.span, line, maxLength: limits.maxFrameBytes)
    if block.isEmpty, read == .blank { return nil }
    block.bytes &+= line.count &+ 1
    switch read {
    case .blank: return endOfBlock()
    case .length(let length):
      if let earlier = block.length, earlier != length { return malformed(.conflictingLengths) }
      block.length = length
    case .lengthTooLarge: return malformed(.frameTooLong(limit: limits.maxFrameBytes))
    case .lengthInvalid: return malformed(.invalidLength)
    case .contentType(let isUTF8): block.isUTF8 = block.isUTF8 && isUTF8
    case .other: break
    case .junk:
      // What is left of a body that was longer than declared is junk with a good header behind it.
      position = line.start
      return malformed(.notAHeader)
    }
    return nil
  }

  private mutating func endOfBlock() -> FrameEvent? {
    guard let length = block.length else { return malformed(.missingLength) }
    let isUTF8 = block.isUTF8
    block = HeaderBlock()
    if isUTF8 {
      state = .body(length)
      return nil
    }
    state = .skipping(length)
    return .malformed(.unsupportedCharset)
  }

  private mutating func malformed(_ error: FrameError) -> FrameEvent {
    block = HeaderBlock()
    state = .resynchronising
    return .malformed(error)
  }

  private mutating func startBlock(with line: JSONSlice, length: Int) {
    block = HeaderBlock()
    block.length = length
    block.bytes = min(line.count, HeaderLine.trailingLengthBytes) &+ 1
    state = .header
  }

  /// Skips lines up to one that ends in a valid `Content-Length`; false if none is there yet.
  private mutating func resynchronise() -> Bool {
    while let line = nextLine() {
      if let length = HeaderLine.trailingLength(buffer.span, line, maxLength: limits.maxFrameBytes) {
        startBlock(with: line, length: length)
        return true
      }
    }
    let excess = filled &- position &- HeaderLine.trailingLengthBytes
    if excess > 0 { _ = take(excess) }
    return false
  }

  /// The next whole line without its line feed, already taken; nil if its end has not arrived.
  private mutating func nextLine() -> JSONSlice? {
    let end = FrameDecoder.lineFeed(buffer.span, from: max(searched, position), to: filled)
    searched = end
    guard end < filled else { return nil }
    let line = JSONSlice(start: position, end: end)
    position = end &+ 1
    return line
  }

  /// The offset of the first line feed, or `end`.
  private static func lineFeed(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var i = start
    while i < end, bytes[i] != 0x0A { i &+= 1 }
    return i
  }

  /// Takes the next `count` bytes, which are there.
  @inline(__always)
  private mutating func take(_ count: Int) -> JSONSlice {
    let slice = JSONSlice(start: position, end: position &+ count)
    position &+= count
    return slice
  }
}
