import CSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Asks a server for one response: follows redirects as far as they may be followed, and puts faults into words.
struct HTTPExchange: Sendable {
  /// The most redirects that lead to one response.
  static let maximumRedirects = 10

  let settings: HTTPSettings
  let connections: HTTPConnections

  /// The response to `call`, of whatever status that is no redirect.
  func perform(_ call: HTTPCall, _ cancellation: CancellationFlag) throws(SourceError) -> HTTPResponse {
    var call = call
    for _ in 0...Self.maximumRedirects {
      try checkOrigin(call.url)
      let current = call
      let outcome = try connections.withConnection { connection in
        connection.perform(
          current, maxBytes: settings.maxResponseBytes, connectTimeoutMs: settings.connectTimeoutMs,
          cancellation: cancellation)
      }
      if outcome.code != 0 { throw fault(outcome, call) }
      let response = HTTPResponse(
        url: call.url, status: outcome.status, headers: HTTPHeaders(outcome.headers), body: outcome.body)
      guard let target = try redirect(response, call) else { return response }
      call.url = target.url
      call.method = target.method
    }
    throw SourceError(
      .loadFailed,
      "\(call.shown) has led from one redirect to the next more than \(Self.maximumRedirects) times. Name "
        + "the URL in the source at which the answer is.", retryable: false)
  }

  /// Refuses to ask anybody whom the source was not told to trust: the headers and what is behind a firewall are at stake.
  private func checkOrigin(_ url: HTTPURL) throws(SourceError) {
    if settings.origins.contains(url.origin) { return }
    throw SourceError(
      .loadFailed,
      "The server at \(settings.url.origin) names a page at another origin, \(url.origin), which is not asked: it would get "
        + "the headers of the source. If it may have them, add it to credentialOrigins.",
      retryable: false, details: [.string("origin", url.origin)])
  }

  private func redirect(
    _ response: HTTPResponse, _ call: HTTPCall
  ) throws(SourceError) -> (url: HTTPURL, method: String)? {
    guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers.first("location")
    else { return nil }
    if call.method != "GET", response.status < 307 {
      // What would follow is a GET without the body, which asks for something else.
      throw SourceError(
        .loadFailed,
        "\(call.shown) answered \(response.status), which does not say to send the request again. Name the "
          + "URL in the source at which the answer is.", retryable: false,
        details: [.integer("status", response.status)])
    }
    do throws(HTTPURL.Fault) {
      return (try HTTPURL(location, relativeTo: call.url), call.method)
    } catch {
      throw SourceError(
        .badPage, "\(call.shown) leads on to something that \(error.reason).",
        details: [.integer("status", response.status)])
    }
  }

  // MARK: Faults

  private func fault(_ outcome: HTTPConnection.Outcome, _ call: HTTPCall) -> SourceError {
    if outcome.isBodyTooLarge {
      return SourceError(
        .limitExceeded,
        "The answer of \(call.shown) has more than \(settings.maxResponseBytes) bytes. Ask for fewer items, "
          + "or raise maxResponseBytes.", details: [.integer("limit", settings.maxResponseBytes)])
    }
    if outcome.areHeadersTooLarge {
      return SourceError(
        .limitExceeded,
        "The headers of the answer of \(call.shown) have more than \(HTTPConnection.maximumHeaderBytes) bytes.",
        details: [.integer("limit", HTTPConnection.maximumHeaderBytes)])
    }
    let problem = outcome.problem.isEmpty ? "" : " (\(settings.secrets.hidden(outcome.problem)))"
    switch outcome.code {
    case CSYSTEM_HTTP_CANCELLED:
      return SourceError(.loadFailed, "The request was cancelled.")
    case CSYSTEM_HTTP_NO_MEMORY:
      return SourceError(.loadFailed, "There is no memory for the answer of \(call.shown). Ask for fewer items.")
    case CSYSTEM_HTTP_NO_HOST:
      return SourceError(
        .sourceUnavailable, "The host of \(call.shownURL) is not known\(problem). Check the URL and the network.")
    case CSYSTEM_HTTP_NO_CONNECTION, CSYSTEM_HTTP_TIMED_OUT:
      return SourceError(
        .sourceUnavailable, "There is no connection to \(call.url.origin)\(problem). Check that the server runs.")
    case CSYSTEM_HTTP_BAD_CERTIFICATE:
      return SourceError(
        .sourceUnavailable, "The certificate of \(call.url.origin) is not trusted\(problem).", retryable: false)
    case CSYSTEM_HTTP_BAD_ENCODING:
      return SourceError(.badPage, "The answer of \(call.shown) cannot be decoded\(problem).")
    case CSYSTEM_HTTP_BAD_URL:
      return SourceError(.loadFailed, "\(call.shownURL) cannot be asked\(problem). Check the URL.", retryable: false)
    default:
      return SourceError(
        .loadFailed, "The answer of \(call.shown) broke off\(problem). Try again.",
        details: [.integer("libcurl", outcome.code)])
    }
  }

  /// The error that a status of 300 and above, or below 200, means.
  func statusError(_ response: HTTPResponse, _ call: HTTPCall) -> SourceError {
    let status = response.status
    // An API that counts requests may answer 403 when they are used up.
    let isLimited = status == 403 && response.headers.first("x-ratelimit-remaining") == [UInt8(ascii: "0")]
    let isRetryable = status == 408 || status == 429 || status >= 500 || isLimited
    let wait = isRetryable ? RetryHint.milliseconds(response.headers, now: time(nil)) : nil
    let advice =
      switch status {
      case 401: "Check the credentials in headers."
      case 404, 410: "There is nothing at that place; check the URL, or refresh."
      case 403 where !isLimited: "Check the credentials in headers."
      case 403, 429: wait == nil ? "It is asked too often; try again later." : "It says when to ask again."
      case 500...: "Try again later."
      case 300..<400: "Name the URL in the source at which the answer is."
      default: "Check url, query, headers and body of the source."
      }
    var details: [SourceError.Detail] = [.integer("status", status)]
    if let cause = cause(response) { details.append(.init(key: "cause", json: cause)) }
    return SourceError(
      .loadFailed, "\(call.shown) answered \(status). \(advice)", retryable: isRetryable, retryAfterMs: wait,
      details: details)
  }

  /// What the server says of its error, where that is a short JSON text without a secret in it.
  private func cause(_ response: HTTPResponse) -> [UInt8]? {
    guard response.body.count <= 4096, let value = HTTPDocument.value(response.body),
      !settings.secrets.areIn(response.body)
    else { return nil }
    return Array(response.body[value.range])
  }
}

extension [UInt8] {
  /// Whether `other`, which is not empty, is a part of these bytes.
  func holds(_ other: [UInt8]) -> Bool {
    guard !other.isEmpty, count >= other.count else { return false }
    return (0...(count - other.count)).contains { self[$0..<($0 + other.count)].elementsEqual(other) }
  }
}
