import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A conversation between a client and a server, written down.
struct Transcript {
  /// What happens next.
  struct Step {
    /// The line of the file, from 1; 0 for what every transcript ends with.
    let line: Int
    /// The member that says what the step is, such as `send`.
    let kind: String
    let operand: JSONNode
    /// How often it is performed.
    let times: Int
    let note: String?
  }

  /// What makes a file unusable.
  struct Unusable: Error {
    let message: String
  }

  let path: String
  let header: JSONNode
  let steps: [Step]

  var description: String { header["description"]?.string ?? "" }
  var timeoutMs: Int { header["timeoutMs"]?.integer ?? 10_000 }
  var options: [String] { header["options"]?.elements.compactMap(\.string) ?? [] }
  var sources: [String] { header["sources"]?.elements.compactMap(\.string) ?? [] }
  var isForProvider: Bool { header["provider"]?.text == "true" }
  var isRecorded: Bool { header["recorded"]?.text == "true" }
  /// Whether it is a scenario of the conformance kit, which only the player of a server can play.
  var isForFrontEnd: Bool { header["frontEnd"]?.text == "true" }
  var mustFail: String? { header["mustFail"]?.string }
  /// Files to lay into the server's directory: each character of a text stands for a byte.
  var files: [(name: String, bytes: [UInt8])] {
    header["files"]?.members.map { ($0.name, Transcript.latin1($0.value)) } ?? []
  }

  /// What an HTTP server is to answer, by target.
  var answers: [(target: String, answers: [HTTPAnswer])] {
    header["http"]?.members.map { ($0.name, $0.value.elements.map(HTTPAnswer.init)) } ?? []
  }

  /// Reads the lines of a transcript.
  init(path: String, lines: [(number: Int, text: [UInt8])]) throws(Unusable) {
    self.path = path
    var nodes: [(Int, JSONNode)] = []
    for (number, text) in lines {
      guard let node = JSONNode(parsing: text), node.kind == .object else {
        throw Unusable(message: "\(path):\(number): the line is no JSON object")
      }
      nodes.append((number, node))
    }
    guard let header = nodes.first?.1, header["transcript"]?.string == "1.0" else {
      throw Unusable(message: "\(path): the first line is no header with \"transcript\": \"1.0\"")
    }
    self.header = header
    var steps: [Step] = []
    for (number, node) in nodes.dropFirst() {
      guard let (kind, operand) = node.members.first(where: { !["note", "at", "repeat"].contains($0.name) }) else {
        throw Unusable(message: "\(path):\(number): the line has no step")
      }
      steps.append(
        Step(
          line: number, kind: kind, operand: operand, times: node["repeat"]?.integer ?? 1, note: node["note"]?.string))
    }
    if steps.last?.kind != "expectExit" {
      let yes = JSONNode(Array("true".utf8), JSONSlice(start: 0, end: 4))
      let zero = JSONNode(Array("0".utf8), JSONSlice(start: 0, end: 1))
      steps.append(Step(line: 0, kind: "closeStdin", operand: yes, times: 1, note: nil))
      steps.append(Step(line: 0, kind: "expectExit", operand: zero, times: 1, note: nil))
    }
    self.steps = steps
  }

  /// A text in which each character stands for one byte.
  static func latin1(_ node: JSONNode) -> [UInt8] {
    (node.string ?? "").unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  // MARK: Files

  /// The transcripts of a file (`.jsonl`, or the `jsonl` blocks of a `.md` page) or of a folder, `negative` left out.
  static func read(_ path: String) throws(Unusable) -> [Transcript] {
    if let names = Files.list(path) {
      var found: [Transcript] = []
      for name in names.sorted() {
        let child = "\(path)/\(name)"
        let isFolder = Files.list(child) != nil
        if isFolder ? name != "negative" : name.hasSuffix(".jsonl") || name.hasSuffix(".md") {
          found += try read(child)
        }
      }
      return found
    }
    guard let bytes = Files.read(path) else { throw Unusable(message: "\(path): \(Files.lastError())") }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
      .map { (number: $0.offset + 1, text: Array($0.element)) }
    guard path.hasSuffix(".md") else {
      let spaces: Set<UInt8> = [0x20, 0x09, 0x0D]
      return [try Transcript(path: path, lines: lines.filter { !$0.text.allSatisfy { spaces.contains($0) } })]
    }
    var found: [Transcript] = []
    var block: [(number: Int, text: [UInt8])]?
    for line in lines {
      let text = String(decoding: line.text, as: UTF8.self)
      if text == "```jsonl" {
        block = []
      } else if text == "```", let lines = block {
        found.append(try Transcript(path: path, lines: lines))
        block = nil
      } else {
        block?.append(line)
      }
    }
    return found
  }
}
