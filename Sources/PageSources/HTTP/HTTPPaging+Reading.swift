import JSONText

// The strategy from a source object.
extension HTTPPaging {
  /// Reads the member `paging`; without it the answers must show how to go on.
  init(_ object: SourceObject) throws(SourceOpenError) {
    guard let value = object.value("paging"), !JSONReader.stringEquals(object.bytes.span, value, "auto") else {
      self = .auto
      return
    }
    let known = Self.words.map { "\"\($0)\"" }.joined(separator: ", ")
    guard object.kind(of: value) == .object else { throw object.error("paging", "expected \"auto\" or an object") }
    guard let paging = try object.object("paging") else { throw object.error("paging", "expected an object") }
    guard let word = try paging.word("strategy", of: Self.words) else {
      throw paging.error("strategy", "expected one of \(known)")
    }
    switch word {
    case "page": self = try Self.page(paging)
    case "offset":
      try paging.refuseOthers(than: ["strategy", "param", "sizeParam"], allowsType: false)
      self = .offset(
        param: try paging.parameterName("param") ?? Array("offset".utf8),
        sizeParam: try paging.parameterName("sizeParam"))
    case "cursor": self = try Self.cursor(paging)
    case "link": self = try Self.link(paging)
    case "nextUrl": self = try Self.nextURL(paging)
    case "graphql": self = try Self.graphQL(paging)
    default:
      try paging.refuseOthers(than: ["strategy"], allowsType: false)
      self = .single
    }
  }

  private static func page(_ paging: SourceObject) throws(SourceOpenError) -> HTTPPaging {
    try paging.refuseOthers(than: ["strategy", "param", "sizeParam", "first"], allowsType: false)
    return .page(
      param: try paging.parameterName("param") ?? Array("page".utf8), sizeParam: try paging.parameterName("sizeParam"),
      first: try paging.integer("first") ?? 1)
  }

  private static func cursor(_ paging: SourceObject) throws(SourceOpenError) -> HTTPPaging {
    try paging.refuseOthers(
      than: ["strategy", "from", "to", "previousFrom", "previousTo", "sizeTo"], allowsType: false)
    guard let from = paging.value("from") else {
      throw paging.error("from", "expected a JSON Pointer or {\"header\": name}")
    }
    guard paging.value("to") != nil else {
      throw paging.error("to", "expected {\"query\": name}, {\"header\": name} or {\"body\": pointer}")
    }
    let place = try HTTPPlace(paging, "from", from)
    guard let to = try HTTPTarget(paging, "to") else { throw paging.error("to", "expected an object") }
    var previous: HTTPPlace?
    if let value = paging.value("previousFrom") { previous = try HTTPPlace(paging, "previousFrom", value) }
    let previousTo = try HTTPTarget(paging, "previousTo")
    if previousTo != nil, previous == nil {
      throw paging.error("previousTo", "needs previousFrom, the place where the token is")
    }
    return .cursor(
      from: place, to: to, previousFrom: previous, previousTo: previousTo, sizeTo: try HTTPTarget(paging, "sizeTo"))
  }

  private static func link(_ paging: SourceObject) throws(SourceOpenError) -> HTTPPaging {
    try paging.refuseOthers(than: ["strategy", "rel", "previousRel", "sizeParam"], allowsType: false)
    return .link(
      relation: try paging.name("rel") ?? "next", previousRelation: try paging.name("previousRel") ?? "prev",
      sizeParam: try paging.parameterName("sizeParam"))
  }

  private static func nextURL(_ paging: SourceObject) throws(SourceOpenError) -> HTTPPaging {
    try paging.refuseOthers(than: ["strategy", "from", "previousFrom", "sizeParam"], allowsType: false)
    var from = HTTPPlace.body(JSONPointer(tokens: [Array("next".utf8)]))
    if let value = paging.value("from") { from = try HTTPPlace(paging, "from", value) }
    var previous: HTTPPlace?
    if let value = paging.value("previousFrom") { previous = try HTTPPlace(paging, "previousFrom", value) }
    return .nextURL(from: from, previousFrom: previous, sizeParam: try paging.parameterName("sizeParam"))
  }

  private static func graphQL(_ paging: SourceObject) throws(SourceOpenError) -> HTTPPaging {
    try paging.refuseOthers(
      than: ["strategy", "connection", "after", "first", "before", "last"], allowsType: false)
    guard let connection = try paging.pointer("connection") else {
      throw paging.error("connection", "expected a JSON Pointer such as \"/data/items\"")
    }
    return .graphQL(
      connection: connection, after: try paging.name("after") ?? "after", first: try paging.name("first") ?? "first",
      before: try paging.name("before"), last: try paging.name("last") ?? "last")
  }
}

extension HTTPPlace {
  /// Reads a JSON Pointer or `{"header": name}`.
  init(_ object: SourceObject, _ name: String, _ value: JSONSlice) throws(SourceOpenError) {
    if object.kind(of: value) == .object, let inner = try object.object(name) {
      try inner.refuseOthers(than: ["header"], allowsType: false)
      self = .header(try inner.headerName("header").lowercased())
    } else if let pointer = try object.pointer(name, expected: "a JSON Pointer or {\"header\": name}") {
      self = .body(pointer)
    } else {
      throw object.error(name, "expected a JSON Pointer or {\"header\": name}")
    }
  }
}

extension HTTPTarget {
  /// Reads an object with one of `query`, `header`, `body`; nil where the member is absent.
  init?(_ object: SourceObject, _ name: String) throws(SourceOpenError) {
    guard let inner = try object.object(name) else { return nil }
    try inner.refuseOthers(than: ["query", "header", "body"], allowsType: false)
    guard inner.entries.count == 1 else {
      throw object.error(name, "expected exactly one of {\"query\": name}, {\"header\": name}, {\"body\": pointer}")
    }
    if let parameter = try inner.parameterName("query") {
      self = .query(parameter)
    } else if let pointer = try inner.pointer("body") {
      guard pointer.tokens.count <= JSONEdit.maximumDepth else { throw inner.error("body", "is too deep") }
      self = .body(pointer)
    } else {
      self = .header(try inner.headerName("header"))
    }
  }
}
