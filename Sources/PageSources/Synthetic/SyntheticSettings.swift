import JSONText

/// What a `synthetic` source was told to be.
struct SyntheticSettings: Sendable, Equatable {
  /// An order to fail: the page with this number fails the first `times` times that it is asked for.
  struct Failure: Sendable, Equatable {
    var page: Int
    var times: Int
    var message: String?
    var retryable: Bool?
  }

  /// How many items there are at first; nil for no end.
  var count: Int? = 100
  /// How many items lie before the first page.
  var start = 0
  /// How long every page takes, in milliseconds.
  var latencyMs = 0
  /// How much longer it may take, in milliseconds, drawn evenly from 0 to this.
  var jitterMs = 0
  /// Where the drawing starts.
  var seed = 0
  /// How many bytes each item's text is filled up to; 0 for none.
  var itemBytes = 0
  /// Whether pages say how many items there are.
  var reportTotal = false
  /// The pages that fail.
  var failures: [Failure] = []
  /// The numbers of pages that hold nothing.
  var emptyPages: Set<Int> = []
  /// The numbers of pages that hold half of what was asked for.
  var shortPages: Set<Int> = []
  /// How many items appear at the head before each page after the first.
  var insertAtHeadPerPage = 0

  /// The largest `itemBytes`: one item then fills a page.
  static let maximumItemBytes = PageBuilder.maximumPageBytes

  /// Settings with every default.
  init() {}

  /// Reads the settings from a source object.
  init(_ object: SourceObject) throws(SourceOpenError) {
    try object.refuseOthers(than: [
      "count", "start", "latencyMs", "jitterMs", "seed", "itemBytes", "reportTotal", "fail", "emptyPages", "shortPages",
      "insertAtHeadPerPage",
    ])
    if let value = object.value("count") {
      if object.kind(of: value) == .null {
        count = nil
      } else if let integer = object.integer(at: value, in: SourceObject.counts) {
        count = integer
      } else {
        throw object.error("count", "expected an integer from 0 to 2^53, or null for a list without end")
      }
    }
    start = try object.integer("start", in: SourceObject.counts) ?? start
    latencyMs = try object.integer("latencyMs", in: SourceObject.counts) ?? latencyMs
    jitterMs = try object.integer("jitterMs", in: SourceObject.counts) ?? jitterMs
    seed = try object.integer("seed") ?? seed
    itemBytes = try object.integer("itemBytes", in: 0...Self.maximumItemBytes) ?? itemBytes
    reportTotal = try object.bool("reportTotal") ?? reportTotal
    failures = try Self.failures(object)
    emptyPages = Set(try object.integers("emptyPages"))
    shortPages = Set(try object.integers("shortPages"))
    insertAtHeadPerPage = try object.integer("insertAtHeadPerPage", in: SourceObject.counts) ?? insertAtHeadPerPage
  }

  private static func failures(_ object: SourceObject) throws(SourceOpenError) -> [Failure] {
    guard let value = object.value("fail") else { return [] }
    let shape = "an array of objects {page, times, message?, retryable?}"
    var failures: [Failure] = []
    for (index, element) in try object.elements(of: value, "fail", expected: shape).enumerated() {
      let inner = try SourceObject(
        object.bytes.span, element.value, pointer: "\(object.pointer)/fail/\(index)",
        expected: "an object {page, times, message?, retryable?}")
      try inner.refuseOthers(than: ["page", "times", "message", "retryable"], allowsType: false)
      guard let page = try inner.integer("page") else {
        throw inner.error("page", SourceObject.expectedInteger(in: SourceObject.integers))
      }
      guard let times = try inner.integer("times", in: SourceObject.counts) else {
        throw inner.error("times", SourceObject.expectedInteger(in: SourceObject.counts))
      }
      let message = inner.value("message") == nil ? nil : try inner.requiredString("message")
      failures.append(
        Failure(page: page, times: times, message: message, retryable: try inner.bool("retryable")))
    }
    return failures
  }
}
