import JSONText

/// Plays the server's side of a transcript on standard input and output, and checks what the front end sends.
///
/// `expect` is sent, wildcards as their examples; `send` is awaited and compared. The first time an id of the transcript comes
/// up it is bound to the id that really came, and answers use that one.
struct ServerPlayer {
  private let transcript: Transcript
  private let peer: Peer
  private var matcher = PatternMatcher()
  /// The front end's own ids, by the text of the transcript's.
  private var boundIDs: [[UInt8]: [UInt8]] = [:]
  /// The transcript's requests of ours, numbered as they are sent.
  private var lastRequest = 0

  /// Plays a transcript over the two descriptors; the report of the first difference, or nil.
  static func play(_ transcript: Transcript, reading input: Int32, writing output: Int32) -> String? {
    let peer = Peer(reading: input, writing: output, chunk: nil, isStrict: false)
    var player = ServerPlayer(transcript: transcript, peer: peer)
    for step in transcript.steps {
      do throws(Difference) {
        for _ in 0..<step.times { try player.perform(step) }
      } catch {
        let place = step.line == 0 ? "after the last line" : "line \(step.line)"
        return "\(place)\(step.note.map { " (\($0))" } ?? ""), at \(error.report)"
      }
    }
    return nil
  }

  private init(transcript: Transcript, peer: Peer) {
    self.transcript = transcript
    self.peer = peer
  }

  private mutating func perform(_ step: Transcript.Step) throws(Difference) {
    switch step.kind {
    case "expect": try send(step.operand)
    case "anyOrder":
      for lane in step.operand.elements {
        for pattern in lane.kind == .array ? lane.elements : [lane] { try send(pattern) }
      }
    case "send": try receive(step.operand)
    case "sendRaw":
      throw Difference("a sendRaw step cannot be awaited from a front end; this transcript is for servers")
    case "closeStdin", "expectExit": try awaitEnd(step)
    case "wait", "expectNothing", "writeFile": break
    default: throw Difference("the transcript has an unknown step \(step.kind)")
    }
  }

  /// Sends what the transcript expects of a server.
  private mutating func send(_ pattern: JSONNode) throws(Difference) {
    var pattern = pattern
    if let id = pattern["id"], pattern["method"] != nil, let name = id["$capture"]?.string {
      lastRequest += 1
      matcher.names[name] = Array("\(lastRequest)".utf8)
      pattern = pattern.replacing(id, by: Array("\(lastRequest)".utf8))
    } else if let id = pattern["id"], pattern["method"] == nil, let bound = boundIDs[id.raw] {
      pattern = pattern.replacing(id, by: bound)
    }
    peer.send(frame: try matcher.example(of: pattern))
  }

  /// Waits for what the transcript sends, and compares.
  private mutating func receive(_ wanted: JSONNode) throws(Difference) {
    switch peer.next(milliseconds: transcript.timeoutMs) {
    case .message(let message):
      var expected = wanted
      if let id = wanted["id"], wanted["method"] != nil, let came = message["id"] {
        boundIDs[id.raw] = came.raw
        expected = wanted.replacing(id, by: came.raw)
      }
      try matcher.match(expected, message)
    case .nothing:
      throw Difference(
        "no message\n    expected \(wanted.shown)\n    got      nothing for \(transcript.timeoutMs) ms")
    case .end: throw Difference("no message\n    expected \(wanted.shown)\n    got      the end of the input")
    case .garbage(let text): throw Difference("no message\n    expected \(wanted.shown)\n    got      \(text)")
    }
  }

  /// The front end closes its side; one that goes on reading to the end may leave it open until we are gone.
  private func awaitEnd(_ step: Transcript.Step) throws(Difference) {
    guard step.kind == "closeStdin", step.line != 0 else { return }
    switch peer.next(milliseconds: transcript.timeoutMs) {
    case .end: return
    case .nothing:
      throw Difference("the front end does not close its side\n    got      nothing for \(transcript.timeoutMs) ms")
    case .message(let message): throw Difference("/: too much\n    expected the end\n    got      \(message.shown)")
    case .garbage(let text): throw Difference("/: too much\n    expected the end\n    got      \(text)")
    }
  }
}
