import CSystem

/// A gzip file that is being inflated, at some place, with the last of what came out of it.
///
/// One thread uses it at a time; see `GzipMemory`.
final class GzipStream {
  /// What follows in the file.
  private enum Phase: Equatable {
    /// The data of a member.
    case member
    /// Another member, zeros, or the end.
    case between
    /// Nothing.
    case ended
  }

  /// How much of what came out is kept at least, so that the page after this one, which starts in what was read ahead, need
  /// not be inflated again.
  static let keptBytes = 512 << 10
  private static let inputBytes = 64 << 10
  private static let outputBytes = 128 << 10

  private let handle: OpaquePointer
  /// Where in the file the next compressed byte lies.
  private(set) var inputOffset = 0
  /// How many bytes have come out.
  private(set) var outputOffset = 0
  private var phase = Phase.member
  /// The last bytes that came out, `keptCount` of them; made when the first do.
  private var kept: [UInt8] = []
  private var keptCount = 0

  private init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  deinit {
    csystem_inflate_end(handle)
  }

  /// A stream at the start of a file; nil where there is no memory for it.
  static func begin() -> GzipStream? { csystem_inflate_begin().map { GzipStream($0) } }

  /// A stream that goes on from the same place; nil where there is no memory for it.
  func copy() -> GzipStream? {
    guard let stream = csystem_inflate_copy(handle).map({ GzipStream($0) }) else { return nil }
    stream.inputOffset = inputOffset
    stream.outputOffset = outputOffset
    stream.phase = phase
    return stream
  }

  /// Whether nothing more comes out.
  var isAtEnd: Bool { phase == .ended }

  /// Where the first byte lies that is still kept.
  var keptOffset: Int { outputOffset - keptCount }

  /// Copies what is kept from `offset` on; returns how many bytes that were.
  func copyKept(from offset: Int, to target: UnsafeMutableRawBufferPointer) -> Int {
    guard offset >= keptOffset, offset < outputOffset else { return 0 }
    let start = offset - keptOffset
    let count = min(keptCount - start, target.count)
    kept.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)])) }
    return count
  }

  /// Inflates the next bytes of `file`, a bounded number of them.
  func advance(in file: OpenFile) throws(GzipFault) {
    let input: [UInt8]
    do throws(FileFault) {
      input = try file.bytes(at: inputOffset, count: Self.inputBytes)
    } catch {
      throw .file(error)
    }
    switch phase {
    case .ended: return
    case .between: try enterMember(input)
    case .member:
      if input.isEmpty { throw .broken("it ends in the middle of its compressed data", at: inputOffset) }
      try inflate(input)
    }
  }

  private func inflate(_ input: [UInt8]) throws(GzipFault) {
    if kept.isEmpty { kept = [UInt8](repeating: 0, count: 2 * Self.keptBytes + Self.outputBytes) }
    if keptCount > 2 * Self.keptBytes {
      let gone = keptCount - Self.keptBytes
      kept.withUnsafeMutableBytes {
        $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[gone..<(gone + Self.keptBytes)]))
      }
      keptCount = Self.keptBytes
    }
    var consumed = 0
    var produced = 0
    let start = keptCount
    let result = kept.withUnsafeMutableBytes { output in
      input.withUnsafeBytes { input in
        csystem_inflate_run(
          handle, input.baseAddress, input.count, &consumed, output.baseAddress.map { $0 + start }, Self.outputBytes,
          &produced)
      }
    }
    keptCount += produced
    inputOffset += consumed
    outputOffset += produced
    if result == 1 { phase = .between }
    if result < 0 || (result == 0 && consumed == 0 && produced == 0) {
      throw .broken("its compressed data is broken", at: inputOffset)
    }
  }

  /// Behind a member: another one, or zeros up to the end, as tapes and block devices have them.
  private func enterMember(_ input: [UInt8]) throws(GzipFault) {
    guard let first = input.first else {
      phase = .ended
      return
    }
    if first == 0 {
      inputOffset += input.prefix { $0 == 0 }.count
      return
    }
    if first != 0x1F || csystem_inflate_next_member(handle) != 0 {
      throw .broken("what follows its compressed data is none", at: inputOffset)
    }
    phase = .member
  }
}

/// Why a gzip file cannot be inflated on.
enum GzipFault: Error, Equatable {
  /// It cannot be read.
  case file(FileFault)
  /// It is not what gzip writes, from about this byte on.
  case broken(String, at: Int)
}
