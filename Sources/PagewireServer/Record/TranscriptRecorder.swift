import CSystem
import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes the traffic of a serving process as a transcript that can be played again (`--record FILE`).
///
/// What depends on the time (delays with jitter, decisions made while a load runs) is written as a wildcard; ids of our own
/// requests are captured; header values and environment variables that a source object spells out are left out. A recording
/// that reaches its bound or cannot be written ends there, and serving goes on.
struct TranscriptRecorder {
  /// Why a recording has ended before the process.
  enum Ending: Equatable {
    /// It has as many bytes as it may have.
    case full
    /// It could not be written, with this errno.
    case failed(Int32)
  }

  private let descriptor: Int32
  private let start: Int
  private var bytesLeft: Int
  /// Set once, when nothing more is written.
  private(set) var ending: Ending?
  private var hasInputEnded = false

  /// Creates the file, readable by its owner only; nil where that fails, with errno set.
  init?(path: String, maxBytes: Int, options: [String], now: Int) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    if descriptor < 0 { return nil }
    start = now
    bytesLeft = maxBytes
    var json = JSONWriter()
    json.beginObject()
    json.member("transcript", "1.0")
    json.member("description", "A recording by pagewire \(PagewireVersion.server).")
    json.member("section", "19")
    json.member("recorded", true)
    if !options.isEmpty {
      json.key("options")
      json.beginArray()
      for option in options { json.string(option) }
      json.endArray()
    }
    json.endObject()
    write(json.bytes)
  }

  // MARK: Steps

  /// A frame came in.
  mutating func received(_ body: Span<UInt8>, ids: RecordedIDs, now: Int) {
    var step = begin(now)
    // An answer to us holds no source, and its id has its place.
    let shown = ids.response.isEmpty ? RecordedMessage.withoutSecrets(body) : body.withUnsafeBufferPointer { Array($0) }
    if let text = RecordedMessage.sent(shown.span, ids) {
      step.key("send")
      step.raw(text)
    } else {
      step.key("sendRaw")
      step.raw(RecordedMessage.rawFrame(shown.span))
    }
    end(step)
  }

  /// A message goes out.
  ///
  /// - Parameter isBusy: whether a load runs, so that another time the message might say something else.
  mutating func sent(_ body: Span<UInt8>, isBusy: Bool, now: Int) {
    var step = begin(now)
    step.key("expect")
    step.raw(RecordedMessage.pattern(body, isBusy: isBusy))
    end(step)
  }

  /// The input has ended.
  mutating func inputEnded(now: Int) {
    hasInputEnded = true
    var step = begin(now)
    step.member("closeStdin", true)
    end(step)
  }

  /// The process ends.
  ///
  /// - Parameter isAsked: whether `exit` asked for it; else it was the client's leaving, which is played as the end of input.
  mutating func exits(status: Int32, isAsked: Bool, now: Int) {
    if !isAsked && !hasInputEnded { inputEnded(now: now) }
    var step = begin(now)
    step.member("expectExit", Int(status))
    end(step)
    close(descriptor)
  }

  private func begin(_ now: Int) -> JSONWriter {
    var json = JSONWriter()
    json.beginObject()
    json.member("at", now - start)
    return json
  }

  private mutating func end(_ step: JSONWriter) {
    var step = step
    step.endObject()
    write(step.bytes)
  }

  private mutating func write(_ line: [UInt8]) {
    guard ending == nil else { return }
    guard line.count + 1 <= bytesLeft else {
      ending = .full
      return
    }
    bytesLeft -= line.count + 1
    let text = line + [0x0A]
    let failure = csystem_write_all(descriptor, text, text.count)
    if failure != 0 { ending = .failed(failure) }
  }
}
