import JSONText
import PageSources
import PaginationCore

// $/progress: how far work has come that a list may take long over, for a front end that gave a token for it.
extension Server {
  /// Takes the token of a request whose load will be of `generation` or a later one; a token before it is done with.
  mutating func wantProgress(_ token: [UInt8], from generation: Int, _ slot: Int) {
    endProgress(slot)
    sessions[slot].progress = WorkProgress(token: token, generation: generation)
  }

  /// The source is asked for a first page; where it does what takes long, that begins now.
  mutating func beginProgress(_ request: PageRequest, _ source: any PageSource, _ slot: Int) {
    guard let wanted = sessions[slot].progress, !wanted.hasBegun, request.generation >= wanted.generation,
      request.kind == .initial || request.kind == .refresh
    else { return }
    // A token is never used where there is nothing to tell.
    guard let progress = source.progress else {
      sessions[slot].progress = nil
      return
    }
    sessions[slot].progress?.hasBegun = true
    notifyProgress(slot, "begin") { json in
      json.member("title", progress.title)
      json.member("percentage", 0)
    }
    setTimer(.progress, after: ServerOptions.progressMs, slot)
  }

  /// Says how far the work has come, now and then.
  mutating func progressIsDue(_ slot: Int) {
    settleProgress(slot)
    guard let told = sessions[slot].progress, told.hasBegun else { return }
    let percentage = workingSource(slot).progress?.percentage ?? 0
    // That all is done is for `end` to say.
    if percentage > told.percentage, percentage < 100 {
      sessions[slot].progress?.percentage = percentage
      notifyProgress(slot, "report") { $0.member("percentage", percentage) }
    }
    setTimer(.progress, after: ServerOptions.progressMs, slot)
  }

  /// Ends the progress where its work is done: called after all that may have ended it.
  mutating func settleProgress(_ slot: Int) {
    guard let progress = sessions[slot].progress, progress.hasBegun, sessions[slot].workBehind == nil,
      !sessions[slot].core.isLoading(.initial), !sessions[slot].core.isLoading(.refresh)
    else { return }
    endProgress(slot)
  }

  /// Nothing more is said under the session's token.
  mutating func endProgress(_ slot: Int) {
    guard let progress = sessions[slot].progress else { return }
    if progress.hasBegun {
      cancelTimer(.progress, slot)
      let outcome = workingSource(slot).progress?.outcome
      notifyProgress(slot, "end") { json in
        if let outcome { json.member("message", outcome) }
      }
    }
    sessions[slot].progress = nil
  }

  private func workingSource(_ slot: Int) -> any PageSource {
    sessions[slot].refreshSources.last?.opened.source ?? sessions[slot].source
  }

  private mutating func notifyProgress(_ slot: Int, _ kind: String, _ write: (inout JSONWriter) -> Void) {
    guard let progress = sessions[slot].progress else { return }
    outbox.beginNotification("$/progress")
    outbox.json.beginObject()
    outbox.json.key("token")
    outbox.json.raw(progress.token)
    outbox.json.key("value")
    outbox.json.beginObject()
    outbox.json.member("kind", kind)
    write(&outbox.json)
    outbox.json.endObject()
    outbox.json.endObject()
    outbox.endNotification()
  }
}
