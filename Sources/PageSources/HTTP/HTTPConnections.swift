import CSystem
import Synchronization

/// The connections of one source: each is used by one request at a time, and stays warm for the next.
final class HTTPConnections: Sendable {
  /// Two directions can load at once; more connections than that are not kept.
  private static let maximumIdle = 2

  private struct State {
    var idle: [HTTPConnection] = []
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Runs `body` with a connection that nothing else uses meanwhile.
  func withConnection<Value>(_ body: (HTTPConnection) -> Value) throws(SourceError) -> Value {
    try Self.load()
    guard let connection = state.withLock({ $0.idle.popLast() }) ?? HTTPConnection() else {
      throw SourceError(.loadFailed, "There is no memory for a connection. Try again when less runs.")
    }
    let value = body(connection)
    state.withLock { state in
      if !state.isClosed && state.idle.count < Self.maximumIdle { state.idle.append(connection) }
    }
    return value
  }

  /// Closes what is idle now, and the rest as it comes back.
  func close() {
    // Closing may wait for the other side, so it happens outside of the lock.
    let idle = state.withLock { state in
      let idle = state.idle
      state.idle = []
      state.isClosed = true
      return idle
    }
    _ = consume idle
  }

  private static func load() throws(SourceError) {
    var problem = [CChar](repeating: 0, count: 512)
    guard csystem_http_load(&problem, problem.count) != 0 else { return }
    let reason = String(decoding: problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    throw SourceError(
      .sourceUnavailable,
      "HTTP needs libcurl, which could not be opened (\(reason)). Install the package libcurl4, or name the file in "
        + "PAGEWIRE_LIBCURL.", retryable: false, details: [.string("package", "libcurl4")])
  }
}
