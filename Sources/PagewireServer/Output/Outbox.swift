import JSONRPCTransport
import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Everything that goes to the client: frames that wait to be written, and the answers of batches that are not complete.
struct Outbox {
  /// Where an answer goes.
  enum Destination: Equatable {
    /// Out, as a frame of its own.
    case stream
    /// Into the answer of the batch with this number.
    case batch(Int)
  }

  private struct Batch {
    var text: [UInt8] = []
    var missing = 0
    var isRead = false

    mutating func add(_ answer: ArraySlice<UInt8>) {
      if !text.isEmpty { text.append(UInt8(ascii: ",")) }
      text.append(contentsOf: answer)
      missing -= 1
    }
  }

  /// Pages of at least so many bytes are written from where they lie instead of being copied first.
  private static let directBytes = 16 << 10
  /// Memory that is kept for the next frames once everything is written.
  private static let retainedBytes = 1 << 20

  /// Writes the message between a `begin` and an `end`.
  var json: JSONWriter {
    _read { yield frames.json }
    _modify { yield &frames.json }
  }

  private var frames = FrameWriter()
  /// How much of the frames has been written.
  private var sent = 0
  private var answerStart = 0
  private var batches: [Int: Batch] = [:]
  private var lastBatch = 0
  private var streams: StandardStreams?
  /// Whether nobody reads any more.
  private(set) var isGone = false

  /// Whether the bodies of all messages are kept until they are recorded.
  var isRecording = false
  /// The bodies of the messages since they were recorded last.
  var sentBodies: [[UInt8]] = []

  /// Makes an outbox that writes to the streams, or, without any, only collects.
  init(streams: StandardStreams?) {
    self.streams = streams
  }

  /// How many batches are not answered yet.
  var openBatches: Int { batches.count }

  /// Bytes that wait for the client.
  var pendingBytes: Int { frames.count - sent }

  /// Hands over what waits; for a server without streams.
  mutating func take() -> [UInt8] {
    sent = 0
    return frames.take()
  }

  /// Gives the pipes room for large frames.
  mutating func widen() { streams?.widen() }

  // MARK: Messages

  /// Begins an answer; its envelope is written next, through `json`.
  mutating func beginAnswer(_ destination: Destination) {
    switch destination {
    case .stream: frames.beginFrame()
    case .batch:
      answerStart = frames.count
      frames.json.startOver()
    }
  }

  mutating func endAnswer(_ destination: Destination) {
    switch destination {
    case .stream: endFrame()
    case .batch(let number):
      // In place: a copy for each answer would make a large batch cost the square of its length.
      batches[number]?.add(frames.json.bytes[answerStart...])
      frames.json.bytes.removeSubrange(answerStart...)
      frames.json.startOver()
      sendIfComplete(number)
    }
  }

  mutating func beginNotification(_ method: StaticString) {
    frames.beginFrame()
    frames.json.beginNotification(method: method)
  }

  mutating func endNotification() {
    frames.json.endObject()
    endFrame()
  }

  private mutating func endFrame() {
    let length = frames.endFrame()
    if isRecording { sentBodies.append(Array(frames.json.bytes.suffix(length))) }
  }

  mutating func beginRequest(id: Int, method: StaticString) {
    frames.beginFrame()
    frames.json.beginRequest(id: RequestID(number: id), method: method)
  }

  // MARK: Batches

  /// Opens the answer of a batch; it goes out when the batch has been read and each of its requests is answered.
  mutating func beginBatch() -> Int {
    lastBatch += 1
    batches[lastBatch] = Batch()
    return lastBatch
  }

  /// A request of the batch will be answered.
  mutating func expectAnswer(_ destination: Destination) {
    if case .batch(let number) = destination { batches[number]?.missing += 1 }
  }

  /// Bytes of answers that a batch has gathered; 0 for the stream.
  func gatheredBytes(_ destination: Destination) -> Int {
    if case .batch(let number) = destination { return batches[number]?.text.count ?? 0 }
    return 0
  }

  mutating func endBatch(_ number: Int) {
    batches[number]?.isRead = true
    sendIfComplete(number)
  }

  private mutating func sendIfComplete(_ number: Int) {
    guard batches[number]?.isRead == true, batches[number]?.missing == 0,
      let batch = batches.removeValue(forKey: number)
    else { return }
    // A batch of notifications answers nothing at all.
    if batch.text.isEmpty { return }
    frames.header(bodyBytes: batch.text.count + 2)
    frames.json.append("[")
    frames.json.append(batch.text.span)
    frames.json.append("]")
    frames.json.startOver()
    if isRecording { sentBodies.append(Array(frames.json.bytes.suffix(batch.text.count + 2))) }
  }

  // MARK: Pages

  /// Sends a notification whose middle is a large text that lies elsewhere.
  mutating func sendPage(head: [UInt8], items: Span<UInt8>, tail: [UInt8]) {
    let length = head.count + items.count + tail.count
    if isRecording { sentBodies.append(head + items.withUnsafeBufferPointer { Array($0) } + tail) }
    frames.header(bodyBytes: length)
    frames.json.append(head.span)
    if streams != nil, items.count >= Outbox.directBytes, !isGone {
      if length > 64 << 10 { streams?.widen() }
      writeDirectly(items, tail)
    } else {
      frames.json.append(items)
      frames.json.append(tail.span)
    }
    frames.json.startOver()
  }

  /// Writes what waits and then the page, and keeps what does not go at once.
  private mutating func writeDirectly(_ items: Span<UInt8>, _ tail: [UInt8]) {
    let waiting = pendingBytes
    let written = max(0, write(items, tail))
    if written < waiting {
      sent += written
      frames.json.append(items)
      frames.json.append(tail.span)
      return
    }
    forgetWritten()
    let ofItems = min(items.count, written - waiting)
    let ofTail = written - waiting - ofItems
    if ofItems < items.count { frames.json.append(items.extracting(ofItems..<items.count)) }
    if ofTail < tail.count { frames.json.append(tail.span.extracting(ofTail..<tail.count)) }
  }

  private mutating func write(_ items: Span<UInt8>, _ tail: [UInt8]) -> Int {
    guard let streams else { return 0 }
    let start = sent
    let count = frames.json.bytes.withUnsafeBytes { queued in
      items.withUnsafeBytes { middle in
        tail.withUnsafeBytes { end in
          streams.write([
            Self.piece(UnsafeRawBufferPointer(rebasing: queued[start...])), Self.piece(middle), Self.piece(end),
          ])
        }
      }
    }
    return check(count)
  }

  private static func piece(_ bytes: UnsafeRawBufferPointer) -> iovec {
    iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
  }

  // MARK: Writing

  /// Writes what the client takes now.
  mutating func flush() {
    guard let streams else { return }
    while pendingBytes > 0, !isGone {
      let start = sent
      let count = frames.json.bytes.withUnsafeBytes {
        streams.write(UnsafeRawBufferPointer(rebasing: $0[start...]))
      }
      let written = check(count)
      if written <= 0 { break }
      sent += written
    }
    if pendingBytes == 0 {
      forgetWritten()
    } else if sent > Outbox.retainedBytes && sent > frames.count / 2 {
      frames.json.bytes.removeSubrange(..<sent)
      sent = 0
    }
  }

  /// What a write came to: its count, 0 where the client does not take any, and nobody there noted.
  private mutating func check(_ count: Int) -> Int {
    if count >= 0 { return count }
    if count != -Int(EAGAIN) && count != -Int(EWOULDBLOCK) { isGone = true }
    return 0
  }

  private mutating func forgetWritten() {
    sent = 0
    if frames.json.bytes.capacity > Outbox.retainedBytes {
      _ = frames.take()
    } else {
      frames.removeAll()
    }
  }
}
