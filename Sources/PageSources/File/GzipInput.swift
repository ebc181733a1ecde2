/// The text of a compressed file, for the reading of one page.
///
/// Not checked by the compiler: it is made for one page, and used by the thread that reads that page alone.
final class GzipInput: ByteInput, @unchecked Sendable {
  private let file: OpenFile
  private let path: [UInt8]
  private let memory: GzipMemory
  private let maximumBytes: Int
  private var streams: [GzipStream] = []
  /// Bytes that came out for this page, without those before it.
  private var inflatedBytes = 0

  /// The input of an open file whose marks are in `memory`.
  init(_ file: OpenFile, path: [UInt8], memory: GzipMemory, limits: FileLimits) throws(FileFault) {
    self.file = file
    self.path = path
    self.memory = memory
    maximumBytes = limits.scanBytes
    try memory.adopt(file)
    if let box = memory.takeLast() { streams.append(box.stream) }
  }

  /// The page is read: the stream that got furthest is kept for the next one.
  func finish() {
    guard let furthest = streams.max(by: { $0.outputOffset < $1.outputOffset }) else { return }
    streams = []
    memory.putBack(GzipMemory.Box(stream: furthest))
  }

  func read(
    into target: UnsafeMutableRawBufferPointer, at offset: Int, isPatient: Bool, cancellation: CancellationFlag
  ) throws(ReadFault) -> InputRead {
    let stream = try stream(for: offset)
    var count = 0
    while true {
      count += stream.copyKept(from: offset + count, to: UnsafeMutableRawBufferPointer(rebasing: target[count...]))
      if count == target.count || stream.isAtEnd { break }
      if cancellation.isCancelled { throw .cancelled }
      let before = stream.outputOffset
      do throws(GzipFault) {
        try stream.advance(in: file)
      } catch {
        streams.removeAll { $0 === stream }
        // What came before the fault is good.
        if count > 0 { break }
        throw .source(error.sourceError(path))
      }
      memory.mark(stream)
      if before >= offset { inflatedBytes += stream.outputOffset - before }
      if inflatedBytes > maximumBytes { throw .source(tooMuch(at: offset)) }
    }
    return InputRead(count: count, isEnd: stream.isAtEnd && offset + count >= stream.outputOffset)
  }

  /// The stream from which `offset` is nearest: one at hand, a mark, or the start of the file.
  private func stream(for offset: Int) throws(ReadFault) -> GzipStream {
    let atHand = streams.filter { $0.keptOffset <= offset }.max { $0.outputOffset < $1.outputOffset }
    if let atHand, atHand.outputOffset >= offset { return atHand }
    if let mark = memory.stream(before: offset, beyond: atHand?.outputOffset ?? 0) {
      streams.append(mark)
      return mark
    }
    if let atHand { return atHand }
    guard let fresh = GzipStream.begin() else { throw .file(FileFault(reason: "there is no memory to inflate it")) }
    streams.append(fresh)
    return fresh
  }

  private func tooMuch(at offset: Int) -> SourceError {
    SourceError(
      .limitExceeded,
      "\(FilePages.shown(path)) holds more than \(maximumBytes) bytes from byte \(offset) of its text on without the end of"
        + " a page's item; no more is inflated for one page.",
      details: [.bytes("path", path), .integer("offset", offset), .integer("limit", maximumBytes)])
  }
}

extension GzipFault {
  /// The error for a compressed file that cannot be read on.
  func sourceError(_ path: [UInt8]) -> SourceError {
    switch self {
    case .file(let fault):
      return SourceError(
        .loadFailed, "Cannot read \(FilePages.shown(path)): \(fault.reason). Load again.",
        details: [.bytes("path", path), .string("reason", fault.reason)])
    case .broken(let reason, let offset):
      return SourceError(
        .badPage,
        "\(FilePages.shown(path)) cannot be inflated: at byte \(offset) \(reason). Mend the file (gzip -t checks it) and"
          + " refresh.",
        details: [.bytes("path", path), .integer("errorOffset", offset), .string("reason", reason)])
    }
  }
}
