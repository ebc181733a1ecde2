import JSONRPCTransport
import PageSources

// What happens when the client has said all it has to say.
extension Server {
  /// Whether something that was asked for is not finished.
  var isBusy: Bool {
    if runningJobs > 0 { return true }
    for slot in sessions.openSlots where sessions[slot].core.isBusy { return true }
    return false
  }

  /// Demand starts nothing new from here on, and the front end cannot be asked any more.
  mutating func endInput() {
    isInputEnded = true
    for slot in sessions.openSlots { sessions[slot].core.inputEnded() }
    let calls = frontEndCalls
    frontEndCalls = [:]
    for call in calls.values {
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
