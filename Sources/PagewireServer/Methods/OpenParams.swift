import JSONText
import PaginationCore

/// The params of `open` but for name, source and place: how the session pages.
struct OpenParams {
  static let refreshModes: [(StaticString, SessionSettings.RefreshMode)] = [("keep", .keep), ("clear", .clear)]
  static let refreshExtents: [(StaticString, SessionSettings.RefreshExtent)] = [
    ("first", .first), ("loaded", .loaded), ("anchor", .anchor),
  ]
  static let endOnWords: [(StaticString, SessionSettings.EndOn)] = [
    ("emptyPage", .emptyPage), ("shortPage", .shortPage), ("never", .never),
  ]

  var settings = SessionSettings()
  var idPath: JSONPointer
  var presentation: [UInt8]?
  var startAt: [UInt8]?
  var resume: JSONSlice?
  var replaces = false
  var itemsAsText = false
  /// The token under which the front end wants to know how far work has come.
  var progressToken: [UInt8]?

  init(_ bytes: Span<UInt8>, _ params: Params) throws(ParamsError) {
    idPath = try Self.idPath(bytes, params)
    try readCounts(bytes, params)
    try readFlags(bytes, params)
    try readTrigger(bytes, params)
    try readRefresh(bytes, params)
    try readRetry(bytes, params)
    presentation = params.value(bytes, "presentation").map { JSONReader.raw(bytes, $0) }
    startAt = params.value(bytes, "startAt").map { JSONReader.raw(bytes, $0) }
    resume = try params.string(bytes, "resume")
    itemsAsText = try params.word(bytes, "itemsAs", [("json", false), ("text", true)]) ?? false
    progressToken = try params.progressToken(bytes)
    replaces = try params.word(bytes, "ifExists", [("error", false), ("replace", true)]) ?? false
  }

  /// One for all sessions: its three arrays would be a tenth of what a session takes.
  private static let plainIDPath = JSONPointer(tokens: [Array("id".utf8)])

  private static func idPath(_ bytes: Span<UInt8>, _ params: Params) throws(ParamsError) -> JSONPointer {
    guard let text = try params.string(bytes, "idPath").flatMap({ JSONReader.stringBytes(bytes, $0) }) else {
      return plainIDPath
    }
    guard let pointer = try? JSONPointer(utf8: text) else {
      throw params.error("idPath", "expected a JSON Pointer such as \"/id\"")
    }
    return pointer
  }

  private mutating func readCounts(_ bytes: Span<UInt8>, _ params: Params) throws(ParamsError) {
    let any = 1...ServerOptions.maxInteger
    settings.pageSize = try params.integer(bytes, "pageSize", in: 1...ServerOptions.maxPageSize) ?? settings.pageSize
    if let threshold = try params.integer(bytes, "prefetchThreshold") {
      settings.prefetchThreshold = max(0, threshold)
    }
    settings.timeoutMs = try params.integer(bytes, "timeoutMs", in: any) ?? settings.timeoutMs
    settings.maxEmptyPages = try params.integer(bytes, "maxEmptyPages", in: any) ?? settings.maxEmptyPages
    settings.maxUnseenPages = try params.integer(bytes, "maxUnseenPages", in: any) ?? settings.maxUnseenPages
    settings.maxItems = try params.integer(bytes, "maxItems", in: any)
  }

  private mutating func readFlags(_ bytes: Span<UInt8>, _ params: Params) throws(ParamsError) {
    settings.autoload = try params.bool(bytes, "autoload") ?? settings.autoload
    settings.canLoadMore = try params.bool(bytes, "canLoadMore") ?? settings.canLoadMore
    settings.canRefresh = try params.bool(bytes, "canRefresh") ?? settings.canRefresh
    settings.rearmOnAppear = try params.bool(bytes, "rearmOnAppear") ?? settings.rearmOnAppear
    settings.dedupe = try params.bool(bytes, "dedupe") ?? settings.dedupe
    settings.endOn = try params.word(bytes, "endOn", Self.endOnWords) ?? settings.endOn
  }

  private mutating func readTrigger(_ bytes: Span<UInt8>, _ params: Params) throws(ParamsError) {
    guard let value = params.value(bytes, "trigger") else { return }
    if JSONReader.stringEquals(bytes, value, "item") { return }
    if JSONReader.stringEquals(bytes, value, "loader") {
      settings.trigger = .loader
      return
    }
    let expected = "expected \"item\", \"loader\" or {\"distance\": ...}"
    guard let trigger = Params.object(bytes, at: value, pointer: "/trigger") else {
      throw params.error("trigger", expected)
    }
    try trigger.refuseOthers(bytes, than: ["distance", "waitForHeightChange"])
    let gate = try Self.heightGate(bytes, trigger)
    guard let distance = try trigger.object(bytes, "distance") else { throw params.error("trigger", expected) }
    try distance.refuseOthers(bytes, than: ["relative", "absolute"])
    let relative = try distance.number(bytes, "relative", in: 0...1e300)
    let absolute = try distance.number(bytes, "absolute", in: 0...1e300)
    if relative != nil && absolute != nil {
      throw ParamsError(distance.pointer, "expected either relative or absolute")
    }
    let limit: SessionSettings.Distance.Limit = absolute.map { .absolute($0) } ?? .relative(relative ?? 0.5)
    settings.trigger = .distance(.init(limit: limit, heightGate: gate))
  }

  private static func heightGate(
    _ bytes: Span<UInt8>, _ trigger: Params
  ) throws(ParamsError) -> SessionSettings.Distance.HeightGate {
    guard let value = trigger.value(bytes, "waitForHeightChange") else { return .until(milliseconds: 2000) }
    if JSONReader.stringEquals(bytes, value, "always") { return .always }
    if JSONReader.stringEquals(bytes, value, "never") { return .never }
    let expected = "expected \"always\", \"never\" or {\"untilMs\": milliseconds}"
    guard let object = Params.object(bytes, at: value, pointer: "/trigger/waitForHeightChange") else {
      throw trigger.error("waitForHeightChange", expected)
    }
    try object.refuseOthers(bytes, than: ["untilMs"])
    guard let milliseconds = try object.integer(bytes, "untilMs", in: 0...ServerOptions.maxInteger) else {
      throw trigger.error("waitForHeightChange", expected)
    }
    return .until(milliseconds: milliseconds)
  }

  private mutating func readRefresh(_ bytes: Span<UInt8>, _ params: Params) throws(ParamsError) {
    guard let refresh = try params.object(bytes, "refresh") else { return }
    try refresh.refuseOthers(bytes, than: ["mode", "extent"])
    settings.refreshMode = try refresh.word(bytes, "mode", Self.refreshModes) ?? .keep
    settings.refreshExtent = try refresh.word(bytes, "extent", Self.refreshExtents) ?? .first
  }

  private mutating func readRetry(_ bytes: Span<UInt8>, _ params: Params) throws(ParamsError) {
    guard let retry = try params.object(bytes, "retry") else { return }
    try retry.refuseOthers(bytes, than: ["retries", "initialDelayMs", "maxDelayMs", "multiplier", "jitter"])
    let any = 0...ServerOptions.maxInteger
    var policy = RetryPolicy()
    policy.retries = try retry.integer(bytes, "retries", in: any) ?? policy.retries
    policy.initialDelayMs = try retry.integer(bytes, "initialDelayMs", in: any) ?? policy.initialDelayMs
    policy.maxDelayMs = try retry.integer(bytes, "maxDelayMs", in: any) ?? policy.maxDelayMs
    policy.multiplier = try retry.number(bytes, "multiplier", in: 1...1_000_000) ?? policy.multiplier
    policy.jitter = try retry.number(bytes, "jitter", in: 0...1) ?? policy.jitter
    settings.retry = policy
  }

  /// The settings as `state` gives them back: every value that is in force.
  func settingsText() -> [UInt8] {
    var json = JSONWriter()
    json.bytes.reserveCapacity(600)
    json.beginObject()
    json.member("pageSize", settings.pageSize)
    json.member("idPath", idPath.text)
    json.member("prefetchThreshold", settings.prefetchThreshold)
    writeTrigger(to: &json)
    json.member("autoload", settings.autoload)
    json.member("canLoadMore", settings.canLoadMore)
    json.member("canRefresh", settings.canRefresh)
    json.member("endOn", word(settings.endOn, Self.endOnWords))
    json.key("refresh")
    json.beginObject()
    json.member("mode", word(settings.refreshMode, Self.refreshModes))
    json.member("extent", word(settings.refreshExtent, Self.refreshExtents))
    json.endObject()
    writeRetry(to: &json)
    json.member("rearmOnAppear", settings.rearmOnAppear)
    json.member("timeoutMs", settings.timeoutMs)
    json.member("dedupe", settings.dedupe)
    json.member("maxEmptyPages", settings.maxEmptyPages)
    json.member("maxUnseenPages", settings.maxUnseenPages)
    if let maxItems = settings.maxItems { json.member("maxItems", maxItems) }
    if itemsAsText { json.member("itemsAs", "text") }
    json.endObject()
    return json.bytes
  }

  private func word<Value: Equatable>(_ value: Value, _ words: [(StaticString, Value)]) -> String {
    words.first { $0.1 == value }.map { "\($0.0)" } ?? ""
  }

  private func writeTrigger(to json: inout JSONWriter) {
    json.key("trigger")
    switch settings.trigger {
    case .item: json.string("item")
    case .loader: json.string("loader")
    case .distance(let distance):
      json.beginObject()
      json.key("distance")
      json.beginObject()
      switch distance.limit {
      case .relative(let share):
        json.key("relative")
        json.double(share)
      case .absolute(let length):
        json.key("absolute")
        json.double(length)
      }
      json.endObject()
      json.key("waitForHeightChange")
      switch distance.heightGate {
      case .always: json.string("always")
      case .never: json.string("never")
      case .until(let milliseconds):
        json.beginObject()
        json.member("untilMs", milliseconds)
        json.endObject()
      }
      json.endObject()
    }
  }

  private func writeRetry(to json: inout JSONWriter) {
    json.key("retry")
    json.beginObject()
    json.member("retries", settings.retry.retries)
    json.member("initialDelayMs", settings.retry.initialDelayMs)
    json.member("maxDelayMs", settings.retry.maxDelayMs)
    json.key("multiplier")
    json.double(settings.retry.multiplier)
    json.key("jitter")
    json.double(settings.retry.jitter)
    json.endObject()
  }
}
