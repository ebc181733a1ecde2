import JSONText
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@testable import PageSources

/// The id path of a session that names none.
let defaultIDPath = JSONPointer(tokens: [Array("id".utf8)])

/// A JSON string with this text.
func quoted(_ text: String) -> String {
  var writer = JSONWriter()
  writer.string(text)
  return String(decoding: writer.bytes, as: UTF8.self)
}

/// Opens the source that a JSON text describes.
func open(_ json: String) -> Result<any PageSource, SourceOpenError> {
  let bytes = Array(json.utf8)
  return SourceFactory.open(bytes.span, JSONSlice(start: 0, end: bytes.count))
}

/// Opens a source that must be there.
func opened(_ json: String) throws -> any PageSource { try open(json).get() }

/// The message of the params error that opening fails with; nil where it does not.
func paramsMessage(_ json: String) -> String? {
  guard case .failure(.params(let error)) = open(json) else { return nil }
  return error.message
}

/// The source error that opening fails with; nil where it does not.
func openError(_ json: String) -> SourceError? {
  guard case .failure(.source(let error)) = open(json) else { return nil }
  return error
}

extension PageSource {
  /// Carries the plan for a page out, at once.
  func fetch(
    _ request: PageRequest, idPath: JSONPointer = defaultIDPath
  ) -> Result<SourcePage, SourceError> {
    switch plan(request, idPath: idPath) {
    case .ready(let result), .after(_, let result): return result
    case .blocking(let work), .waiting(let work): return work(CancellationFlag())
    case .deferred(let begin):
      // The flag doubles as the means to wait for the answer.
      let answered = CancellationFlag()
      let answer = Mutex<Result<SourcePage, SourceError>?>(nil)
      begin(CancellationFlag()) { result in
        answer.withLock { $0 = result }
        answered.cancel()
      }
      var nothing: [pollfd] = []
      while !answered.isCancelled { _ = answered.wait(for: &nothing) }
      return answer.withLock { $0 } ?? .failure(SourceError(.loadFailed, "answered with nothing"))
    case .frontEnd: return .failure(SourceError(.refused, "only the front end has pages"))
    }
  }

  /// The page after `page`, asked for as a server does.
  func request(after page: SourcePage, _ request: PageRequest) -> PageRequest {
    var next = request
    next.kind = .more
    next.page += 1
    next.offset += page.items.count
    if case .value(let cursor) = page.next { next.cursor = cursor } else { next.cursor = nil }
    return next
  }
}

extension SourcePage {
  /// The items' text.
  var texts: [String] { items.map { text($0.value) } }
  /// The ids' text, empty where there is none.
  var ids: [String] { items.map { text($0.id) } }

  func text(_ slice: JSONSlice) -> String { JSONReader.text(bytes.span, slice) }

  /// Whether a session with `endOn: emptyPage` ends with this page.
  var isEnd: Bool { hasMore == false || next == .null || (hasMore == nil && items.isEmpty) }
}

/// One page of a walk, with the request that it answered.
struct WalkedPage {
  var request: PageRequest
  var page: SourcePage
}

/// Walks from the first page to the end.
func walk(
  _ source: any PageSource, pageSize: Int, generation: Int = 1, idPath: JSONPointer = defaultIDPath,
  atMost maximum: Int = .max
) throws -> [WalkedPage] {
  var request = PageRequest(kind: .initial, limit: pageSize, generation: generation)
  var pages: [WalkedPage] = []
  while true {
    let page = try source.fetch(request, idPath: idPath).get()
    try #require(page.items.count <= pageSize)
    pages.append(WalkedPage(request: request, page: page))
    if page.isEnd || pages.count == maximum { return pages }
    request = source.request(after: page, request)
    try #require(pages.count < 20_000, "the walk has no end")
  }
}

/// Walks from a page to the start of the list, and returns the items in the list's order.
func walkBack(_ source: any PageSource, from page: SourcePage, pageSize: Int) throws -> [String] {
  var texts: [String] = []
  var request = PageRequest(kind: .previous, page: 0, offset: 0, limit: pageSize)
  var field = page.previous
  while case .value(let cursor) = field {
    request.cursor = cursor
    request.page -= 1
    let page = try source.fetch(request).get()
    try #require(page.items.count <= pageSize)
    texts.insert(contentsOf: page.texts, at: 0)
    field = page.previous
    try #require(request.page > -20_000, "the walk has no end")
  }
  return texts
}

/// Checks that the page's bytes are its items with one comma between.
func expectCommaJoined(_ page: SourcePage, sourceLocation: SourceLocation = #_sourceLocation) {
  guard let first = page.items.first, let last = page.items.last else { return }
  let whole = JSONSlice(start: first.value.start, end: last.value.end)
  #expect(page.text(whole) == page.texts.joined(separator: ","), sourceLocation: sourceLocation)
}
