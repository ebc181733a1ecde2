import JSONText
import PaginationCore

// What the front end is told, as messages.
extension Server {
  mutating func notifyLoading(_ slot: Int, _ kind: LoadKind, generation: Int) {
    beginNotification("loading", slot, generation: generation)
    outbox.json.key("kind")
    outbox.json.string(ascii: kind.word)
    outbox.json.member("isLoading", true)
    outbox.json.endObject()
    outbox.endNotification()
  }

  mutating func notifyLoadingEnded(
    _ slot: Int, _ kind: LoadKind, generation: Int, result: LoadResult, _ facts: Facts
  ) {
    beginNotification("loading", slot, generation: generation)
    outbox.json.key("kind")
    outbox.json.string(ascii: kind.word)
    outbox.json.member("isLoading", false)
    outbox.json.member("result", result.rawValue)
    write(facts, to: &outbox.json)
    outbox.json.endObject()
    outbox.endNotification()
  }

  mutating func notifyCleared(_ slot: Int, generation: Int, _ facts: Facts) {
    beginNotification("cleared", slot, generation: generation)
    write(facts, to: &outbox.json)
    outbox.json.endObject()
    outbox.endNotification()
  }

  mutating func notifyPagesDropped(
    _ slot: Int, _ edge: Edge, from: Int, to: Int, generation: Int, _ facts: Facts
  ) {
    beginNotification("pagesDropped", slot, generation: generation)
    outbox.json.member("edge", edge == .end ? "end" : "start")
    outbox.json.member("from", from)
    outbox.json.member("to", to)
    write(facts, to: &outbox.json)
    outbox.json.endObject()
    outbox.endNotification()
  }

  mutating func notifyLoadFailed(
    _ slot: Int, _ kind: LoadKind, generation: Int, _ failure: LoadFailure, attempt: Int, retryInMs: Int?
  ) {
    beginNotification("loadFailed", slot, generation: generation)
    outbox.json.key("kind")
    outbox.json.string(ascii: kind.word)
    outbox.json.key("error")
    LoadError(failure, kind: kind, session: sessions[slot].name).write(to: &outbox.json)
    outbox.json.member("attempt", attempt)
    outbox.json.member("willRetry", retryInMs != nil)
    if let retryInMs { outbox.json.member("retryInMs", retryInMs) }
    outbox.json.endObject()
    outbox.endNotification()
  }

  /// Announces a page; its items lie in `bytes`, or were gathered by a refresh.
  mutating func notifyPage(_ slot: Int, _ event: PageEvent, _ bytes: Span<UInt8>, _ page: PageItems) {
    var head = JSONWriter()
    head.beginNotification(method: event.edge == .end ? "pageAppended" : "pagePrepended")
    head.beginObject()
    head.key("session")
    head.raw(sessions[slot].name)
    head.member("generation", event.generation)
    head.member("page", event.page)
    head.member("start", event.start)
    head.key("items")
    head.append("[")

    var tail = JSONWriter()
    tail.append("],\"ids\":[")
    if event.isGathered {
      let gathered = sessions[slot].gatheredItems
      tail.append(sessions[slot].gatheredIDs.span)
      finish(&tail, slot, event)
      outbox.sendPage(head: head.bytes, items: gathered.span, tail: tail.bytes)
      return
    }
    var ids: [UInt8] = []
    let asText = sessions[slot].itemsAsText
    page.appendIDs(bytes, dropping: event.dropping, asText: asText, to: &ids)
    tail.append(ids.span)
    finish(&tail, slot, event)
    let whole = event.dropping.isEmpty && !asText ? page.wholeText(bytes) : .none
    if whole.isEmpty {
      var items: [UInt8] = []
      page.appendItems(bytes, dropping: event.dropping, asText: asText, to: &items)
      outbox.sendPage(head: head.bytes, items: items.span, tail: tail.bytes)
    } else {
      outbox.sendPage(head: head.bytes, items: bytes.extracting(whole.range), tail: tail.bytes)
    }
  }

  private func finish(_ tail: inout JSONWriter, _ slot: Int, _ event: PageEvent) {
    tail.append("]")
    tail.append(",\"duplicates\":")
    tail.startOver()
    tail.int(event.duplicates)
    tail.member("replaces", event.replaces)
    if let total = event.total { tail.member("total", total) }
    if let position = event.scrollTo, let id = sessions[slot].scrolledText {
      tail.key("scrollTo")
      tail.beginObject()
      tail.key("id")
      if sessions[slot].itemsAsText { tail.string(utf8: id.span) } else { tail.raw(id) }
      tail.member("position", position)
      tail.endObject()
    }
    if let resumed = event.resumed { tail.member("resumed", resumed) }
    write(event.facts, to: &tail)
    tail.endObject()
    tail.endObject()
  }

  private mutating func beginNotification(_ method: StaticString, _ slot: Int, generation: Int) {
    outbox.beginNotification(method)
    outbox.json.beginObject()
    outbox.json.key("session")
    outbox.json.raw(sessions[slot].name)
    outbox.json.member("generation", generation)
  }

  func write(_ facts: Facts, to json: inout JSONWriter) {
    json.member("count", facts.count)
    json.member("hasMore", facts.hasMore)
    json.member("hasPrevious", facts.hasPrevious)
    json.member("paused", facts.paused)
    json.member("phase", facts.phase.rawValue)
  }

  /// Answers a request that waited for a load.
  mutating func answer(_ waiter: Waiter, _ answer: LoadAnswer) {
    guard let request = takePending(waiter) else { return }
    outbox.beginAnswer(request.destination)
    outbox.json.beginResult(id: request.id)
    outbox.json.beginObject()
    outbox.json.member("outcome", answer.outcome.rawValue)
    outbox.json.member("added", answer.added)
    outbox.json.member("duplicates", answer.duplicates)
    outbox.json.member("count", answer.count)
    outbox.json.member("hasMore", answer.hasMore)
    outbox.json.member("hasPrevious", answer.hasPrevious)
    outbox.json.member("generation", answer.generation)
    outbox.json.endObject()
    outbox.json.endObject()
    outbox.endAnswer(request.destination)
  }

  /// Answers a request that waited with the error of its load.
  mutating func fail(_ waiter: Waiter, _ failure: LoadFailure, kind: LoadKind, _ slot: Int) {
    guard let request = takePending(waiter) else { return }
    outbox.beginAnswer(request.destination)
    outbox.json.beginResponse(id: request.id)
    outbox.json.key("error")
    LoadError(failure, kind: kind, session: sessions[slot].name).write(to: &outbox.json)
    outbox.json.endObject()
    outbox.endAnswer(request.destination)
  }

  /// Answers a request that waited: nobody waits any more.
  mutating func answerCancelled(_ waiter: Waiter, _ slot: Int) {
    guard let request = takePending(waiter) else { return }
    outbox.beginAnswer(request.destination)
    outbox.json.beginError(
      id: request.id, code: .requestCancelled,
      message: "The request was cancelled, or its session was closed, before its load was done.")
    outbox.json.key("session")
    outbox.json.raw(sessions[slot].name)
    outbox.json.endError()
    outbox.endAnswer(request.destination)
  }

  private mutating func takePending(_ waiter: Waiter) -> PendingRequest? {
    guard let request = pending.removeValue(forKey: waiter.number) else { return nil }
    pendingByID[request.id] = nil
    return request
  }
}
