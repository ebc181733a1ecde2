import CSystem

/// A warm connection of the HTTP library.
///
/// `@unchecked Sendable`: one thread at a time has it, because `HTTPConnections` hands it out under a lock and only to one.
final class HTTPConnection: @unchecked Sendable {
  private let handle: OpaquePointer

  init?() {
    guard let handle = csystem_http_new() else { return nil }
    self.handle = handle
  }

  deinit { csystem_http_free(handle) }

  /// What came of a request.
  struct Outcome {
    /// 0, a code of the library, or one of `CSYSTEM_HTTP_*` below 0.
    var code: Int
    var status: Int
    var headers: [UInt8]
    var body: [UInt8]
    var isBodyTooLarge: Bool
    var areHeadersTooLarge: Bool
    /// The library's words.
    var problem: String
  }

  /// The most bytes of header lines that are taken.
  static let maximumHeaderBytes = 256 << 10

  /// Performs one request; blocks until it is answered, has failed or is not wanted any more.
  func perform(
    _ call: HTTPCall, maxBytes: Int, connectTimeoutMs: Int, cancellation: CancellationFlag
  ) -> Outcome {
    // All text in one buffer, each piece ended by NUL.
    var text = call.url.text + [0]
    let method = text.count
    text += Array(call.method.utf8) + [0]
    var headers: [Int] = []
    for header in call.headers {
      headers.append(text.count)
      text += header + [0]
    }
    let body = call.body ?? []
    var response = csystem_http_response()
    let code = text.withUnsafeBytes { text in
      body.withUnsafeBytes { body in
        guard let base = text.baseAddress?.assumingMemoryBound(to: CChar.self) else {
          return Int32(CSYSTEM_HTTP_NO_MEMORY)
        }
        let lines: [UnsafePointer<CChar>?] = headers.map { base + $0 }
        return lines.withUnsafeBufferPointer { lines in
          var request = csystem_http_request()
          request.url = base
          request.method = base + method
          request.headers = lines.baseAddress
          request.header_count = lines.count
          // An empty array may have no address at all, which would mean that there is no body.
          request.body = call.body == nil ? nil : body.baseAddress ?? UnsafeRawPointer(base)
          request.body_size = body.count
          request.connect_timeout_ms = connectTimeoutMs
          request.max_body_size = maxBytes
          request.max_header_size = Self.maximumHeaderBytes
          request.is_cancelled = { context in
            guard let context else { return 0 }
            return Unmanaged<CancellationFlag>.fromOpaque(context).takeUnretainedValue().isCancelled ? 1 : 0
          }
          request.context = Unmanaged.passUnretained(cancellation).toOpaque()
          return cancellation.interrupting(by: { csystem_http_wake(self.handle) }) {
            csystem_http_perform(handle, &request, &response)
          }
        }
      }
    }
    let problem = withUnsafeBytes(of: response.error) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return Outcome(
      code: Int(code), status: response.status,
      headers: Array(UnsafeRawBufferPointer(start: response.headers, count: response.header_size)),
      body: Array(UnsafeRawBufferPointer(start: response.body, count: response.body_size)),
      isBodyTooLarge: response.body_too_large != 0, areHeadersTooLarge: response.headers_too_large != 0,
      problem: problem)
  }
}
