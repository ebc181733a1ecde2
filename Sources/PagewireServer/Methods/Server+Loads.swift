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
    try reading { () throws(ParamsError) in
      request.mode = try params.word(bytes, "mode", OpenParams.refreshModes)
      request.extent = try params.word(bytes, "extent", OpenParams.refreshExtents)
    }
    if sessions[slot].core.settings.canRefresh {
      try takeQuery(bytes, params, slot, into: &request)
    }
    let waiter = wait(bytes, call, for: sessions[slot].number)
    perform(sessions[slot].core.refreshRequested(request, waiter: waiter, now: now), slot)
  }

  /// Opens the source that a refresh brings along, under the generation that the refresh will have.
  private mutating func takeQuery(
    _ bytes: Span<UInt8>, _ params: Params, _ slot: Int, into request: inout PaginationSession.RefreshRequest
  ) throws(RequestFailure) {
    let from = params.value(bytes, "from")
    guard let value = params.value(bytes, "source") else {
      // Without a new source, `from` is a cursor of the present one.
      request.firstCursor = from.map { JSONReader.raw(bytes, $0) }
      return
    }
    if from != nil {
      throw RequestFailure(ParamsError("/from", "expected either source or from; a source says where it starts itself"))
    }
    let (source, text) = try openSource(bytes, value, session: sessions[slot].name)
    request.hasOwnSource = true
    sessions[slot].refreshSources.append(
      .init(generation: sessions[slot].core.nextGeneration, source: source, text: text))
  }

  mutating func setScrolledID(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) throws(RequestFailure) {
    let slot = try sessionSlot(bytes, params)
    guard let raw = JSONReader.value(bytes, of: params.members, named: "id") else {
      throw RequestFailure(ParamsError("/id", "is missing; expected the id of an item, or null"))
    }
    var id: Fingerprint?
    if !JSONReader.isNull(bytes, raw) {
      id = fingerprint(bytes, raw, in: slot)
      if id == nil { throw RequestFailure(ParamsError("/id", "expected a string, an integer or null")) }
    }
    sessions[slot].scrolledText = id == nil ? nil : JSONReader.raw(bytes, raw)
    let position = sessions[slot].core.scrolledIDSet(id)
    guard call.isRequest else { return }
    beginResult(bytes, call)
    outbox.json.beginObject()
    outbox.json.key("position")
    if let position { outbox.json.int(position) } else { outbox.json.null() }
    outbox.json.endObject()
    endResult(call)
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
