// The whole server without descriptors: bodies in, frames out, while its clock is moved.
//
// An input is bodies with the byte 0xFF between them, which no body that is JSON holds; a body of one digit moves the clock.
import FuzzSupport
import Glibc
import JSONRPCTransport
import JSONText
import PageSources

@testable import PagewireServer

/// A server and what a client knows of it.
struct Conversation {
  var server: Server
  var parser = MessageParser()
  /// Requests without an answer.
  var waiting = 0
  private static let log = Log(path: "/dev/null", level: .error)
  private static let pool = WorkerPool()

  init() {
    guard let log = Self.log, let pool = Self.pool else { Fuzzing.fail("there is no log or no pool") }
    var options = ServerOptions()
    options.allowedSources = ["items", "client", "synthetic"]
    options.maxFrameBytes = 1 << 16
    options.maxDepth = 50
    server = Server(options: options, log: log, pool: pool, streams: nil)
    server.now = 1_000
  }

  mutating func hear(_ body: [UInt8]) {
    if body.count == 1, (0x30...0x39).contains(body[0]) {
      advance(by: [0, 1, 10, 100, 500, 1_000, 2_000, 10_000, 31_000, 100_000][Int(body[0]) - 0x30])
      return
    }
    // At most one answer is owed to anything but a batch; a batch is one frame or none.
    let before = waiting
    waiting += owed(body)
    // Behind the body there is more, as in a buffer that holds several frames.
    let buffer = body + [UInt8](repeating: UInt8(ascii: "}"), count: 64)
    let frame = JSONSlice(start: 0, end: body.count)
    compareWays(buffer, frame)
    server.handle(buffer.span, frame)
    let isBatch = waiting == before + 2
    if isBatch { waiting = before + (server.outbox.openBatches > 0 ? 1 : 0) }
    listen(batches: isBatch)
  }

  /// What is read of a message the short way is what the parser reads.
  private mutating func compareWays(_ buffer: [UInt8], _ frame: JSONSlice) {
    guard let short = PlainAppearance(buffer.span, frame) else { return }
    guard case .message(let long) = parser.parse(buffer.span, frame), long.id == short.requestID,
      JSONReader.contentEquals(buffer.span, long.method, "itemAppeared")
    else { Fuzzing.fail("the parser does not read what is read the short way") }
    let params = AppearanceParams(buffer.span, parser.paramMembers)
    if params.session != JSONSlice(start: short.session.start - 1, end: short.session.end + 1)
      || params.id != short.item || JSONReader.integer(buffer.span, params.position) != short.position
      || JSONReader.integer(buffer.span, params.generation) != short.generation
    {
      Fuzzing.fail("the parser reads other params than the short way")
    }
  }

  /// 1 for what must be answered, 0 for what must not, 2 for a batch.
  private mutating func owed(_ body: [UInt8]) -> Int {
    switch parser.parse(body.span, JSONSlice(start: 0, end: body.count)) {
    case .invalid: 1
    case .batch: 2
    case .message(let message): message.kind == .request ? 1 : 0
    }
  }

  private mutating func advance(by milliseconds: Int) {
    let end = server.now + milliseconds
    turn()
    var turns = 0
    while let due = server.timers.nextDue, due <= end, turns < 200 {
      server.now = max(server.now, due)
      server.fireTimers()
      turn()
      turns += 1
    }
    server.now = end
    listen(batches: true)
  }

  private mutating func turn() {
    var turns = 0
    repeat {
      server.deliverReady()
      server.startHeldFetches()
      listen(batches: true)
      turns += 1
    } while !server.ready.isEmpty && turns < 200
  }

  /// Takes in what was said: whole frames of JSON, and no answer that is not owed.
  private mutating func listen(batches: Bool) {
    let bytes = server.outbox.take()
    var decoder = FrameDecoder()
    decoder.append(bytes.span)
    while case .frame(let frame) = decoder.next() {
      let body = JSONReader.raw(decoder.buffer.span, frame)
      JSONPromises.checkValue(body, "a frame")
      switch parser.parse(decoder.buffer.span, frame) {
      case .message(let message):
        if message.kind != .response { continue }
        waiting -= 1
        Fuzzing.check(waiting >= 0, "an answer to nothing: \(String(decoding: body, as: UTF8.self))")
        Fuzzing.check(message.defect == nil, "an answer is whole")
      case .batch: Fuzzing.check(batches || server.outbox.openBatches >= 0, "an answer to a batch")
      case .invalid(let invalid): Fuzzing.fail("the server says what is no message: \(invalid.message)")
      }
    }
    Fuzzing.check(decoder.bufferedBytes == 0, "frames are whole")
  }

  /// Closes everything: each request has been answered, and nothing is left.
  mutating func end(hasBatches: Bool) {
    server.closeAllSessions()
    listen(batches: true)
    if !hasBatches { Fuzzing.check(waiting == 0, "\(waiting) requests were not answered") }
    Fuzzing.check(
      server.sessions.count == 0 && server.pending.isEmpty && server.pendingByID.isEmpty
        && server.timers.nextDue == nil && server.outbox.openBatches == 0, "something is left")
  }
}

func checkConversation(_ input: [UInt8]) {
  var conversation = Conversation()
  var hasBatches = false
  for body in input.split(separator: 0xFF).prefix(24) {
    let start = body.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    if start == UInt8(ascii: "[") { hasBatches = true }
    conversation.hear(Array(body))
    if case .exiting = conversation.server.phase { break }
  }
  conversation.end(hasBatches: hasBatches)
}

exit(
  Fuzzing.run { start, count in
    checkConversation(Fuzzing.bytes(start, count))
    return 0
  })
