/// Where a window gets its bytes: a file, or the output of a program.
protocol ByteInput: Sendable {
  /// Reads bytes from `offset` on into `target`, at least one unless the input ends there.
  ///
  /// An input whose bytes are still being made gives what there is. It waits for the first of them, for a bounded time
  /// and only where `isPatient`, and then throws `ReadFault.idle`.
  func read(
    into target: UnsafeMutableRawBufferPointer, at offset: Int, isPatient: Bool, cancellation: CancellationFlag
  ) throws(ReadFault) -> InputRead
}

/// What a read came to.
struct InputRead: Equatable {
  /// How many bytes there were.
  var count: Int
  /// Whether nothing follows them.
  var isEnd: Bool
}

extension OpenFile: ByteInput {
  func read(
    into target: UnsafeMutableRawBufferPointer, at offset: Int, isPatient: Bool, cancellation: CancellationFlag
  ) throws(ReadFault) -> InputRead {
    do throws(FileFault) {
      let count = try read(into: target, at: offset)
      return InputRead(count: count, isEnd: count < target.count)
    } catch {
      throw .file(error)
    }
  }
}
