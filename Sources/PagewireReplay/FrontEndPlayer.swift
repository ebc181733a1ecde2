import CSystem
import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Plays the server of a scenario of the conformance kit (`"frontEnd": true`) to any front end.
///
/// Front ends differ in what they report, how often and when, so only what a step awaits is compared; everything else
/// that the protocol knows gets the plain answer of a server that is as far as the transcript is.
struct FrontEndPlayer {
  private let transcript: Transcript
  private let peer: Peer
  /// Where looks are told and waited for; nil where a person looks.
  private let folder: String?
  private var matcher = PatternMatcher()
  private var answers: PlainAnswers
  /// Messages that no step has awaited yet, in the order in which they came.
  private var remembered: [JSONNode] = []
  /// Plain answers that are not sent yet, and when they will be.
  private var late: [(due: Int, text: String)] = []
  private let delayMilliseconds: Int
  /// Whether the front end may close its side now.
  private var isOver = false
  /// Whether it has.
  private var isGone = false

  /// So many messages that nobody awaited are remembered.
  private static let maxRememberedMessages = 10_000
  /// How long a look lasts where nobody says that it is over.
  private static let lookMilliseconds = 2_000
  private static let pollMilliseconds = 20

  /// Plays a scenario over the two descriptors; the report of the first difference, or nil, and the exit status.
  static func play(_ transcript: Transcript, reading input: Int32, writing output: Int32, looksIn folder: String?)
    -> (report: String?, status: Int32)
  {
    let peer = Peer(reading: input, writing: output, chunk: nil, isStrict: false)
    var player = FrontEndPlayer(transcript: transcript, peer: peer, folder: folder)
    for step in transcript.steps {
      if step.kind == "exit" { return player.exit(step) }
      if player.isGone { break }
      do throws(Difference) {
        for _ in 0..<step.times { try player.perform(step) }
      } catch {
        let place = step.line == 0 ? "after the last line" : "line \(step.line)"
        return ("\(place)\(step.note.map { " (\($0))" } ?? ""), at \(error.report)", 1)
      }
    }
    return (nil, 0)
  }

  private init(transcript: Transcript, peer: Peer, folder: String?) {
    self.transcript = transcript
    self.peer = peer
    self.folder = folder
    answers = PlainAnswers(overrides: transcript.header["plain"])
    delayMilliseconds = transcript.header["plain"]?["delayMs"]?.integer ?? 0
  }

  private mutating func perform(_ step: Transcript.Step) throws(Difference) {
    switch step.kind {
    case "expect": try say(step.operand)
    case "await": try awaitMessage(step.operand)
    case "awaitDemand": try awaitDemand(step.operand.string ?? "")
    case "wait": try serve(milliseconds: step.operand.integer ?? 0)
    case "look": try look(step.operand)
    case "closeStdin": try awaitEnd()
    case "expectExit": break
    default: throw Difference("the step \(step.kind) is not for a front end")
    }
  }

  /// Sends plain answers: now, or so late as the transcript says, but before anything that it says next.
  private mutating func send(_ texts: [String]) {
    late += texts.map { (Peer.now() + delayMilliseconds, $0) }
    sendLate(until: Peer.now())
  }

  private mutating func sendLate(until time: Int) {
    while let first = late.first, first.due <= time {
      peer.send(frame: Array(first.text.utf8))
      answers.sent(first.text)
      late.removeFirst()
    }
  }

  /// Sends what the transcript has the server say, and then the answers to those who waited for it.
  private mutating func say(_ pattern: JSONNode) throws(Difference) {
    guard let plain = JSONNode(parsing: try matcher.example(of: pattern)) else {
      throw Difference("the transcript has a message that is not JSON: \(pattern.shown)")
    }
    let message = answers.asTold(plain)
    sendLate(until: Int.max)
    peer.send(frame: message.raw)
    send(answers.said(message))
  }

  // MARK: Receiving

  /// The next message; nil where none comes until then.
  private mutating func next(until deadline: Int, _ purpose: String) throws(Difference) -> JSONNode? {
    if isGone { return nil }
    while let due = late.first?.due, due < deadline {
      // What comes while an answer is due is taken first: it may be another request under the same id.
      if case .message(let message) = peer.next(milliseconds: max(0, due - Peer.now())) { return message }
      sendLate(until: Peer.now())
    }
    switch peer.next(milliseconds: max(0, deadline - Peer.now())) {
    case .message(let message): return message
    case .nothing: return nil
    case .garbage(let text): throw Difference("what is no message\n    got      \(text)")
    case .end:
      isGone = true
      if isOver { return nil }
      throw Difference(
        "the end of the input, too early\n    expected \(purpose)\n    got      the front end has closed its side")
    }
  }

  private mutating func take(_ message: JSONNode) throws(Difference) {
    if message["method"]?.string == "exit" {
      // As a server ends with it, whether or not the input is still open.
      isOver = true
      isGone = true
    }
    send(try answers.answer(message))
    if remembered.count >= Self.maxRememberedMessages { remembered.removeFirst(Self.maxRememberedMessages / 2) }
    remembered.append(message)
  }

  /// Answers plainly for so long.
  private mutating func serve(milliseconds: Int) throws(Difference) {
    let deadline = Peer.now() + milliseconds
    while let message = try next(until: deadline, "the front end to go on") { try take(message) }
  }

  /// Waits for a message that fits the pattern, or one of several.
  private mutating func awaitMessage(_ wanted: JSONNode) throws(Difference) {
    let patterns = wanted.kind == .array ? wanted.elements : [wanted]
    let purpose = patterns.map(\.shown).joined(separator: " or ")
    // The transcript answers what it captures the id of, so that must not have been answered plainly.
    for pattern in patterns where !Self.capturesID(pattern) {
      for index in remembered.indices where matcher.fits(pattern, remembered[index]) {
        remembered.remove(at: index)
        return
      }
    }
    let deadline = Peer.now() + transcript.timeoutMs
    var others: [String] = []
    while let message = try next(until: deadline, purpose) {
      if let pattern = patterns.first(where: { [matcher] in Self.fits($0, message, matcher) }) {
        try matcher.match(pattern, message)
        send(Self.capturesID(pattern) ? try answers.note(message) : try answers.answer(message))
        return
      }
      try take(message)
      others.append(message["method"]?.string ?? "an answer")
    }
    throw missing(purpose, others)
  }

  private static func fits(_ pattern: JSONNode, _ message: JSONNode, _ matcher: PatternMatcher) -> Bool {
    var matcher = matcher
    return matcher.fits(pattern, message)
  }

  private static func capturesID(_ pattern: JSONNode) -> Bool {
    (pattern["$partial"] ?? pattern)["id"]?["$capture"] != nil
  }

  /// Waits until a load is wanted: the first, or one at a side.
  private mutating func awaitDemand(_ side: String) throws(Difference) {
    let purpose = "a report or request that asks for a page at the \(side)"
    let deadline = Peer.now() + transcript.timeoutMs
    var others: [String] = []
    while !answers.isWanted(side) {
      guard let message = try next(until: deadline, purpose) else { throw missing(purpose, others) }
      try take(message)
      others.append(message["method"]?.string ?? "an answer")
    }
    let methods = side == "start" ? ["loadPrevious"] : ["loadMore"]
    remembered.removeAll { methods.contains($0["method"]?.string ?? "") }
  }

  private func missing(_ purpose: String, _ others: [String]) -> Difference {
    let came = others.isEmpty ? "nothing" : others.suffix(20).joined(separator: ", ")
    return Difference("no message\n    expected \(purpose)\n    got      \(came) within \(transcript.timeoutMs) ms")
  }

  /// Lets somebody look at the front end, and do as the step says.
  private mutating func look(_ what: JSONNode) throws(Difference) {
    guard let folder else { return try serve(milliseconds: what["do"] == nil ? Self.lookMilliseconds : 0) }
    let path = "\(folder)/now"
    guard Files.write("\(path).new", what.raw + [0x0A]), rename("\(path).new", path) == 0 else {
      throw Difference("cannot write \(path): \(Files.lastError())")
    }
    let deadline = Peer.now() + transcript.timeoutMs
    if what["mayEnd"]?.text == "true" || what["do"]?.string == "quit" { isOver = true }
    while access(path, F_OK) == 0 && !isGone {
      if Peer.now() > deadline {
        unlink(path)
        throw Difference("nobody has removed \(path) within \(transcript.timeoutMs) ms: \(what.shown)")
      }
      try serve(milliseconds: Self.pollMilliseconds)
    }
  }

  /// The server ends without a word; what is to be looked at then stays behind.
  private func exit(_ step: Transcript.Step) -> (report: String?, status: Int32) {
    if let folder, let look = step.operand["look"] {
      _ = Files.write("\(folder)/now.new", look.raw + [0x0A])
      rename("\(folder)/now.new", "\(folder)/now")
    }
    return (nil, Int32(clamping: step.operand["status"]?.integer ?? 0))
  }

  /// The front end goes.
  private mutating func awaitEnd() throws(Difference) {
    isOver = true
    let deadline = Peer.now() + transcript.timeoutMs
    while let message = try next(until: deadline, "the end") { try take(message) }
    if !isGone { throw Difference("the front end does not end, nor close its side") }
    if let answer = remembered.first(where: { $0["method"] == nil }) {
      throw Difference("an answer to nothing\n    got      \(answer.shown)")
    }
  }
}
