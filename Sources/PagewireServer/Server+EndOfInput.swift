import JSONRPCTransport
import PageSources

// What happens when the client has said all it has to say.
extension Server {
  /// Whether something that was asked for is not finished.
  var isBusy: Bool {
    for slot in sessions.openSlots where sessions[slot].core.isBusy { return true }
    return false
  }

  /// Whether all that was asked for is finished; to be asked once the input has ended.
  ///
  /// From then on nothing begins any more, so a session found at rest stays so and is not looked at again.
  mutating func hasFinished() -> Bool {
    while slotsAtRest < sessions.slotCount {
      if sessions.isOpen(slotsAtRest), sessions[slotsAtRest].core.isBusy { return false }
      slotsAtRest += 1
    }
    return ready.isEmpty
  }

  /// Demand starts nothing new from here on, and the front end cannot be asked any more.
  mutating func endInput() {
    isInputEnded = true
    for slot in sessions.openSlots { sessions[slot].core.inputEnded() }
    let calls = frontEndCalls.sorted { $0.key < $1.key }
    frontEndCalls = [:]
    for (_, call) in calls {
      let error = SourceError(.loadFailed, "The front end has ended its input, so it cannot give the page any more.")
      ready.append(.init(session: call.session, ticket: call.ticket, result: .failure(error.final)))
    }
  }

  /// The input ended inside a frame: whoever sent it is told.
  mutating func handleTruncatedInput() {
    outbox.beginAnswer(.stream)
    outbox.json.beginError(id: .null, code: .parseError, message: "The input ended inside a frame.")
    outbox.json.endError()
    outbox.endAnswer(.stream)
  }

  /// Gives the pipes room for large frames.
  mutating func widen() { outbox.widen() }
}
