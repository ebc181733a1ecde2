import JSONText
import PagewireClient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Plays the client's side of a transcript against a server, and checks what comes back.
struct ClientPlayer {
  private let transcript: Transcript
  private let process: ServerProcess
  private let peer: Peer
  private let folder: String
  private var matcher = PatternMatcher()
  /// In a recording, the steps that were met before their turn, by index.
  private var metEarly: Set<Int> = []

  /// Plays a transcript; the report of the first difference, or nil.
  static func play(_ transcript: Transcript, against command: ServerCommand, chunk: Int?) throws(Transcript.Unusable)
    -> String?
  {
    guard let folder = Files.makeTemporaryFolder() else {
      throw Transcript.Unusable(message: "cannot make a temporary folder: \(Files.lastError())")
    }
    defer { Files.removeFolder(folder) }
    for (name, bytes) in transcript.files where !Files.write("\(folder)/\(name)", bytes) {
      throw Transcript.Unusable(message: "\(transcript.path): cannot write the file \(name): \(Files.lastError())")
    }
    var server: AnsweringServer?
    if !transcript.answers.isEmpty {
      server = AnsweringServer(transcript.answers)
      if server == nil { throw Transcript.Unusable(message: "cannot serve HTTP: \(Files.lastError())") }
    }
    defer { server?.stop() }
    var player = try ClientPlayer(transcript, command, folder, chunk)
    if let server { player.matcher.names = server.names }
    let report = player.run()
    player.process.stop(graceMilliseconds: 0)
    return report
  }

  private init(
    _ transcript: Transcript, _ command: ServerCommand, _ folder: String, _ chunk: Int?
  ) throws(Transcript.Unusable) {
    self.transcript = transcript
    self.folder = folder
    let words = command.arguments + transcript.options
    let here = open(".", O_RDONLY | O_CLOEXEC)
    // A recording names the files that were there where it was made.
    if !transcript.isRecorded { chdir(folder) }
    defer {
      fchdir(here)
      close(here)
    }
    do throws(ClientError) {
      process = try ServerProcess(ServerCommand(arguments: words) ?? command, errorOutput: .captured)
    } catch {
      throw Transcript.Unusable(message: error.message)
    }
    peer = Peer(
      reading: process.output, writing: process.input, errors: process.errors, chunk: chunk, isStrict: true)
  }

  private mutating func run() -> String? {
    for (index, step) in transcript.steps.enumerated() {
      do throws(Difference) {
        for _ in 0..<step.times { try perform(step, index) }
      } catch {
        let place = step.line == 0 ? "after the last line" : "line \(step.line)"
        let note = step.note.map { " (\($0))" } ?? ""
        let said = peer.lastErrors
        return "\(place)\(note), at \(error.report)\(said.isEmpty ? "" : "\n    stderr   \(said)")"
      }
    }
    return nil
  }

  private mutating func perform(_ step: Transcript.Step, _ index: Int) throws(Difference) {
    switch step.kind {
    case "send": peer.send(frame: try matcher.filled(step.operand))
    case "sendRaw": peer.send(bytes: Transcript.latin1(step.operand))
    case "expect":
      if transcript.isRecorded {
        try expectRecorded(index)
      } else {
        try matcher.match(step.operand, next(wanted: step.operand.shown))
      }
    case "anyOrder": try expectInAnyOrder(step.operand)
    case "wait", "expectNothing": try expectNothing(step)
    case "writeFile":
      let path = "\(folder)/\(step.operand["path"]?.string ?? "")"
      let bytes = step.operand["text"].map(Transcript.latin1) ?? []
      if !Files.write(path, bytes, appending: step.operand["append"]?.text == "true") {
        throw Difference("cannot write \(path): \(Files.lastError())")
      }
    case "closeStdin": process.closeInput()
    case "expectExit": try expectExit(step.operand.integer ?? 0)
    default: throw Difference("the transcript has an unknown step \(step.kind)")
    }
  }

  private func next(wanted: String) throws(Difference) -> JSONNode {
    let came: String
    switch peer.next(milliseconds: transcript.timeoutMs) {
    case .message(let message): return message
    case .nothing: came = "nothing for \(transcript.timeoutMs) ms"
    case .end: came = "the end of the output"
    case .garbage(let text): came = text
    }
    throw Difference("no message\n    expected \(wanted)\n    got      \(came)")
  }

  private mutating func expectInAnyOrder(_ lanes: JSONNode) throws(Difference) {
    var lanes = lanes.elements.map { $0.kind == .array ? $0.elements : [$0] }.filter { !$0.isEmpty }
    while !lanes.isEmpty {
      let wanted = lanes.map { $0[0].shown }.joined(separator: " or ")
      let message = try next(wanted: wanted)
      var found: Int?
      for index in lanes.indices where found == nil && matcher.fits(lanes[index][0], message) { found = index }
      guard let found else {
        throw Difference("not one that may come now\n    expected \(wanted)\n    got      \(message.shown)")
      }
      lanes[found].removeFirst()
      if lanes[found].isEmpty { lanes.remove(at: found) }
    }
  }

  /// In a recording the answer to one request and the notifications of a session may come in another order than they did,
  /// each among its own kind in the same order.
  private mutating func expectRecorded(_ index: Int) throws(Difference) {
    while !metEarly.contains(index) {
      let message = try next(wanted: transcript.steps[index].operand.shown)
      let lane = Self.lane(of: message)
      let place = transcript.steps.indices.first {
        $0 >= index && transcript.steps[$0].kind == "expect" && !metEarly.contains($0)
          && Self.lane(of: transcript.steps[$0].operand) == lane
      }
      guard let place else {
        throw Difference(
          "not in the recording\n    expected \(transcript.steps[index].operand.shown)\n    got      \(message.shown)")
      }
      try matcher.match(transcript.steps[place].operand, message)
      metEarly.insert(place)
    }
  }

  private static func lane(of message: JSONNode) -> String {
    if message["method"] == nil { return "answer \(message["id"]?.text ?? "")" }
    return "session \(message["params"]?["session"]?.text ?? "")"
  }

  private func expectNothing(_ step: Transcript.Step) throws(Difference) {
    let milliseconds = step.operand.integer ?? 0
    if step.kind == "wait" {
      poll(nil, 0, Int32(clamping: milliseconds))
      return
    }
    switch peer.next(milliseconds: milliseconds) {
    case .nothing, .end: return
    case .message(let message): throw Difference("/: too much\n    expected nothing\n    got      \(message.shown)")
    case .garbage(let text): throw Difference("/: too much\n    expected nothing\n    got      \(text)")
    }
  }

  private func expectExit(_ wanted: Int) throws(Difference) {
    switch peer.next(milliseconds: transcript.timeoutMs) {
    case .end: break
    case .nothing: throw Difference("the end: the server goes on")
    case .message(let message): throw Difference("/: too much\n    expected the end\n    got      \(message.shown)")
    case .garbage(let text): throw Difference("/: too much\n    expected the end\n    got      \(text)")
    }
    guard let status = process.waitForExit(milliseconds: transcript.timeoutMs) else {
      throw Difference("the end: the server goes on")
    }
    if status != .exited(Int32(truncatingIfNeeded: wanted)) {
      throw Difference("exit status\n    expected \(wanted)\n    got      it \(status.text)")
    }
  }
}
