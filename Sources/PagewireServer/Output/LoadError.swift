import JSONRPCTransport
import JSONText
import PageSources
import PaginationCore

/// The error of a failed load, as `loadFailed`, `state` and the answers to waiting requests show it.
struct LoadError {
  let failure: LoadFailure
  let kind: LoadKind
  /// The session's name as JSON text.
  let session: [UInt8]

  init(_ failure: LoadFailure, kind: LoadKind, session: [UInt8]) {
    self.failure = failure
    self.kind = kind
    self.session = session
  }

  /// Writes `{code, message, data}`.
  func write(to json: inout JSONWriter) {
    json.beginObject()
    switch failure.reason {
    case .source(let error):
      // The members of a source's error were written when it came, up to the end of `data`.
      json.append(error.span)
      json.append(",")
      json.startOver()
    case .timeout(let milliseconds):
      begin(
        .timeout, "The source did not answer within \(milliseconds) ms. Try again, or set a longer timeoutMs.", &json)
      json.member("timeoutMs", milliseconds)
    case .cursorCycle(let cursor):
      begin(
        .cursorCycle,
        "The source named a page that it had named before, so the list would never end. Refresh to start over.",
        &json)
      json.key("cursor")
      json.raw(cursor)
    case .missingCursor:
      begin(
        .badPage, "The page says hasMore: true but has no next, and the source goes by cursors. Answer with a next.",
        &json)
    case .tooManyItems(let limit):
      begin(.limitExceeded, "The session would hold more than \(limit) items. Open it with maxItems.", &json)
      json.member("limit", limit)
    }
    json.key("session")
    json.raw(session)
    json.key("kind")
    json.string(ascii: kind.word)
    json.endObject()
    json.endObject()
  }

  private func begin(_ code: RPCErrorCode, _ message: String, _ json: inout JSONWriter) {
    json.member("code", code.rawValue)
    json.member("message", message)
    json.key("data")
    json.beginObject()
    json.key("name")
    json.string(ascii: code.name)
  }

  /// A failure made of a source's error: its members up to, not including, the end of `data`.
  static func failure(_ error: SourceError) -> LoadFailure {
    var json = JSONWriter()
    json.member("code", error.code.rawValue)
    json.member("message", error.message)
    json.key("data")
    json.beginObject()
    json.member("name", error.code.name)
    if let retryable = error.retryable { json.member("retryable", retryable) }
    if let retryAfterMs = error.retryAfterMs { json.member("retryAfterMs", retryAfterMs) }
    for detail in error.details {
      json.key(anyName: Array(detail.key.utf8).span)
      json.raw(detail.json)
    }
    let mayHelp = error.code == .loadFailed || error.code == .sourceUnavailable
    return LoadFailure(
      reason: .source(error: json.bytes), isRetryable: mayHelp && error.retryable != false,
      retryAfterMs: error.retryAfterMs)
  }
}
