/// The output of a run, as one page reads it.
final class StreamInput: ByteInput {
  private let run: StreamRun
  private let limits: CommandLimits
  /// Where the page starts.
  private let start: Int
  /// Until when the page waits for more.
  private let deadline: Int
  private let idleMilliseconds: Int

  /// How long it may take to see that a page that is full was the last, in milliseconds.
  private static let lookMilliseconds = 20

  /// The output from `start` on, for an attempt that begins now.
  ///
  /// A page that would be given up after `timeoutMs` must be there before.
  init(_ run: StreamRun, from start: Int, timeoutMs: Int?) {
    self.run = run
    self.start = start
    limits = run.settings.limits
    let timeout = timeoutMs ?? Int.max
    idleMilliseconds = min(limits.idleMilliseconds, timeout / 4)
    deadline = ProcessKeeper.now() + min(limits.pageMilliseconds, timeout / 2)
  }

  func read(
    into target: UnsafeMutableRawBufferPointer, at offset: Int, isPatient: Bool, cancellation: CancellationFlag
  ) throws(ReadFault) -> InputRead {
    while true {
      do throws(SourceError) {
        if let read = try run.kept(into: target, at: offset) { return read }
      } catch {
        throw .source(error)
      }
      if offset - start > limits.pageReadBytes { throw .source(endless()) }
      let left = max(0, deadline - ProcessKeeper.now())
      let patience = isPatient ? min(idleMilliseconds, left) : Self.lookMilliseconds
      try run.fetch(beyond: offset, milliseconds: patience, cancellation: cancellation)
    }
  }

  private func endless() -> SourceError {
    let name = run.settings.program.name
    return SourceError(
      .limitExceeded,
      "\"\(name)\" has written more than \(limits.pageReadBytes) bytes without the end of an item. Check its format.",
      details: [.string("program", name), .integer("offset", start), .integer("limit", limits.pageReadBytes)])
  }
}
