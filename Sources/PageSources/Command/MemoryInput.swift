/// Bytes that are all there.
struct MemoryInput: ByteInput {
  let bytes: [UInt8]

  func read(
    into target: UnsafeMutableRawBufferPointer, at offset: Int, isPatient: Bool, cancellation: CancellationFlag
  ) throws(ReadFault) -> InputRead {
    if cancellation.isCancelled { throw .cancelled }
    let start = min(max(0, offset), bytes.count)
    let count = min(target.count, bytes.count - start)
    bytes.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)])) }
    return InputRead(count: count, isEnd: start + count == bytes.count)
  }
}
