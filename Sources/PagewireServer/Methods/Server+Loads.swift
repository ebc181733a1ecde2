import JSONRPCTransport
import JSONText
import PageSources
import PaginationCore

// loadMore, loadPrevious, refresh, setScrolledID, adjustOffset, close.
extension Server {
  mutating func loadMore(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) throws(RequestFailure) {
    let slot = try sessionSlot(bytes, params)
    let waiter = wait(bytes, call, for: sessions[slot].number)
    perform(sessions[slot].core.loadMoreRequested(waiter: waiter, now: now), slot)
  }

  mutating func loadPrevious(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) throws(RequestFailure) {
    let slot = try sessionSlot(bytes, params)
    let waiter = wait(bytes, call, for: sessions[slot].number)
    perform(sessions[slot].core.loadPreviousRequested(waiter: waiter, now: now), slot)
  }

  mutating func refresh(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) throws(RequestFailure) {
    let slot = try sessionSlot(bytes, params)
    var request = PaginationSession.RefreshRequest()
    let token = try reading { () throws(ParamsError) in
      request.mode = try params.word(bytes, "mode", OpenParams.refreshModes)
      request.extent = try params.word(bytes, "extent", OpenParams.refreshExtents)
      return try params.progressToken(bytes)
    }
    if sessions[slot].core.settings.canRefresh {
      try takeQuery(bytes, params, slot, into: &request)
      if let token { wantProgress(token, from: sessions[slot].core.nextGeneration, slot) }
    }
    let waiter = wait(bytes, call, for: sessions[slot].number)
    perform(sessions[slot].core.refreshRequested(request, waiter: waiter, now: now), slot)
  }

  /// Opens the source that a refresh brings along, under the generation that the refresh will have.
  private mutating func takeQuery(
    _ bytes: Span<UInt8>, _ params: Params, _ slot: Int, into request: inout PaginationSession.RefreshRequest
  ) throws(RequestFailure) {
    let name = sessions[slot].name
    let source = params.value(bytes, "source")
    var opened: OpenedSource?
    if let from = params.value(bytes, "from") {
      let start = JSONReader.raw(bytes, from)
      try Self.checkLength(of: start, "/from")
      let fresh = try source.map { (source) throws(RequestFailure) in
        try openSource(bytes, source, session: name)
      }
      // The source that the refresh is about: a new one, one that an earlier refresh brought, the list's.
      let earlier = sessions[slot].refreshSources.last?.opened
      if (fresh?.source ?? earlier?.source ?? sessions[slot].source).takesStartAt {
        request.firstCursor = start
        opened = fresh
      } else {
        fresh?.source.close()
        let text = source.map { JSONReader.raw(bytes, $0) } ?? earlier?.text ?? sessions[slot].sourceText
        opened = try reopenSource(text, from: start, session: name)
      }
    } else if let source {
      opened = try openSource(bytes, source, session: name)
    }
    guard let opened else { return }
    request.hasOwnSource = true
    sessions[slot].refreshSources.append(.init(generation: sessions[slot].core.nextGeneration, opened: opened))
  }

  private func openSource(_ text: [UInt8], session: [UInt8]) throws(RequestFailure) -> OpenedSource {
    try openSource(text.span, JSONSlice(start: 0, end: text.count), session: session)
  }

  /// Opens a source with another value of its own member `from`.
  private func reopenSource(
    _ source: [UInt8], from start: [UInt8], session: [UInt8]
  ) throws(RequestFailure) -> OpenedSource {
    guard let object = Params.object(source.span, at: JSONSlice(start: 0, end: source.count), pointer: "") else {
      return try openSource(source, session: session)
    }
    var json = JSONWriter()
    json.beginObject()
    for member in object.members where !JSONReader.contentEquals(source.span, member.key, "from") {
      json.key(anyName: Array(JSONReader.string(source.span, content: member.key).utf8).span)
      json.raw(member.value, of: source.span)
    }
    json.key("from")
    json.raw(start)
    json.endObject()
    do throws(RequestFailure) {
      return try openSource(json.bytes, session: session)
    } catch {
      throw error.moved(from: "/source/from", to: "/from")
    }
  }

  mutating func setScrolledID(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) throws(RequestFailure) {
    let slot = try sessionSlot(bytes, params)
    guard let raw = JSONReader.value(bytes, of: params.members, named: "id") else {
      throw RequestFailure(ParamsError("/id", "is missing; expected the id of an item, or null"))
    }
    let position: Int?
    if sessions[slot].itemsAsText, !JSONReader.isNull(bytes, raw) {
      let text = try idText(bytes, raw)
      position = setScrolledID(text.span, JSONSlice(start: 0, end: text.count), slot)
    } else {
      if !JSONReader.isNull(bytes, raw), fingerprint(bytes, raw, in: slot) == nil {
        throw RequestFailure(ParamsError("/id", "expected a string, an integer or null"))
      }
      position = setScrolledID(bytes, raw, slot)
    }
    guard call.isRequest else { return }
    beginResult(bytes, call)
    outbox.json.beginObject()
    outbox.json.key("position")
    if let position { outbox.json.int(position) } else { outbox.json.null() }
    outbox.json.endObject()
    endResult(call)
  }

  /// Remembers an id, or null, as the one that the front end shows; its position.
  mutating func setScrolledID(_ bytes: Span<UInt8>, _ value: JSONSlice, _ slot: Int) -> Int? {
    let id = JSONReader.isNull(bytes, value) ? nil : fingerprint(bytes, value, in: slot)
    sessions[slot].scrolledText = id == nil ? nil : JSONReader.raw(bytes, value)
    sessions[slot].isScrolledIDUnsettled = id != nil && sessions[slot].core.count == 0
    return sessions[slot].core.scrolledIDSet(id)
  }

  /// A page is about to come: an id that was named before there were any items is now known for what it is.
  mutating func settleScrolledID(_ page: PageItems, _ ids: [Fingerprint], _ slot: Int) {
    guard sessions[slot].isScrolledIDUnsettled, let index = ids.firstIndex(where: { !$0.isNone }) else { return }
    sessions[slot].isScrolledIDUnsettled = false
    guard !ids[index].isItemID, let text = sessions[slot].scrolledText else { return }
    let value = JSONSlice(start: 0, end: text.count)
    var key = self.ids.fingerprint(text.span, value, isItemID: false)
    if page.items[index].key != nil, let number = JSONReader.integer(text.span, value) {
      key = .of(sourceKey: number, key: self.ids.key)
    }
    _ = sessions[slot].core.scrolledIDSet(key)
  }

  mutating func adjustOffset(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) throws(RequestFailure) {
    let slot = try sessionSlot(bytes, params)
    let count = try reading { () throws(ParamsError) in try params.required(bytes, "by") }
    let offset = sessions[slot].core.offsetAdjusted(by: count)
    guard call.isRequest else { return }
    beginResult(bytes, call)
    outbox.json.beginObject()
    outbox.json.member("offset", offset)
    outbox.json.endObject()
    endResult(call)
  }

  mutating func close(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) throws(RequestFailure) {
    closeSession(try sessionSlot(bytes, params))
    answerNull(bytes, call)
  }
}
