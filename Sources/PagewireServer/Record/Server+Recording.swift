import JSONRPCTransport
import JSONText

// What is recorded, and when: a frame before it is handled, what it led to afterwards.
extension Server {
  /// Records from here on.
  mutating func record(to recorder: TranscriptRecorder) {
    self.recorder = recorder
    outbox.isRecording = true
  }

  mutating func recordReceived(_ bytes: Span<UInt8>, _ frame: JSONSlice, _ parsed: ParsedFrame) {
    recordSent()
    var recorded = RecordedIDs.none
    if case .message(let message) = parsed, message.kind == .response,
      let number = JSONReader.integer(bytes, message.id)
    {
      recorded.response = message.id.moved(by: -frame.start)
      recorded.number = number
    }
    wasBusy = isBusy
    recorder?.received(bytes.extracting(frame.range), ids: recorded, now: now)
  }

  /// Writes down what was sent since the last time.
  mutating func recordSent() {
    guard recorder != nil, !outbox.sentBodies.isEmpty else { return }
    let isBusy = wasBusy || self.isBusy
    for body in outbox.sentBodies { recorder?.sent(body.span, isBusy: isBusy, now: now) }
    outbox.sentBodies = []
    if let ending = recorder?.ending {
      log.write(.error, "the recording has ended: \(ending)")
      recorder = nil
      outbox.isRecording = false
    }
  }

  mutating func endRecording(status: Int32) {
    recordSent()
    var isAsked = false
    if case .exiting = phase { isAsked = true }
    recorder?.exits(status: status, isAsked: isAsked, now: now)
  }
}
