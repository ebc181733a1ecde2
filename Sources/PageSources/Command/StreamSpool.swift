/// The last bytes of a program's output, kept so that a page can be read again.
///
/// The newest are in memory, those before them in a temporary file that is made once it is needed; where that cannot be, less
/// is kept.
struct StreamSpool {
  /// What there is of the bytes at some place.
  enum Kept: Equatable {
    /// So many bytes, at least one.
    case bytes(Int)
    /// Nothing yet: the output has not come that far.
    case notYet
    /// Nothing any more.
    case gone
  }

  /// How many bytes have come so far.
  private(set) var end = 0
  private var memory: [UInt8] = []
  private var memoryStart = 0
  private let memoryBytes: Int
  private var file: RingFile?
  private var hasTriedFile = false
  private let fileBytes: Int
  /// The first byte that the file holds; its last is the one before `memoryStart`.
  private var fileStart = 0

  /// An empty spool that keeps at most so many bytes, so many of them in memory.
  init(keptBytes: Int, memoryBytes: Int) {
    self.memoryBytes = max(2, memoryBytes)
    fileBytes = max(0, keptBytes - self.memoryBytes)
  }

  /// The first byte that is kept.
  var start: Int { file == nil ? memoryStart : fileStart }

  /// Takes in what has come.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    memory.append(contentsOf: bytes)
    end += bytes.count
    if memory.count > memoryBytes { spill(memory.count - memoryBytes / 2) }
  }

  /// Copies the bytes at `offset` into `target`: as many as it holds, or fewer.
  func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) -> Kept {
    if offset >= end || target.isEmpty { return .notYet }
    if offset >= memoryStart {
      let place = offset - memoryStart
      let count = min(target.count, memory.count - place)
      memory.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[place..<(place + count)])) }
      return .bytes(count)
    }
    guard let file, offset >= fileStart else { return .gone }
    let count = min(target.count, memoryStart - offset)
    return file.read(into: UnsafeMutableRawBufferPointer(rebasing: target[..<count]), at: offset)
      ? .bytes(count) : .gone
  }

  /// Moves the oldest bytes out of memory.
  private mutating func spill(_ count: Int) {
    if !hasTriedFile {
      hasTriedFile = true
      file = RingFile(capacity: fileBytes)
      fileStart = memoryStart
    }
    if let ring = file {
      // What does not fit at once would only be written over.
      let skipped = max(0, count - ring.capacity)
      let written = memory.withUnsafeBytes {
        ring.write(UnsafeRawBufferPointer(rebasing: $0[skipped..<count]), at: memoryStart + skipped)
      }
      if !written { file = nil }
    }
    memory.removeFirst(count)
    memoryStart += count
    if let file { fileStart = max(fileStart, memoryStart - file.capacity) }
  }
}
