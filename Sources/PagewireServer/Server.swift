import CSystem
import JSONRPCTransport
import JSONText
import PageSources
import PaginationCore

/// The server without its descriptors: frames in, frames out, and what the loop must wait for in between.
///
/// It lives on one thread. Requests are handled in the order in which they came; nothing in it blocks, sleeps or locks.
struct Server {
  /// A request whose answer waits for a load.
  struct PendingRequest {
    let id: RequestID
    let destination: Outbox.Destination
    let session: SessionNumber
  }

  /// A request and where its answer goes.
  struct Call {
    let id: JSONSlice
    let isRequest: Bool
    let destination: Outbox.Destination
  }

  /// The server's own life.
  enum Phase: Equatable {
    /// Requests are served.
    case serving
    /// `shutdown` was answered; only `exit` is left.
    case shutDown
    /// `exit` came.
    case exiting(status: Int32)
  }

  let options: ServerOptions
  let log: Log
  let ids: IDFingerprints
  let pool: WorkerPool
  var phase = Phase.serving
  var isInitialized = false
  var isInputEnded = false
  /// Slots up to here have nothing to finish after the end of the input.
  var slotsAtRest = 0
  /// The process to die with, if the client named one.
  var watchedProcess: Int?

  /// A time of the loop's last turn, in milliseconds of a clock that never goes back.
  var now = 0
  var random = SystemRandomNumberGenerator()

  var outbox: Outbox
  var parser: MessageParser
  var sessions: SessionTable
  /// The JSON text of the settings of the session opened last.
  var lastSettingsText: [UInt8] = []
  var timers = TimerQueue()
  var pending: [Int: PendingRequest] = [:]
  var pendingByID: [RequestID: Int] = [:]
  var lastWaiter = 0
  /// The server's own requests that the front end has not answered.
  var frontEndCalls: [Int: (session: SessionNumber, ticket: Int)] = [:]
  var lastFrontEndCall = 0
  /// Jobs of the pool that have not come back.
  var runningJobs = 0
  /// Results that are there at once; delivered in turns, so that no session keeps the loop to itself.
  var ready: [WorkerPool.Completion] = []
  /// Bytes of their pages.
  var readyBytes = 0
  /// Calls that wait until the client has read more.
  var held: [(session: SessionNumber, ticket: Int)] = []

  /// What large messages took, until it is given back.
  var freedMemory = FreedMemory()

  /// Watches the files of sessions that follow theirs.
  var fileWatch = FileWatch()
  /// Sessions whose file is to be looked at once the client has read more.
  var heldLooks: [SessionNumber] = []
  /// The number of the last job that is no load; below 0, so that it is never taken for a ticket of the core.
  var lastJob = 0
  /// The jobs behind the pages that run, and the sessions whose jobs wait for their turn.
  var behindTickets: Set<Int> = []
  var waitingWorkBehind: [SessionNumber] = []

  /// Where the traffic is written, if anywhere.
  var recorder: TranscriptRecorder?
  /// Whether a load ran before the message that is being recorded.
  var wasBusy = false

  init(options: ServerOptions, log: Log, pool: WorkerPool, streams: StandardStreams?) {
    self.options = options
    self.log = log
    self.pool = pool
    ids = IDFingerprints(key: FingerprintKey(random.next(), random.next()))
    sessions = SessionTable(key: (random.next(), random.next()))
    outbox = Outbox(streams: streams)
    parser = MessageParser(maxDepth: options.maxDepth, maxRecorded: ServerOptions.maxPageSize)
  }

  // MARK: Frames

  /// Handles the body of a frame.
  mutating func handle(_ bytes: Span<UInt8>, _ frame: JSONSlice) {
    csystem_crash_note_message(frame.count, sessions.count, outbox.pendingBytes)
    if !handlePlainAppearance(bytes, frame) { handleAny(bytes, frame) }
  }

  /// Handles a body in any form; apart, so that what nearly all messages go through stays short.
  @inline(never)
  private mutating func handleAny(_ bytes: Span<UInt8>, _ frame: JSONSlice) {
    let parsed = parser.parse(bytes, frame)
    if recorder != nil { recordReceived(bytes, frame, parsed) }
    switch parsed {
    case .message(let message): dispatch(bytes, message, destination: .stream)
    case .invalid(let invalid): refuse(bytes, invalid, destination: .stream)
    case .batch(let count):
      let batch = outbox.beginBatch()
      for index in 0..<count {
        switch parser.parseBatchElement(bytes, at: index) {
        case .message(let message): dispatch(bytes, message, destination: .batch(batch))
        case .invalid(let invalid): refuse(bytes, invalid, destination: .batch(batch))
        case .batch: break
        }
      }
      outbox.endBatch(batch)
    }
    if recorder != nil { recordSent() }
  }

  /// Says what was wrong with a header block.
  mutating func handleMalformedFrame(_ error: FrameError) {
    outbox.beginAnswer(.stream)
    outbox.json.beginError(id: .null, code: .parseError, message: error.message)
    outbox.json.endError()
    outbox.endAnswer(.stream)
  }

  private mutating func refuse(_ bytes: Span<UInt8>, _ invalid: InvalidMessage, destination: Outbox.Destination) {
    outbox.expectAnswer(destination)
    outbox.beginAnswer(destination)
    let id = invalid.id.isEmpty ? RequestID.null : RequestID(bytes, invalid.id)
    outbox.json.beginError(id: id, code: invalid.code, message: invalid.message)
    outbox.json.endError()
    outbox.endAnswer(destination)
  }

  private mutating func dispatch(_ bytes: Span<UInt8>, _ message: Message, destination: Outbox.Destination) {
    if message.kind == .response {
      handleResponse(bytes, message)
      return
    }
    let call = Call(id: message.id, isRequest: message.kind == .request, destination: destination)
    if call.isRequest {
      outbox.expectAnswer(destination)
      if !pendingByID.isEmpty, pendingByID[RequestID(bytes, message.id)] != nil {
        outbox.beginAnswer(destination)
        outbox.json.beginError(
          id: .null, code: .invalidRequest,
          message: "A request with the id \(RequestFailure.shown(bytes, message.id)) is in flight; use another id.")
        outbox.json.endError()
        outbox.endAnswer(destination)
        return
      }
    }
    do throws(RequestFailure) {
      let limit = options.maxFrameBytes / 2
      if outbox.gatheredBytes(destination) > limit, call.isRequest {
        throw RequestFailure(
          .limitExceeded, "The answers of this batch are too long for one frame; send the rest of it again.",
          data: [("limit", Array("\(limit)".utf8))])
      }
      try perform(bytes, message, call)
    } catch {
      fail(bytes, call, error)
    }
  }

  // MARK: Answers

  /// Begins the answer to a request; the result is written next.
  ///
  /// Only for requests, not notifications.
  @inline(__always)
  mutating func beginResult(_ bytes: Span<UInt8>, _ call: Call) {
    outbox.beginAnswer(call.destination)
    outbox.json.beginResult(id: call.id, of: bytes)
  }

  @inline(__always)
  mutating func endResult(_ call: Call) {
    outbox.json.endObject()
    outbox.endAnswer(call.destination)
  }

  mutating func answerNull(_ bytes: Span<UInt8>, _ call: Call) {
    guard call.isRequest else { return }
    beginResult(bytes, call)
    outbox.json.null()
    endResult(call)
  }

  /// Answers a request with an error; a notification's fault goes to the log.
  mutating func fail(_ bytes: Span<UInt8>, _ call: Call, _ failure: RequestFailure) {
    guard call.isRequest else {
      log.write(.info, "a notification was not carried out: \(failure.message)")
      return
    }
    outbox.beginAnswer(call.destination)
    outbox.json.beginError(id: RequestID(bytes, call.id), code: failure.code, message: failure.message)
    failure.writeData(to: &outbox.json)
    outbox.json.endError()
    outbox.endAnswer(call.destination)
  }

  /// Keeps a request until its load is done; the number stands for it.
  mutating func wait(_ bytes: Span<UInt8>, _ call: Call, for session: SessionNumber) -> Waiter? {
    guard call.isRequest else { return nil }
    lastWaiter += 1
    let id = RequestID(bytes, call.id)
    pending[lastWaiter] = PendingRequest(id: id, destination: call.destination, session: session)
    pendingByID[id] = lastWaiter
    return Waiter(lastWaiter)
  }
}
