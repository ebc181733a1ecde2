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
    try paging.refuseOthers(than: ["strategy", "from", "to", "sizeTo"], allowsType: false)
    guard let from = paging.value("from") else {
      throw paging.error("from", "expected a JSON Pointer or {\"header\": name}")
    }
    guard paging.value("to") != nil else {
      throw paging.error("to", "expected {\"query\": name}, {\"header\": name} or {\"body\": pointer}")
    }
    let place = try HTTPPlace(paging, "from", from)
    guard let to = try HTTPTarget(paging, "to") else { throw paging.error("to", "expected an object") }
    return .cursor(from: place, to: to, sizeTo: try HTTPTarget(paging, "sizeTo"))
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

// What these settings need beside the members that all sources read.
extension SourceObject {
  /// The members in their order, each name once: of several the last counts.
  var entries: [(name: String, value: JSONSlice)] {
    var entries: [(name: String, value: JSONSlice)] = []
    for name in names where !entries.contains(where: { $0.name == name }) {
      if let value = value(name) { entries.append((name, value)) }
    }
    return entries
  }

  /// An object inside of this one, nil where the member is absent.
  func object(_ name: String) throws(SourceOpenError) -> SourceObject? {
    guard let value = value(name) else { return nil }
    let object = try SourceObject(bytes.span, value, pointer: "\(pointer)/\(Self.escaped(name))", expected: "an object")
    if object.names.count > 200 { throw error(name, "expected an object of at most 200 members") }
    return object
  }

  /// A JSON Pointer, nil where the member is absent.
  func pointer(
    _ name: String, expected: String = "a JSON Pointer such as \"/data\""
  ) throws(SourceOpenError) -> JSONPointer? {
    guard let value = value(name) else { return nil }
    guard let text = JSONReader.stringBytes(bytes.span, value), let pointer = try? JSONPointer(utf8: text) else {
      throw error(name, "expected \(expected)")
    }
    return pointer
  }

  /// A string that is not empty, nil where the member is absent.
  func name(_ name: String) throws(SourceOpenError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = JSONReader.string(bytes.span, value), !text.isEmpty else { throw error(name, "expected a name") }
    return text
  }

  /// The name of a parameter of the query, nil where the member is absent.
  func parameterName(_ name: String) throws(SourceOpenError) -> [UInt8]? { try self.name(name).map { Array($0.utf8) } }

  /// The name of a header.
  func headerName(_ name: String) throws(SourceOpenError) -> String {
    guard let text = try self.name(name), text.utf8.allSatisfy(HTTPHeaderText.isNameByte) else {
      throw error(name, "expected the name of a header")
    }
    return text
  }

  /// What a value is as a parameter: a string's content, the text of a number or boolean.
  func parameter(_ value: JSONSlice) -> [UInt8]? {
    switch kind(of: value) {
    case .string: JSONReader.stringBytes(bytes.span, value)
    case .number, .bool: JSONReader.raw(bytes.span, value)
    default: nil
    }
  }
}
