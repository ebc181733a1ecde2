import JSONRPCTransport
import JSONText
import PageSources
import PaginationCore

// initialize, shutdown and the cancelling of requests.
extension Server {
  mutating func initialize(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) throws(RequestFailure) {
    if isInitialized {
      throw RequestFailure(.invalidRequest, "The server is initialized already; initialize is sent once.")
    }
    let process = try reading { () throws(ParamsError) in
      try params.checkObject(bytes, "clientInfo")
      return try params.integer(bytes, "processId")
    }
    isInitialized = true
    watchedProcess = process
    guard call.isRequest else { return }
    beginResult(bytes, call)
    outbox.json.beginObject()
    outbox.json.key("serverInfo")
    outbox.json.beginObject()
    outbox.json.member("name", "pagewire")
    outbox.json.member("version", options.version)
    outbox.json.endObject()
    outbox.json.member("protocolVersion", PagewireVersion.protocolVersion)
    outbox.json.key("capabilities")
    writeCapabilities()
    outbox.json.endObject()
    endResult(call)
  }

  private mutating func writeCapabilities() {
    outbox.json.beginObject()
    outbox.json.key("sources")
    outbox.json.beginArray()
    for name in SourceFactory.typeNames where options.allowedSources?.contains(name) != false {
      outbox.json.string(name)
    }
    outbox.json.endArray()
    outbox.json.key("triggers")
    outbox.json.beginArray()
    for trigger in ["item", "loader", "distance"] { outbox.json.string(trigger) }
    outbox.json.endArray()
    outbox.json.key("limits")
    outbox.json.beginObject()
    outbox.json.member("maxFrameBytes", options.maxFrameBytes)
    outbox.json.member("maxHeaderBytes", options.maxHeaderBytes)
    outbox.json.member("maxDepth", options.maxDepth)
    outbox.json.member("maxQueuedOutputBytes", options.maxQueuedOutputBytes)
    outbox.json.member("maxPageSize", ServerOptions.maxPageSize)
    outbox.json.member("maxCursorBytes", ServerOptions.maxCursorBytes)
    outbox.json.member("maxParamsBytes", SourceLimits.maxParamsBytes)
    outbox.json.member("maxPendingPageBytes", ServerOptions.maxPendingPageBytes)
    outbox.json.member("drainTimeoutMs", options.drainTimeoutMs)
    outbox.json.endObject()
    outbox.json.endObject()
  }

  mutating func shutdown(_ bytes: Span<UInt8>, _ call: Call) {
    closeAllSessions()
    phase = .shutDown
    answerNull(bytes, call)
  }

  /// `exit` came; with it whatever still runs is ended, so that each request that waits has its answer.
  mutating func exit() {
    closeAllSessions()
    switch phase {
    case .serving: phase = .exiting(status: 1)
    case .shutDown: phase = .exiting(status: 0)
    case .exiting: break
    }
  }

  mutating func cancelRequest(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) {
    // A cancel for something unknown or already answered is ignored, whatever its id looks like.
    if let id = JSONReader.value(bytes, of: params.members, named: "id"),
      let waiter = pendingByID[RequestID(bytes, id)], let request = pending[waiter],
      let slot = sessions.slot(of: request.session)
    {
      perform(sessions[slot].core.waitCancelled(Waiter(waiter)), slot)
    }
    answerNull(bytes, call)
  }

  /// Ends all sessions.
  mutating func closeAllSessions() {
    for slot in sessions.openSlots { closeSession(slot) }
  }

  /// Ends a session: its waiters are answered and its calls cancelled; nothing more of it is sent.
  mutating func closeSession(_ slot: Int) {
    perform(sessions[slot].core.closed(), slot)
    endProgress(slot)
    stopFollowing(slot)
    sessions[slot].workBehind?.flag.cancel()
    let session = sessions[slot]
    timers.set(slot, due: nil)
    session.source.close()
    for other in session.refreshSources { other.opened.source.close() }
    sessions.remove(slot)
  }
}
