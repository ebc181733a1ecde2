import JSONText
import PageSources
import PaginationCore

// The one place where the core's commands are carried out.
extension Server {
  /// Carries out commands that come with no page.
  mutating func perform(_ commands: [Command], _ slot: Int) {
    if commands.isEmpty { return }
    let nothing: [UInt8] = []
    perform(commands, slot, nothing.span, .none)
  }

  /// Carries out commands in order; `page` is the arrival that led to them, its text in `bytes`.
  mutating func perform(_ commands: [Command], _ slot: Int, _ bytes: Span<UInt8>, _ page: PageItems) {
    // A failure is announced before those who waited are told, so its kind is known by then.
    var failed = LoadKind.more
    for command in commands {
      switch command {
      case .fetch(let fetch): startFetch(fetch, slot)
      case .cancelFetch(let ticket): cancelFetch(ticket, slot)
      case .setTimer(let timer, let milliseconds): setTimer(.core(timer), after: milliseconds, slot)
      case .cancelTimer(let timer): cancelTimer(.core(timer), slot)
      case .gather(let dropping): gather(bytes, page, dropping: dropping, slot)
      case .commitSource(let generation): commitSource(generation, slot)
      case .discardSource(let generation): discardSource(generation, slot)
      case .adoptSource(let from, let to): adoptSource(from: from, to: to, slot)
      case .loadingBegan(let kind, let generation):
        notifyLoading(slot, kind, generation: generation)
      case .loadingEnded(let kind, let generation, let result, let facts):
        if kind == .refresh { forgetGathered(slot) }
        notifyLoadingEnded(slot, kind, generation: generation, result: result, facts)
      case .page(let event):
        notifyPage(slot, event, bytes, page)
      case .pagesDropped(let edge, let from, let to, let generation, let facts):
        notifyPagesDropped(slot, edge, from: from, to: to, generation: generation, facts)
      case .cleared(let generation, let facts): notifyCleared(slot, generation: generation, facts)
      case .loadFailed(let kind, let generation, let failure, let attempt, let retryInMs):
        failed = kind
        notifyLoadFailed(slot, kind, generation: generation, failure, attempt: attempt, retryInMs: retryInMs)
      case .answer(let waiter, let result): answer(waiter, result)
      case .fail(let waiter, let failure): fail(waiter, failure, kind: failed, slot)
      case .cancelled(let waiter): answerCancelled(waiter, slot)
      }
    }
    if sessions[slot].following != nil { follow(slot) }
  }

  // MARK: Refresh

  private mutating func gather(_ bytes: Span<UInt8>, _ page: PageItems, dropping: [Int], _ slot: Int) {
    let asText = sessions[slot].itemsAsText
    page.appendItems(bytes, dropping: dropping, asText: asText, to: &sessions[slot].gatheredItems)
    page.appendIDs(bytes, dropping: dropping, asText: asText, to: &sessions[slot].gatheredIDs)
  }

  private mutating func forgetGathered(_ slot: Int) {
    sessions[slot].gatheredItems = []
    sessions[slot].gatheredIDs = []
  }

  private mutating func commitSource(_ generation: Int, _ slot: Int) {
    if let index = sessions[slot].refreshSources.firstIndex(where: { $0.generation == generation }) {
      let fresh = sessions[slot].refreshSources.remove(at: index)
      sessions[slot].source.close()
      sessions[slot].source = fresh.opened.source
      sessions[slot].sourceText = fresh.opened.text
      sessions[slot].sourceDigest = fresh.opened.digest
      startFollowing(slot)
    }
    sessions[slot].source.generationCommitted(generation)
  }

  private mutating func discardSource(_ generation: Int, _ slot: Int) {
    guard let index = sessions[slot].refreshSources.firstIndex(where: { $0.generation == generation }) else {
      return sessions[slot].source.generationDiscarded(generation)
    }
    sessions[slot].refreshSources.remove(at: index).opened.source.close()
  }

  private mutating func adoptSource(from: Int, to: Int, _ slot: Int) {
    guard let index = sessions[slot].refreshSources.firstIndex(where: { $0.generation == from }) else {
      return sessions[slot].source.generationDiscarded(from)
    }
    sessions[slot].refreshSources[index].opened.source.generationDiscarded(from)
    sessions[slot].refreshSources[index].generation = to
  }

  // MARK: Timers

  mutating func setTimer(
    _ name: HostedSession.TimerName, after milliseconds: Int, _ slot: Int,
    result: Result<SourcePage, SourceError>? = nil
  ) {
    // At least a millisecond, so that what a timer leads to never fires in the same turn of the loop, where a session
    // that retries without delay would keep it to itself.
    sessions[slot].timers.append(.init(name: name, due: now + max(1, milliseconds), result: result))
    timers.set(slot, due: sessions[slot].nextDue)
  }

  mutating func cancelTimer(_ name: HostedSession.TimerName, _ slot: Int) {
    guard let index = sessions[slot].timers.firstIndex(where: { $0.name == name }) else { return }
    _ = sessions[slot].timers.take(at: index)
    timers.set(slot, due: sessions[slot].nextDue)
  }

  /// Fires what is due, of each session in the order of time.
  mutating func fireTimers() {
    while let slot = timers.pop(dueBy: now) {
      while let due = sessions[slot].nextDue, due <= now,
        let index = sessions[slot].timers.firstIndex(where: { $0.due == due })
      {
        fire(sessions[slot].timers.take(at: index), slot)
      }
      timers.set(slot, due: sessions[slot].nextDue)
    }
  }

  private mutating func fire(_ timer: HostedSession.RunningTimer, _ slot: Int) {
    switch timer.name {
    case .core(let name):
      perform(sessions[slot].core.timerFired(name, now: now, random: fraction()), slot)
    case .delivery(let ticket):
      guard let result = timer.result else { return }
      deliver(WorkerPool.Completion(session: sessions[slot].number, ticket: ticket, result: result))
    case .look: lookIsDue(slot)
    case .progress: progressIsDue(slot)
    }
  }

  /// An even draw from 0 up to 1.
  mutating func fraction() -> Double { Double.random(in: 0..<1, using: &random) }
}
