import JSONText

/// The `synthetic` source: a made-up list that shows, to order, every state that a front end must draw.
///
/// It names no cursor for the pages after the first and goes by page and offset, as many APIs do. Pages before another
/// are named by the id of the item where they end, so they stay in place when items appear at the head.
final class SyntheticSource: PageSource {
  /// The entry in the factory.
  static let type = SourceType(name: "synthetic") { (object) throws(SourceOpenError) in
    SyntheticSource(try SyntheticSettings(object))
  }

  private let settings: SyntheticSettings
  private let writer: SyntheticItemWriter
  private var heads: SyntheticHeads
  private var random: SplitMix
  /// How often each order to fail was carried out.
  private var failed: [Int]

  init(_ settings: SyntheticSettings) {
    self.settings = settings
    writer = SyntheticItemWriter(itemBytes: settings.itemBytes)
    heads = SyntheticHeads(perPage: settings.insertAtHeadPerPage)
    random = SplitMix(seed: UInt64(bitPattern: Int64(settings.seed)))
    failed = settings.failures.map { _ in 0 }
  }

  var typeName: String { Self.type.name }

  func plan(_ request: PageRequest, idPath: JSONPointer) -> FetchPlan {
    let answer = Result { () throws(SourceError) in try page(request, idPath: idPath) }
    let extra = settings.jitterMs > 0 ? Int.random(in: 0...settings.jitterMs, using: &random) : 0
    let delay = settings.latencyMs + extra
    return delay > 0 ? .after(milliseconds: delay, answer) : .ready(answer)
  }

  func facts(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("type", typeName)
    writer.key("count")
    if let count = settings.count { writer.int(count) } else { writer.null() }
    writer.endObject()
  }

  func close() {}

  private func page(_ request: PageRequest, idPath: JSONPointer) throws(SourceError) -> SourcePage {
    let before = try beforeCursor(request)
    let heads = heads.count(for: request)
    if let failure = nextFailure(page: request.page) { throw failure }
    let isEmpty = settings.emptyPages.contains(request.page)
    let isShort = settings.shortPages.contains(request.page)
    let asked = max(0, request.limit)
    let limit = isEmpty ? 0 : isShort ? min(asked, max(1, asked / 2)) : asked
    let range = range(request, before: before, limit: limit, heads: heads)
    var builder = PageBuilder(limit: range.count, idPath: idPath)
    // Pages before another must reach up to it, so a page that would be too large starts later instead of ending earlier.
    let first = before == nil ? range.lowerBound : max(range.lowerBound, range.upperBound - writer.itemsOfOnePage)
    for id in first..<range.upperBound {
      if !writer.append(id, to: &builder, idPath: idPath) { break }
    }
    let saysMore = isEmpty || isShort || builder.wasCutShort
    return builder.page(
      previous: first > -heads ? BeforeCursor(before: first, page: request.page &- 1).field : .absent,
      hasMore: saysMore ? true : nil,
      total: settings.reportTotal ? settings.count.map { $0 + heads } : nil)
  }

  private func beforeCursor(_ request: PageRequest) throws(SourceError) -> Int? {
    guard let cursor = request.cursor else { return nil }
    guard let known = BeforeCursor(cursor) else { throw .foreignCursor(cursor, typeName: typeName) }
    return known.before
  }

  /// The ids of the items that the page holds; the list has them from `-heads` up to `count`.
  private func range(_ request: PageRequest, before: Int?, limit: Int, heads: Int) -> Range<Int> {
    let listEnd = settings.count ?? Int.max / 2
    if let before {
      let end = min(max(before, -heads), listEnd)
      return end - min(limit, end + heads)..<end
    }
    // Offsets are integers of the protocol, but what a client sent is not trusted with plain arithmetic.
    let offset = min(max(0, request.offset), Int.max / 4)
    let first = min(max(settings.start + offset - heads, -heads), listEnd)
    return first..<(first + min(limit, listEnd - first))
  }

  /// Counts a try of this page, and returns the error where it was told to fail once more.
  private func nextFailure(page: Int) -> SourceError? {
    for (index, failure) in settings.failures.enumerated() where failure.page == page {
      if failed[index] >= failure.times { continue }
      failed[index] += 1
      let message =
        failure.message ?? "Page \(page) was told to fail (time \(failed[index]) of \(failure.times)). Load it again."
      return SourceError(.loadFailed, message, retryable: failure.retryable)
    }
    return nil
  }
}
