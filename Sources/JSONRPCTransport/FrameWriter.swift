import JSONText

/// Writes frames one after another into one byte array, in the one form in which Pagewire sends them.
///
/// Between ``beginFrame()`` and ``endFrame()`` the body is written through ``json``; its length is put into the header
/// afterwards, in place where it has as many digits as that of the frame before.
public struct FrameWriter: Sendable {
  /// Writes the bodies, and holds everything that was written in `json.bytes`.
  public var json: JSONWriter

  /// Where its body starts.
  private var bodyStart = 0
  /// How many digits its header has room for: as many as the last one needed, since answers of a kind follow one another.
  private var digits = 3

  /// How much memory is kept for the next frames.
  private static let retainedBytes = 1 << 20

  /// Makes a writer that appends to `bytes`.
  public init(appendingTo bytes: [UInt8] = []) {
    json = JSONWriter(appendingTo: bytes)
  }

  /// All frames written so far and not taken.
  public var bytes: [UInt8] { json.bytes }

  /// How many bytes were written and not taken.
  @inlinable
  public var count: Int { json.bytes.count }

  /// Starts a frame whose length is not known yet.
  public mutating func beginFrame() {
    let digits = digits
    json.bytes.append(addingCapacity: digits &+ 20) { output in
      output.append("Content-Length: ")
      output.append(repeating: UInt8(ascii: "0"), count: digits)
      output.append("\r\n\r\n")
    }
    bodyStart = json.bytes.count
    json.startOver()
  }

  /// Ends the frame by putting the body's length into its header; returns that length in bytes.
  @discardableResult
  public mutating func endFrame() -> Int {
    let length = json.bytes.count &- bodyStart
    let needed = DecimalDigits.count(length)
    let firstDigit = bodyStart &- 4 &- digits
    if needed != digits {
      json.bytes.replaceSubrange(
        firstDigit..<firstDigit &+ digits, with: repeatElement(UInt8(ascii: "0"), count: needed))
      digits = needed
    }
    var rest = length
    var i = firstDigit &+ needed
    while i > firstDigit {
      i &-= 1
      json.bytes[i] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    json.startOver()
    return length
  }

  /// Writes a whole frame around a body that is JSON already.
  public mutating func frame(_ body: Span<UInt8>) {
    header(bodyBytes: body.count)
    json.append(body)
  }

  /// Writes only a header, for a body of known length that goes out by itself.
  public mutating func header(bodyBytes: Int) {
    json.append("Content-Length: ")
    DecimalDigits.append(bodyBytes, to: &json.bytes)
    json.append("\r\n\r\n")
    json.startOver()
  }

  /// Hands over everything written and starts afresh.
  public mutating func take() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &json.bytes)
    return taken
  }

  /// Forgets everything written, which has been sent, and keeps the memory unless that is more than a few frames need.
  public mutating func removeAll() {
    json.bytes.removeAll(keepingCapacity: json.bytes.capacity <= FrameWriter.retainedBytes)
  }
}
