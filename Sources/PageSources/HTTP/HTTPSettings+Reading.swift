import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// The settings from a source object: everything is checked here, once.
extension HTTPSettings {
  private static let members = [
    "url", "method", "headers", "query", "body", "bodyEnv", "paging", "items", "total", "hasMore", "end",
    "credentialOrigins",
    "maxResponseBytes", "connectTimeoutMs",
  ]
  /// Headers that belong to the connection, not to a template.
  private static let ownHeaders = [
    "host", "content-length", "transfer-encoding", "connection", "accept-encoding", "expect", "upgrade", "te",
  ]

  /// Reads the settings; secrets are taken from the environment now.
  init(_ object: SourceObject) throws(SourceOpenError) {
    try object.refuseOthers(than: Self.members)
    let variable = try Self.variable(object, "url")
    let text: [UInt8]
    if let variable {
      text = variable.value
    } else {
      text = try object.requiredStringBytes("url", expected: "an http or https URL")
    }
    do throws(HTTPURL.Fault) {
      url = try HTTPURL(text)
    } catch {
      throw object.error("url", "expected an http or https URL; this one \(error.reason)")
    }
    if let variable { secrets.add(url, name: variable.name) }
    paging = try HTTPPaging(object)
    method = try Self.method(object, paging)
    body = try object.passedOn("body")
    items = try object.pointer("items")
    total = try object.value("total").map { (value) throws(SourceOpenError) in try HTTPPlace(object, "total", value) }
    hasMore = try object.pointer("hasMore")
    maxResponseBytes = try object.integer("maxResponseBytes", in: 1...(1 << 31)) ?? maxResponseBytes
    connectTimeoutMs = try object.integer("connectTimeoutMs", in: 1...(1 << 31)) ?? connectTimeoutMs
    try readQuery(object)
    try readBodyValues(object)
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
      if let variable = try Self.variable(query, name) {
        secrets.add(variable.value, name: variable.name)
        url.addQuery(Array(name.utf8), variable.value)
        continue
      }
      for value in values {
        guard let text = query.parameter(value) else {
          throw query.error(name, "expected a string, a number, a boolean, an array of these or {\"env\": NAME}")
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
        let variable = try Self.variable(given, name)
        guard let text = variable?.value ?? JSONReader.stringBytes(given.bytes.span, value) else {
          throw given.error(name, "expected a string or {\"env\": NAME}")
        }
        guard let line = HTTPHeaderText.line(name, text) else {
          throw given.error(name, "expected a value without line breaks and other control characters")
        }
        headers.append(line)
        if let variable { secrets.add(text, name: variable.name) } else { secrets.add(text) }
        secrets.addBehindFirstWord(of: text)
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

  /// Puts values of the environment into the body.
  private mutating func readBodyValues(_ object: SourceObject) throws(SourceOpenError) {
    guard let given = try object.object("bodyEnv") else { return }
    for (path, value) in given.entries {
      guard let pointer = try? JSONPointer(utf8: Array(path.utf8)) else {
        throw given.error(path, "is no JSON Pointer such as \"/key\"")
      }
      guard let name = JSONReader.string(given.bytes.span, value) else {
        throw given.error(path, "expected the name of an environment variable")
      }
      let text = try Self.valueOfVariable(name, for: "The body takes its value at \(SourceObject.shown(path))")
      guard let changed = JSONEdit.setting(body ?? Array("{}".utf8), at: pointer, to: HTTPPages.quoted(text)) else {
        throw given.error(path, "leads to no place that the body has or can be given")
      }
      body = changed
      secrets.add(text, name: name)
    }
  }

  /// The environment variable that stands for a member's value, `{"env": NAME}`; nil where its value is no object.
  private static func variable(
    _ object: SourceObject, _ member: String
  ) throws(SourceOpenError) -> (name: String, value: [UInt8])? {
    guard let value = object.value(member), object.kind(of: value) == .object, let inner = try object.object(member)
    else { return nil }
    try inner.refuseOthers(than: ["env"], allowsType: false)
    let name = try inner.requiredString("env", expected: "the name of an environment variable")
    return (name, try valueOfVariable(name, for: "\(SourceObject.shown(member)) takes its value"))
  }

  private static func valueOfVariable(_ name: String, for purpose: String) throws(SourceOpenError) -> [UInt8] {
    if !name.isEmpty, !name.utf8.contains(0), let found = getenv(name) {
      return (0..<strlen(found)).map { UInt8(bitPattern: found[$0]) }
    }
    let shown = SourceObject.shown(name)
    throw .source(
      SourceError(
        .sourceUnavailable,
        "\(purpose) from the environment variable \(shown), which is not set. Set it where the server is started.",
        details: [.string("env", shown)]))
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
    case .cursor(_, let to, _, let previousTo, let sizeTo):
      for (name, target) in [("to", to), ("previousTo", previousTo), ("sizeTo", sizeTo)] {
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
