import JSONText

/// A session that is played to a front end: what the transcript has told it, and what it has reported.
///
/// Knows enough to answer each report as a server would.
struct PlayedSession {
  /// A side of the list.
  enum Edge: String {
    case end, start

    /// The kind of load that this side's demand starts.
    var kind: String { self == .end ? "more" : "previous" }
  }

  /// The decision for a side, and whether the report asks for a load there.
  struct Weighed {
    var decision: String
    var isDemand: Bool
  }

  let name: JSONNode
  /// The params of `open`.
  let settings: JSONNode
  private(set) var generation = 1
  /// The positions that are loaded.
  private(set) var loaded: ClosedRange<Int>?
  /// All positions that this generation ever had: a report of any of them may be under way.
  private(set) var ever: ClosedRange<Int>?
  private var positionsByID: [[UInt8]: Int] = [:]
  private var hasMore = true
  private var hasPrevious = false
  private var isPaused = false
  private var phase: String
  /// The kinds of loads that run.
  private(set) var running: Set<String> = []
  private var errors: [String: JSONNode] = [:]
  /// Items that the running load has added, and those it dropped as duplicates.
  private(set) var added = 0
  private(set) var duplicates = 0
  /// Sides for which `started` was answered, or a load requested, and no load was played yet.
  private var asked: Set<Edge> = []
  /// The furthest positions that were reported.
  private var furthest: [Edge: Int] = [:]
  private var visibleLoaders: Set<Edge> = []
  private var scrolledID = "null"

  init(name: JSONNode, settings: JSONNode) {
    self.name = name
    self.settings = settings
    phase = settings["autoload"]?.text == "false" ? "idle" : "loadingFirst"
  }

  private var isAutoloading: Bool { settings["autoload"]?.text != "false" }
  private var canLoadMore: Bool { settings["canLoadMore"]?.text != "false" }
  private var threshold: Int { max(0, settings["prefetchThreshold"]?.integer ?? 3) }
  private var trigger: JSONNode? { settings["trigger"] }

  /// Whether `open` asked for items and ids in this form.
  func isTold(as form: String) -> Bool { settings["itemsAs"]?.string == form }

  // MARK: What the transcript says

  /// Takes a notification that was sent.
  mutating func apply(method: String, _ params: JSONNode) {
    let kind = params["kind"]?.string ?? ""
    if method != "loading", method != "loadFailed" { generation = params["generation"]?.integer ?? generation }
    switch method {
    case "loading":
      if params["isLoading"]?.text == "true" { began(kind) } else { ended(kind, params["result"]?.string ?? "") }
    case "pageAppended", "pagePrepended": page(params, isPrepended: method == "pagePrepended")
    case "pagesDropped": dropped(params)
    case "cleared": forget()
    case "loadFailed": errors[kind] = params["error"]
    default: break
    }
    hasMore = params["hasMore"].map { $0.text == "true" } ?? hasMore
    hasPrevious = params["hasPrevious"].map { $0.text == "true" } ?? hasPrevious
    isPaused = params["paused"].map { $0.text == "true" } ?? isPaused
    phase = params["phase"]?.string ?? phase
  }

  private mutating func began(_ kind: String) {
    running.insert(kind)
    errors[kind] = nil
    (added, duplicates) = (0, 0)
    if kind == "previous" { asked.remove(.start) } else { asked.remove(.end) }
  }

  private mutating func ended(_ kind: String, _ result: String) {
    running.remove(kind)
    if result != "failed" { errors[kind] = nil }
  }

  private mutating func page(_ params: JSONNode, isPrepended: Bool) {
    if params["replaces"]?.text == "true" { forget() }
    let items = params["items"]?.elements.count ?? 0
    let start = params["start"]?.integer ?? 0
    added &+= items
    duplicates &+= params["duplicates"]?.integer ?? 0
    for (index, id) in (params["ids"]?.elements ?? []).enumerated() { positionsByID[id.raw] = start &+ index }
    guard items > 0, start <= Int.max - items else { return }
    let fresh = start...(start + items - 1)
    loaded = loaded.map { min($0.lowerBound, start)...max($0.upperBound, fresh.upperBound) } ?? fresh
    ever = ever.map { min($0.lowerBound, start)...max($0.upperBound, fresh.upperBound) } ?? fresh
    // What is visible at the start asks for one page.
    if isPrepended {
      furthest[.start] = nil
      visibleLoaders.remove(.start)
    }
  }

  private mutating func dropped(_ params: JSONNode) {
    guard let from = params["from"]?.integer, let to = params["to"]?.integer, let old = loaded else { return }
    let first = params["edge"]?.string == "start" ? to &+ 1 : old.lowerBound
    let last = params["edge"]?.string == "start" ? old.upperBound : from &- 1
    loaded = first <= last ? first...last : nil
    furthest = furthest.filter { $0.value >= first && $0.value <= last }
  }

  private mutating func forget() {
    (loaded, ever) = (nil, nil)
    positionsByID = [:]
    errors = [:]
    furthest = [:]
  }

  // MARK: What the front end reports

  /// Whether a first load is wanted.
  var wantsFirst: Bool { isAutoloading || asked.contains(.end) }

  /// Whether a load at this side is wanted, by any report or request that has come.
  func wants(_ edge: Edge) -> Bool {
    asked.contains(edge) || visibleLoaders.contains(edge) || furthest[edge].map { isInZone($0, edge) } == true
  }

  /// Notes that a load was requested, or that a report was told it had started one.
  mutating func ask(_ edge: Edge) {
    errors[edge.kind] = nil
    asked.insert(edge)
  }

  /// Whether a load at this side is on its way: running, or said to have been started.
  func isLoading(_ edge: Edge) -> Bool { running.contains(edge.kind) || running.contains("initial") }

  func position(ofID id: JSONNode) -> Int? { positionsByID[id.raw] }

  /// Whether no front end that has read the page could speak of this range.
  func hasNeverHad(_ range: ClosedRange<Int>) -> Bool { ever.map { !$0.overlaps(range) } ?? (loaded == nil) }

  /// Weighs a report of these positions (one, or a range); nil stands for an item that is not loaded.
  mutating func report(_ range: ClosedRange<Int>?, replacing: Bool, generation: Int?) -> (Weighed, Weighed) {
    if let generation, generation < self.generation { return both("stale") }
    guard let loaded else { return both(running.isEmpty ? "empty" : "loading") }
    guard let range, range.overlaps(loaded), (generation ?? 0) <= self.generation else { return both("unknown") }
    let cut = range.clamped(to: loaded)
    if trigger.map({ $0.string != "item" && $0.kind != .null }) == true { return both("idle") }
    if replacing {
      furthest = [.end: cut.upperBound, .start: cut.lowerBound]
    } else {
      furthest[.end] = max(furthest[.end] ?? cut.upperBound, cut.upperBound)
      furthest[.start] = min(furthest[.start] ?? cut.lowerBound, cut.lowerBound)
    }
    return (
      weigh(.end, isInZone: isInZone(cut.upperBound, .end)), weigh(.start, isInZone: isInZone(cut.lowerBound, .start))
    )
  }

  /// Weighs the coming and going of a loader.
  mutating func loader(_ edge: Edge, isVisible: Bool) -> Weighed {
    let counts = trigger?.string == "loader"
    if isVisible && counts { visibleLoaders.insert(edge) } else { visibleLoaders.remove(edge) }
    if loaded == nil {
      if isVisible && running.isEmpty && !isAutoloading { asked.insert(.end) }
      return Weighed(decision: running.isEmpty ? (isVisible ? "started" : "empty") : "loading", isDemand: isVisible)
    }
    return isVisible && counts ? weigh(edge, isInZone: true) : Weighed(decision: "idle", isDemand: false)
  }

  /// Weighs geometry.
  mutating func scrolled(offset: Double, viewport: Double, content: Double) -> (Weighed, Weighed) {
    guard loaded != nil else {
      if running.isEmpty && !isAutoloading { asked.insert(.end) }
      return both(running.isEmpty ? "started" : "loading")
    }
    guard let trigger, trigger.kind == .object else { return both("idle") }
    let distance = trigger["distance"]
    let relative = distance?["relative"].flatMap { Double($0.text) } ?? 0.5
    let limit = distance?["absolute"].flatMap { Double($0.text) } ?? relative * viewport
    return (
      weigh(.end, isInZone: content - (offset + viewport) < limit), weigh(.start, isInZone: offset < limit)
    )
  }

  private func both(_ decision: String) -> (Weighed, Weighed) {
    let weighed = Weighed(decision: decision, isDemand: false)
    return (weighed, weighed)
  }

  private func isInZone(_ position: Int, _ edge: Edge) -> Bool {
    guard let loaded else { return false }
    let distance = edge == .end ? loaded.upperBound - position : position - loaded.lowerBound
    return distance <= threshold
  }

  private mutating func weigh(_ edge: Edge, isInZone: Bool) -> Weighed {
    let decision =
      if !canLoadMore { "disabled" } else if !isInZone { "idle" } else if running.contains("refresh") {
        "refreshing"
      } else if isLoading(edge) || asked.contains(edge) { "loading" } else if edge == .end ? !hasMore : !hasPrevious {
        "ended"
      } else if errors[edge.kind] != nil { "latched" } else if isPaused { "paused" } else { "started" }
    if decision == "started" { asked.insert(edge) }
    return Weighed(decision: decision, isDemand: isInZone)
  }

  mutating func setScrolledID(_ id: JSONNode?) { scrolledID = id?.text ?? "null" }

  /// What a `loadMore` or `loadPrevious` is answered at once with; nil where it waits for a load.
  func immediateOutcome(_ edge: Edge) -> String? {
    if running.contains("refresh") { return "superseded" }
    if !canLoadMore && loaded != nil { return "disabled" }
    if isLoading(edge) { return nil }
    let isOver = edge == .end ? !hasMore : !hasPrevious
    return isOver && (loaded != nil || edge == .start || phase == "empty") ? "ended" : nil
  }

  // MARK: Answers

  var facts: String {
    #""count":\#(count),"hasMore":\#(hasMore),"hasPrevious":\#(hasPrevious)"#
  }

  private var count: Int { loaded?.count ?? 0 }

  func error(_ kind: String) -> JSONNode? { errors[kind] }

  /// The session's state as `open` and `state` answer it.
  func state(resume: String?) -> String {
    let kinds = ["initial", "more", "previous", "refresh"]
    // A load that was said to have been started runs, although the transcript has not come to it.
    let started = asked.map { loaded == nil ? "initial" : $0.kind } + (phase == "loadingFirst" ? ["initial"] : [])
    let loading = kinds.map { #""\#($0)":\#(running.contains($0) || started.contains($0))"# }
    let failed = kinds.map { #""\#($0)":\#(errors[$0]?.text ?? "null")"# }
    let type = settings["source"]?["type"]?.text ?? "\"client\""
    let token = resume.map { #","resume":"\#($0)""# } ?? ""
    return #"{"session":\#(name.text),"generation":\#(generation),"phase":"\#(phase)",\#(facts),"paused":\#(isPaused),"#
      + #""first":\#(loaded.map { "\($0.lowerBound)" } ?? "null"),"last":\#(loaded.map { "\($0.upperBound)" } ?? "null"),"#
      + #""pages":\#(loaded == nil ? 0 : 1),"loading":{\#(loading.joined(separator: ","))},"#
      + #""error":{\#(failed.joined(separator: ","))},"scrolledID":\#(scrolledID),"total":null,"pendingRetryInMs":null,"#
      + #""settings":\#(effectiveSettings),"presentation":\#(settings["presentation"]?.text ?? "null"),"#
      + #""source":{"type":\#(type)}\#(token)}"#
  }

  /// What `open` has if it says nothing else, in the order of the protocol.
  private static let defaults: [(name: String, json: String)] = [
    ("pageSize", "20"), ("idPath", "\"/id\""), ("prefetchThreshold", "3"), ("trigger", "\"item\""),
    ("autoload", "true"), ("canLoadMore", "true"), ("canRefresh", "true"), ("endOn", "\"emptyPage\""),
    ("refresh", #"{"mode":"keep","extent":"first"}"#),
    ("retry", #"{"retries":3,"initialDelayMs":500,"maxDelayMs":30000,"multiplier":2,"jitter":0.5}"#),
    ("rearmOnAppear", "false"), ("timeoutMs", "30000"), ("dedupe", "true"), ("maxEmptyPages", "5"),
    ("maxUnseenPages", "5"), ("maxItems", ""), ("itemsAs", ""), ("source", "{}"),
  ]

  private var effectiveSettings: String {
    let members = Self.defaults.compactMap { name, json -> String? in
      guard let given = settings[name], given.kind != .null else { return json.isEmpty ? nil : "\"\(name)\":\(json)" }
      // Of an object, such as `retry`, what was left out has its default.
      let missing = (JSONNode(parsing: Array(json.utf8))?.members ?? []).filter { given[$0.name] == nil }
      let all = missing + (given.kind == .object ? given.members : [])
      let text = all.map { "\"\($0.name)\":\($0.value.text)" }.joined(separator: ",")
      return "\"\(name)\":" + (given.kind == .object ? "{\(text)}" : given.text)
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// How `sessions` lists it.
  var listed: String { #"{"session":\#(name.text),"count":\#(count),"phase":"\#(phase)"}"# }
}
