import JSONRPCTransport
import JSONText
import PageSources
import PaginationCore

// Calls of sources: how they begin, how they are cancelled, and what comes back.
extension Server {
  mutating func startFetch(_ fetch: Fetch, _ slot: Int) {
    let request = PageRequest(
      kind: Self.sourceKind(fetch), cursor: fetch.place.cursor, page: fetch.place.page, offset: fetch.place.offset,
      limit: fetch.limit, generation: fetch.generation,
      timeoutMs: sessions[slot].core.settings.timeoutMs)
    // Nothing is fetched for a client that does not read what it has got already, and nobody overtakes who waits for that.
    if hasEnoughToSend || !held.isEmpty {
      sessions[slot].calls.append(.init(ticket: fetch.ticket, kind: fetch.kind, way: .held(request)))
      held.append((sessions[slot].number, fetch.ticket))
      // The source has not been asked yet, so its time does not run.
      cancelTimer(.core(.timeout(ticket: fetch.ticket)), slot)
      return
    }
    begin(request, ticket: fetch.ticket, kind: fetch.kind, slot)
  }

  var hasEnoughToSend: Bool { outbox.pendingBytes + readyBytes > options.fetchPauseBytes }

  /// How the source is asked: a page that the window dropped is asked for as it was the first time.
  private static func sourceKind(_ fetch: Fetch) -> PageRequest.Kind {
    switch fetch.kind {
    case .initial: return .initial
    case .refresh: return .refresh
    case .more, .previous: return fetch.place.isBackward ? .previous : .more
    }
  }

  private mutating func begin(_ request: PageRequest, ticket: Int, kind: LoadKind, _ slot: Int) {
    let number = sessions[slot].number
    let source = sessions[slot].source(for: request.generation)
    let way: HostedSession.SourceCall.Way
    beginProgress(request, source, slot)
    switch source.plan(request, idPath: sessions[slot].idPath) {
    case .ready(let result):
      way = .delayed
      if case .success(let page) = result { readyBytes += page.bytes.count }
      ready.append(WorkerPool.Completion(session: number, ticket: ticket, result: result))
    case .after(let milliseconds, let result):
      way = .delayed
      setTimer(.delivery(ticket: ticket), after: milliseconds, slot, result: result)
    case .blocking(let body): way = submit(.work, body, number, ticket)
    case .waiting(let body): way = submit(.wait, body, number, ticket)
    case .deferred(let begin):
      let flag = CancellationFlag()
      way = .worker(flag)
      runningJobs += 1
      begin(flag) { [pool] result in
        pool.complete(WorkerPool.Completion(session: number, ticket: ticket, result: result))
      }
    case .frontEnd:
      if isInputEnded {
        let error = SourceError(.loadFailed, "The front end has ended its input, so it cannot give pages any more.")
        way = .delayed
        ready.append(WorkerPool.Completion(session: number, ticket: ticket, result: .failure(error.final)))
      } else {
        way = .frontEnd(id: askFrontEnd(request, source, ticket: ticket, slot))
      }
    }
    sessions[slot].calls.append(.init(ticket: ticket, kind: kind, way: way))
  }

  private mutating func submit(
    _ kind: WorkerPool.Kind, _ body: @escaping @Sendable (CancellationFlag) -> Result<SourcePage, SourceError>,
    _ number: SessionNumber, _ ticket: Int
  ) -> HostedSession.SourceCall.Way {
    let flag = CancellationFlag()
    runningJobs += 1
    pool.submit(session: number, ticket: ticket, kind, flag: flag, body: body)
    return .worker(flag)
  }

  /// Sends `fetchPage`; returns its id.
  private mutating func askFrontEnd(_ request: PageRequest, _ source: any PageSource, ticket: Int, _ slot: Int) -> Int {
    lastFrontEndCall += 1
    frontEndCalls[lastFrontEndCall] = (sessions[slot].number, ticket)
    outbox.beginRequest(id: lastFrontEndCall, method: "fetchPage")
    outbox.json.beginObject()
    outbox.json.key("session")
    outbox.json.raw(sessions[slot].name)
    request.writeMembers(params: (source as? ClientSource)?.params, to: &outbox.json)
    outbox.json.endObject()
    outbox.endNotification()
    return lastFrontEndCall
  }

  mutating func cancelFetch(_ ticket: Int, _ slot: Int) {
    guard let call = takeCall(ticket, slot) else { return }
    switch call.way {
    case .frontEnd(let id):
      frontEndCalls[id] = nil
      outbox.beginNotification("$/cancelRequest")
      outbox.json.beginObject()
      outbox.json.member("id", id)
      outbox.json.endObject()
      outbox.endNotification()
    case .worker(let flag): flag.cancel()
    case .delayed: cancelTimer(.delivery(ticket: ticket), slot)
    case .held: break
    }
  }

  private mutating func takeCall(_ ticket: Int, _ slot: Int) -> HostedSession.SourceCall? {
    guard let index = sessions[slot].calls.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return sessions[slot].calls.take(at: index)
  }

  // MARK: In turns

  /// Begins the calls that waited for the client to read, once it has.
  mutating func startHeldFetches() {
    guard !held.isEmpty, !hasEnoughToSend else { return }
    let waiting = held
    held = []
    for (number, ticket) in waiting {
      guard let slot = sessions.slot(of: number), let call = takeCall(ticket, slot),
        case .held(let request) = call.way
      else { continue }
      if hasEnoughToSend {
        sessions[slot].calls.append(call)
        held.append((number, ticket))
      } else {
        let timeout = sessions[slot].core.settings.timeoutMs
        if timeout > 0 { setTimer(.core(.timeout(ticket: ticket)), after: timeout, slot) }
        begin(request, ticket: ticket, kind: call.kind, slot)
      }
    }
  }

  /// Delivers what is ready, each result once: what follows from it waits for the next turn.
  mutating func deliverReady() {
    let results = ready
    ready = []
    readyBytes = 0
    for result in results { deliver(result) }
  }

  /// Takes what the pool has done.
  mutating func takeCompletions() {
    for completion in pool.takeCompletions() {
      runningJobs -= 1
      deliver(completion)
    }
  }

  // MARK: What comes back

  mutating func deliver(_ completion: WorkerPool.Completion) {
    guard completion.ticket >= 0 else { return lookIsDone(completion) }
    guard let slot = sessions.slot(of: completion.session), takeCall(completion.ticket, slot) != nil else { return }
    switch completion.result {
    case .failure(let error):
      // A page may have failed because it was too large.
      freedMemory.note(bytes: ServerOptions.maxPendingPageBytes, now: now)
      fetchFailed(completion.ticket, error, slot)
    case .success(let page):
      freedMemory.note(bytes: page.bytes.count, now: now)
      pageArrived(
        completion.ticket, page.bytes.span, PageItems(items: page.items, keys: page.keys), slot, Self.arrival(page))
      takeWorkBehind(slot)
    }
    settleProgress(slot)
  }

  /// What the core is told of a page; its items' ids are not known yet.
  static func arrival(_ page: SourcePage) -> PageArrival {
    var arrival = PageArrival(
      ids: [], next: field(page.next), previous: field(page.previous), hasMore: page.hasMore, total: page.total,
      byteCount: page.bytes.count)
    arrival.again = page.again
    arrival.tail = page.tail
    return arrival
  }

  private static func field(_ field: PageSources.CursorField) -> PaginationCore.CursorField {
    switch field {
    case .absent: .absent
    case .null: .null
    case .value(let cursor): .value(cursor)
    }
  }

  mutating func fetchFailed(_ ticket: Int, _ error: SourceError, _ slot: Int) {
    let failure = LoadError.failure(error)
    perform(sessions[slot].core.fetchFailed(ticket: ticket, failure, now: now, random: fraction()), slot)
  }

  mutating func pageArrived(
    _ ticket: Int, _ bytes: Span<UInt8>, _ page: PageItems, _ slot: Int, _ arrival: PageArrival
  ) {
    var page = page
    var arrival = arrival
    arrival.ids = page.fingerprints(bytes, ids)
    arrival.byteCount += page.idBytes
    if let error = refusal(of: arrival, slot) { return fetchFailed(ticket, error, slot) }
    settleScrolledID(page, arrival.ids, slot)
    let commands = sessions[slot].core.pageArrived(ticket: ticket, arrival, now: now, random: fraction())
    perform(commands, slot, bytes, page)
  }

  /// What one event cannot carry is refused before it becomes part of the list.
  func refusal(of arrival: PageArrival, _ slot: Int) -> SourceError? {
    for case .value(let cursor) in [arrival.next, arrival.previous] where cursor.count > ServerOptions.maxCursorBytes {
      return SourceError(
        .limitExceeded,
        "The source names the page beside this one by a cursor of \(cursor.count) bytes, more than the "
          + "\(ServerOptions.maxCursorBytes) that a cursor may have.",
        details: [.init(key: "limit", json: Array("\(ServerOptions.maxCursorBytes)".utf8))])
    }
    let limit = sessions[slot].core.settings.maxEventBytes
    if arrival.byteCount <= limit { return nil }
    return SourceError(
      .limitExceeded, "The page has \(arrival.byteCount) bytes, more than a frame may carry; ask for fewer items.",
      details: [.init(key: "limit", json: Array("\(limit)".utf8))])
  }
}

extension SourceError {
  /// The same error, said to be beyond retrying.
  var final: SourceError {
    var error = self
    error.retryable = false
    return error
  }
}
