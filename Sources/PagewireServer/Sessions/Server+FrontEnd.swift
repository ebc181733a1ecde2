import JSONRPCTransport
import JSONText
import PageSources
import PaginationCore

// The front end's answers to fetchPage.
extension Server {
  mutating func handleResponse(_ bytes: Span<UInt8>, _ message: Message) {
    guard let id = JSONReader.integer(bytes, message.id), let call = frontEndCalls.removeValue(forKey: id) else {
      // A late answer to a call that was cancelled is legal, and so is an id nobody knows: both say nothing to anyone.
      log.write(.debug, "a response to no request of ours was ignored")
      return
    }
    guard let slot = sessions.slot(of: call.session),
      let index = sessions[slot].calls.firstIndex(where: { $0.ticket == call.ticket })
    else { return }
    _ = sessions[slot].calls.take(at: index)
    if let defect = message.defect {
      return fetchFailed(call.ticket, badPage(defect.message), slot)
    }
    if message.result.isEmpty {
      return fetchFailed(call.ticket, frontEndError(bytes, message), slot)
    }
    do throws(ParamsError) {
      let (page, arrival) = try readPage(bytes, message, slot)
      pageArrived(call.ticket, bytes, page, slot, arrival)
    } catch {
      fetchFailed(call.ticket, badPage("The page is not usable: \(error.pointer): \(error.problem)."), slot)
    }
  }

  private func badPage(_ message: String) -> SourceError { SourceError(.badPage, message) }

  /// The front end's own error, kept as the cause.
  private func frontEndError(_ bytes: Span<UInt8>, _ message: Message) -> SourceError {
    let members = Params(parser.errorMembers)
    let text = members.value(bytes, "message").flatMap { JSONReader.string(bytes, $0) } ?? "no message"
    var error = SourceError(
      .loadFailed, "The front end could not give the page: \(text)",
      details: [.init(key: "cause", json: JSONReader.raw(bytes, message.error))])
    if let data = members.value(bytes, "data"), let members = Params.object(bytes, at: data, pointer: "/data") {
      error.retryable = members.value(bytes, "retryable").flatMap { JSONReader.bool(bytes, $0) }
      error.retryAfterMs = members.value(bytes, "retryAfterMs").flatMap { JSONReader.integer(bytes, $0) }
        .map { min(max(0, $0), ServerOptions.maxInteger) }
    }
    return error
  }

  private func readPage(
    _ bytes: Span<UInt8>, _ message: Message, _ slot: Int
  ) throws(ParamsError) -> (PageItems, PageArrival) {
    guard JSONReader.kind(bytes, message.result) == .object else { throw ParamsError("/", "expected an object") }
    let members = Params(parser.resultMembers)
    guard !parser.itemsArray.isEmpty else { throw ParamsError("/items", "expected an array") }
    var page = PageItems()
    page.items.reserveCapacity(parser.items.count)
    let hasPlainIDPath = sessions[slot].hasPlainIDPath
    for element in parser.items {
      let id =
        hasPlainIDPath
        ? element.id : sessions[slot].idPath.resolve(in: bytes, element.value) ?? .none
      page.items.append(SourceItem(value: element.value, id: id))
    }
    page.keys = try readKeys(bytes, members, count: page.items.count)
    let arrival = PageArrival(
      ids: [], next: field(bytes, members, "next"), previous: field(bytes, members, "previous"),
      hasMore: try members.bool(bytes, "hasMore"), total: try members.integer(bytes, "total", in: 0...(1 << 53)),
      byteCount: parser.itemsArray.count)
    return (page, arrival)
  }

  /// The source's own ids, where it gives them.
  private func readKeys(_ bytes: Span<UInt8>, _ members: Params, count: Int) throws(ParamsError) -> [JSONSlice] {
    guard let value = members.value(bytes, "ids") else { return [] }
    var elements: [JSONElement] = []
    guard JSONReader.kind(bytes, value) == .array,
      (try? JSONScanner(maxDepth: Int.max).scanArray(bytes, from: value.start, to: value.end, elements: &elements))
        != nil,
      elements.count == count
    else { throw ParamsError("/ids", "expected an array with as many ids as there are items") }
    return elements.map { JSONReader.isNull(bytes, $0.value) ? .none : $0.value }
  }

  private func field(
    _ bytes: Span<UInt8>, _ members: Params, _ name: StaticString
  ) -> PaginationCore.CursorField {
    guard let value = JSONReader.value(bytes, of: members.members, named: name) else { return .absent }
    return JSONReader.isNull(bytes, value) ? .null : .value(JSONReader.raw(bytes, value))
  }
}
