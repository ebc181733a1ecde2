#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Cuts what a program writes into frames.
final class FrameReader {
  private let child: Child
  private var buffer: [UInt8]
  private var start = 0
  private var end = 0

  /// A reader with room for so many bytes at first; where start-up is timed few, as fresh memory costs time.
  init(_ child: Child, capacity: Int = 1 << 20) {
    self.child = child
    buffer = [UInt8](repeating: 0, count: capacity)
  }

  /// Reads the next frame and returns its body; throws `Misbehaviour` where there is none.
  func next() throws -> ArraySlice<UInt8> {
    let frame = try nextFrame()
    return buffer[frame.body]
  }

  /// Reads the answer to this request of a server that may write its members in any order, with or without blanks, and that
  /// may decline; returns a copy of the whole frame, header included.
  func peersAnswer(to id: Int) throws -> [UInt8] {
    while true {
      let frame = try nextFrame()
      let body = buffer[frame.body]
      let hasID = [",", "}"].contains { body.has("\"id\":\(id)\($0)") || body.has("\"id\": \(id)\($0)") }
      if hasID && !body.has("\"method\":") { return Array(buffer[frame.start..<frame.body.upperBound]) }
    }
  }

  /// Where in the buffer the next frame and its body are.
  private func nextFrame() throws -> (start: Int, body: Range<Int>) {
    while true {
      if let frame = try frameAtStart() {
        if end - start >= frame.upperBound {
          let begin = start
          start += frame.upperBound
          return (begin, (begin + frame.lowerBound)..<start)
        }
        try fill(atLeast: frame.upperBound)
      } else {
        try fill(atLeast: 64)
      }
    }
  }

  /// Reads frames until one fits, and returns its body; an error on the way throws, as no one waits for one.
  func next(where fits: (ArraySlice<UInt8>) -> Bool) throws -> ArraySlice<UInt8> {
    while true {
      let body = try next()
      if fits(body) { return body }
      try refuseErrors(body)
    }
  }

  /// Reads until the answer to this request, and returns it.
  func answer(to id: Int) throws -> ArraySlice<UInt8> {
    let body = try next { Self.isAnswer($0, to: id) }
    try refuseErrors(body)
    return body
  }

  /// Whether this is the answer to that request.
  static func isAnswer(_ body: ArraySlice<UInt8>, to id: Int) -> Bool {
    body.prefix(64).has("\"id\":\(id),") && !body.prefix(200).has("\"method\":")
  }

  /// Throws where the body is an error response or a `loadFailed`.
  func refuseErrors(_ body: ArraySlice<UInt8>) throws {
    let head = body.prefix(160)
    if head.has("\"error\":{") || head.has("\"loadFailed\"") {
      throw Misbehaviour(program: child.name, what: "answered \(body.shown)")
    }
  }

  /// The range of the body of the frame at the start of the buffer, counted from that start; nil if its header is not there yet.
  private func frameAtStart() throws -> Range<Int>? {
    let label: StaticString = "Content-Length: "
    var at = start + label.utf8CodeUnitCount
    guard end - start > label.utf8CodeUnitCount + 4 else { return nil }
    var length = 0
    while at < end, case UInt8(ascii: "0")...UInt8(ascii: "9") = buffer[at] {
      length = length &* 10 &+ Int(buffer[at] &- UInt8(ascii: "0"))
      at += 1
    }
    // Most write no other header; some write the content type behind it.
    guard let blank = Wire.offset(of: "\r\n\r\n", in: buffer[at..<min(end, at + 200)]) else {
      guard end - at < 200 else { throw notAFrame }
      return nil
    }
    guard buffer[start] == UInt8(ascii: "C"), buffer[at] == 13, length > 0, length < 1 << 30 else { throw notAFrame }
    let header = blank + 4 - start
    return header..<(header + length)
  }

  private var notAFrame: Misbehaviour {
    Misbehaviour(program: child.name, what: "wrote something that is no frame: \(buffer[start..<end].shown)")
  }

  /// Reads once, with room for a frame of so many bytes.
  private func fill(atLeast count: Int) throws {
    if start == end {
      start = 0
      end = 0
    }
    if buffer.count - start < count || buffer.count - end < 4096 {
      buffer.withUnsafeMutableBytes {
        $0.baseAddress.map { _ = memmove($0, $0 + start, end - start) }
      }
      end -= start
      start = 0
      if buffer.count < count + 65536 { buffer += [UInt8](repeating: 0, count: count + 65536 - buffer.count) }
    }
    while true {
      let got = buffer.withUnsafeMutableBytes { read(child.output, $0.baseAddress.map { $0 + end }, $0.count - end) }
      if got > 0 {
        end += got
        return
      }
      if got < 0 && errno == EINTR && !Watch.expired { continue }
      throw child.failure(got == 0 ? "closed its output" : "could not be read from")
    }
  }
}
