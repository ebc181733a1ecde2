import JSONText

/// Runs a program for each page.
struct RunPerPage: Sendable {
  let settings: CommandSettings

  /// The page that `request` asks for; blocks while the program runs.
  ///
  /// Where the page is not wanted any more, the program is stopped.
  func page(
    _ request: PageRequest, idPath: JSONPointer, cancellation: CancellationFlag
  ) -> Result<SourcePage, SourceError> {
    Result { () throws(SourceError) in
      var program = settings.program
      guard let arguments = ArgumentTemplate(arguments: program.arguments).filled(for: request) else {
        throw SourceError(
          .loadFailed, "The page's cursor holds a NUL character, which no argument of a program can.", retryable: false)
      }
      program.arguments = arguments
      let child: ChildProcess
      do throws(StartFault) {
        child = try ChildProcess.start(program)
      } catch {
        throw error.sourceError
      }
      // What it leaves behind is ended in any case; the program itself only where it still runs.
      defer { child.stop() }
      let output = try output(of: child, cancellation: cancellation)
      return try OutputPage(settings: settings, idPath: idPath, name: .output(of: program))
        .page(output, cancellation: cancellation)
    }
  }

  /// All that a program writes until it ends well.
  private func output(of child: ChildProcess, cancellation: CancellationFlag) throws(SourceError) -> [UInt8] {
    var output = ProgramOutput(child)
    var bytes: [UInt8] = []
    var filled = 0
    let limit = settings.limits.pageOutputBytes
    while true {
      if bytes.count - filled < settings.limits.readBytes {
        bytes.append(contentsOf: repeatElement(0, count: max(settings.limits.readBytes, bytes.count)))
      }
      let event = bytes.withUnsafeMutableBytes { room in
        output.read(
          into: UnsafeMutableRawBufferPointer(rebasing: room[filled...]), milliseconds: nil, cancellation: cancellation)
      }
      switch event {
      case .bytes(let count):
        filled += count
        if filled > limit { throw tooLong(child.program, limit) }
      case .end:
        guard output.outcome.isSuccess else { throw Self.failure(of: child, output.outcome, retryable: nil) }
        bytes.removeLast(bytes.count - filled)
        return bytes
      case .cancelled, .idle:
        throw SourceError(.loadFailed, "The page of \"\(child.program.name)\" was not wanted any more.")
      }
    }
  }

  /// The error for a program that did not end well.
  static func failure(of child: ChildProcess, _ end: ProcessEnd, retryable: Bool?) -> SourceError {
    let errors = child.errorTail
    return SourceError(
      .loadFailed, "The program \"\(child.program.name)\" \(end.description)\(errors.ending)", retryable: retryable,
      details: [.string("program", child.program.name)] + end.details + errors.details)
  }

  private func tooLong(_ program: Program, _ limit: Int) -> SourceError {
    SourceError(
      .limitExceeded,
      "\"\(program.name)\" wrote more than \(limit) bytes for one page. Ask for fewer items, or let it write fewer.",
      details: [.string("program", program.name), .integer("limit", limit)])
  }
}

extension InputName {
  /// The name of what a program writes.
  static func output(of program: Program) -> InputName {
    InputName(
      shown: "the output of \"\(program.name)\"", noun: "program", details: [.string("program", program.name)])
  }
}
