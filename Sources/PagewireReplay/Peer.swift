import CSystem
import JSONRPCTransport
import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The other side of the conversation: what it writes, cut into messages, and what it is sent.
///
/// Reading goes on while we write, so that neither side waits for the other.
final class Peer {
  /// What came.
  enum Arrival {
    /// A whole message.
    case message(JSONNode)
    /// Nothing, for as long as was waited.
    case nothing
    /// The end of the output.
    case end
    /// Bytes that are no frame; the text shows them.
    case garbage(String)
  }

  private let input: Int32
  private let output: Int32
  private let errors: Int32
  /// Writes so many bytes at a time; nil for as many as go.
  private let chunk: Int?
  /// Whether only the one form of frames is accepted that a server must write.
  private let isStrict: Bool
  private var decoder = FrameDecoder(limits: FrameLimits(maxFrameBytes: 1 << 40, maxHeaderBytes: 1 << 20))
  private var waiting: [UInt8] = []
  private var strictBytes: [UInt8] = []
  private var hasEnded = false
  private var isGone = false
  private var errorText: [UInt8] = []

  init(reading input: Int32, writing output: Int32, errors: Int32 = -1, chunk: Int?, isStrict: Bool) {
    self.input = input
    self.output = output
    self.errors = errors
    self.chunk = chunk
    self.isStrict = isStrict
    for descriptor in [input, output] { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }
  }

  /// The end of what the peer wrote to its standard error.
  var lastErrors: String {
    readErrors()
    return String(decoding: errorText.suffix(2_000), as: UTF8.self)
  }

  func send(frame body: [UInt8]) {
    send(bytes: Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body)
  }

  func send(bytes: [UInt8]) {
    waiting += bytes
    while !waiting.isEmpty && !isGone { turn(milliseconds: 100, stopsAtInput: false) }
    waiting = []
  }

  /// The next message, for which so long is waited.
  func next(milliseconds: Int) -> Arrival {
    let deadline = Self.now() + milliseconds
    while true {
      if let arrival = buffered() { return arrival }
      let left = deadline - Self.now()
      if left <= 0 { return .nothing }
      turn(milliseconds: left, stopsAtInput: true)
    }
  }

  /// What has arrived already, if it makes something whole.
  private func buffered() -> Arrival? {
    if isStrict, let fault = strictFault() { return .garbage(fault) }
    switch decoder.next() {
    case .frame(let slice):
      let body = Array(decoder.buffer[slice.range])
      if isStrict { strictBytes.removeFirst(min(strictBytes.count, headerBytes(of: body.count) + body.count)) }
      guard let node = JSONNode(parsing: body) else {
        return .garbage("a body that is not JSON: \(JSONNode.shorten(String(decoding: body, as: UTF8.self)))")
      }
      return .message(node)
    case .malformed(let error): return .garbage(error.message)
    case .needsInput:
      guard hasEnded else { return nil }
      return decoder.endOfInput() == .clean ? .end : .garbage("the output ended inside a frame")
    }
  }

  private func headerBytes(of length: Int) -> Int { "Content-Length: \(length)\r\n\r\n".utf8.count }

  /// What is wrong with the header that comes next, by the one form that a server must write.
  private func strictFault() -> String? {
    let name = Array("Content-Length: ".utf8)
    for (index, byte) in strictBytes.enumerated() {
      if index < name.count {
        if byte == name[index] { continue }
      } else if byte >= 0x30 && byte <= 0x39 {
        continue
      } else if index > name.count && byte == 0x0D {
        let rest = strictBytes[index...].prefix(4)
        if Array("\r\n\r\n".utf8).starts(with: rest) { return nil }
      }
      return "not a frame: \(JSONNode.shorten(String(decoding: strictBytes.prefix(300), as: UTF8.self)))"
    }
    return nil
  }

  // MARK: Descriptors

  private func turn(milliseconds: Int, stopsAtInput: Bool) {
    var descriptors = [
      pollfd(fd: hasEnded ? -1 : input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: waiting.isEmpty ? -1 : output, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
    ]
    if poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: max(0, milliseconds))) <= 0 { return }
    if descriptors[2].revents != 0 { readErrors() }
    if descriptors[0].revents != 0 { readInput() }
    if descriptors[1].revents != 0 { writeSome() }
  }

  private func readInput() {
    let descriptor = input
    var fresh: [UInt8] = []
    let count = decoder.read(atLeast: 1) { room in
      let count = read(descriptor, room.baseAddress, room.count)
      if count > 0 { fresh = Array(room[..<count]) }
      return count
    }
    if count > 0 {
      if isStrict { strictBytes += fresh }
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      hasEnded = true
    }
  }

  private func writeSome() {
    let size = min(waiting.count, chunk ?? 65_536)
    let count = waiting.withUnsafeBytes { write(output, $0.baseAddress, size) }
    if count > 0 {
      waiting.removeFirst(count)
    } else if count < 0 && errno != EAGAIN && errno != EINTR {
      // The peer is gone; what is missing then says more than the pipe.
      isGone = true
    }
  }

  private func readErrors() {
    guard errors >= 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(errors, &buffer, buffer.count)
      if count <= 0 { return }
      errorText += buffer[..<count]
      if errorText.count > 100_000 { errorText.removeFirst(errorText.count - 50_000) }
    }
  }

  static func now() -> Int {
    Int(csystem_milliseconds())
  }
}
