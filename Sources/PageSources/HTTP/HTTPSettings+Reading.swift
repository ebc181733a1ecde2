import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// The settings from a source object: everything is checked here, once.
extension HTTPSettings {
  private static let members = [
    "url", "method", "headers", "query", "body", "paging", "items", "total", "hasMore", "end", "credentialOrigins",
    "maxResponseBytes", "connectTimeoutMs",
  ]
  /// Headers that belong to the connection, not to a template.
  private static let ownHeaders = [
    "host", "content-length", "transfer-encoding", "connection", "accept-encoding", "expect", "upgrade", "te",
  ]

  /// Reads the settings; secrets are taken from the environment now.
  init(_ object: SourceObject) throws(SourceOpenError) {
    try object.refuseOthers(than: Self.members)
    let text = try object.requiredStringBytes("url", expected: "an http or https URL")
    do throws(HTTPURL.Fault) {
      url = try HTTPURL(text)
    } catch {
      throw object.error("url", "expected an http or https URL; this one \(error.reason)")
    }
    paging = try HTTPPaging(object)
    method = try Self.method(object, paging)
    body = object.value("body").map { JSONReader.raw(object.bytes.span, $0) }
    items = try object.pointer("items")
    total = try object.value("total").map { (value) throws(SourceOpenError) in try HTTPPlace(object, "total", value) }
    hasMore = try object.pointer("hasMore")
    maxResponseBytes = try object.integer("maxResponseBytes", in: 1...(1 << 31)) ?? maxResponseBytes
    connectTimeoutMs = try object.integer("connectTimeoutMs", in: 1...(1 << 31)) ?? connectTimeoutMs
    try readQuery(object)
    try readHeaders(object)
    try readEnd(object)
    try readOrigins(object)
    try checkTargets(object)
  }

  private static func method(_ object: SourceObject, _ paging: HTTPPaging) throws(SourceOpenError) -> String {
    guard object.value("method") != nil else {
      // A query in a body can be sent in no other way.
      if case .graphQL = paging { return "POST" }
      return "GET"
    }
    let method = try object.requiredString("method", expected: "a method such as \"GET\"")
    let other = ["HEAD", "CONNECT", "TRACE", "OPTIONS"]
    guard !method.isEmpty, method.utf8.count <= 32, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }),
      !other.contains(method)
    else { throw object.error("method", "expected a method such as \"GET\" or \"POST\", whose answer has items") }
    return method
  }

  private mutating func readQuery(_ object: SourceObject) throws(SourceOpenError) {
    guard let query = try object.object("query") else { return }
    for (name, value) in query.entries {
      var values = [value]
      if query.kind(of: value) == .array {
        values = try query.elements(of: value, name, expected: "an array").map(\.value)
      }
      for value in values {
        guard let text = query.parameter(value) else {
          throw query.error(name, "expected a string, a number, a boolean or an array of these")
        }
        url.addQuery(Array(name.utf8), text)
      }
    }
  }

  private mutating func readHeaders(_ object: SourceObject) throws(SourceOpenError) {
    var names: Set<String> = []
    if let given = try object.object("headers") {
      for (name, value) in given.entries {
        guard !name.isEmpty, name.utf8.allSatisfy(HTTPHeaderText.isNameByte) else {
          throw given.error(name, "is no name of a header")
        }
        if Self.ownHeaders.contains(name.lowercased()) { throw given.error(name, "cannot be set: the connection does") }
        let text = try Self.headerValue(given, name, value)
        guard let line = HTTPHeaderText.line(name, text) else {
          throw given.error(name, "expected a value without line breaks and other control characters")
        }
        headers.append(line)
        if text.count >= 4 { secrets.append(text) }
        names.insert(name.lowercased())
      }
    }
    let ours = [
      ("Accept", "application/json"), ("User-Agent", "pagewire"),
      ("Content-Type", body == nil ? "" : "application/json"),
    ]
    for (name, value) in ours where !value.isEmpty && !names.contains(name.lowercased()) {
      headers.append(Array("\(name): \(value)".utf8))
    }
    // Otherwise the library asks before it sends a larger body, and waits for the answer.
    headers.append(Array("Expect:".utf8))
  }

  private static func headerValue(
    _ headers: SourceObject, _ name: String, _ value: JSONSlice
  ) throws(SourceOpenError) -> [UInt8] {
    if let text = JSONReader.stringBytes(headers.bytes.span, value) { return text }
    guard headers.kind(of: value) == .object, let object = try headers.object(name) else {
      throw headers.error(name, "expected a string or {\"env\": NAME}")
    }
    try object.refuseOthers(than: ["env"], allowsType: false)
    let variable = try object.requiredString("env", expected: "the name of an environment variable")
    guard !variable.isEmpty, !variable.utf8.contains(0), let found = getenv(variable) else {
      let shown = SourceObject.shown(variable)
      throw .source(
        SourceError(
          .sourceUnavailable,
          "The header \(name) takes its value from the environment variable \(shown), which is not set. Set it where the "
            + "server is started.", details: [.string("env", shown)]))
    }
    return (0..<strlen(found)).map { UInt8(bitPattern: found[$0]) }
  }

  private mutating func readEnd(_ object: SourceObject) throws(SourceOpenError) {
    guard let given = try object.object("end") else { return }
    try given.refuseOthers(than: ["nullItems", "notFound", "noContent", "repeatedCursor"], allowsType: false)
    end.nullItems = try given.bool("nullItems") ?? true
    end.notFound = try given.bool("notFound") ?? true
    end.noContent = try given.bool("noContent") ?? true
    let words = RepeatedCursor.allCases.map(\.rawValue)
    end.repeatedCursor = try given.word("repeatedCursor", of: words).flatMap(RepeatedCursor.init) ?? .error
  }

  private mutating func readOrigins(_ object: SourceObject) throws(SourceOpenError) {
    origins = [url.origin]
    guard let value = object.value("credentialOrigins") else { return }
    let expected = "an array of origins such as \"https://api.example\""
    for (index, element) in try object.elements(of: value, "credentialOrigins", expected: expected).enumerated() {
      let text = JSONReader.stringBytes(object.bytes.span, element.value)
      guard let text, let url = try? HTTPURL(text), url.path == [UInt8(ascii: "/")], url.query == nil else {
        throw object.error("credentialOrigins", at: "\(index)", "expected an origin such as \"https://api.example\"")
      }
      origins.insert(url.origin)
    }
  }

  /// Whether what goes into the body has a place there.
  private func checkTargets(_ object: SourceObject) throws(SourceOpenError) {
    switch paging {
    case .cursor(_, let to, let sizeTo):
      for (name, target) in [("to", to), ("sizeTo", sizeTo)] {
        guard case .body(let pointer)? = target else { continue }
        if JSONEdit.setting(body ?? Array("{}".utf8), at: pointer, to: Array("null".utf8)) == nil {
          throw object.error("paging", at: "\(name)/body", "leads to no place that the body has or can be given")
        }
      }
    case .graphQL:
      let query = try? JSONPointer("/query")
      guard let body, let text = query?.resolve(in: body.span, JSONSlice(start: 0, end: body.count)),
        JSONReader.kind(body.span, text) == .string
      else { throw object.error("body", "expected an object with the member \"query\", the text of a GraphQL query") }
      let variables = JSONPointer(tokens: [Array("variables".utf8), [0x78]])
      if JSONEdit.setting(body, at: variables, to: Array("null".utf8)) == nil {
        throw object.error("body", "expected the member \"variables\" to be an object where it is there")
      }
    case .auto, .single, .page, .offset, .link, .nextURL: return
    }
  }
}
