import JSONText
import PageSources
import PaginationCore

// Files that are followed: a change is noticed, a look at the tail is taken on a thread, and what it found is committed.
extension Server {
  /// The session's source is new; if it is a followed file, its growth is looked after from now on.
  mutating func startFollowing(_ slot: Int) {
    if sessions[slot].following != nil { stopFollowing(slot) }
    guard let path = sessions[slot].source.followedPath else { return }
    sessions[slot].following = Following(path: path)
  }

  /// Nothing of the session's file matters any more.
  mutating func stopFollowing(_ slot: Int) {
    guard let following = sessions[slot].following else { return }
    stopWatching(following, slot)
    sessions[slot].following = nil
  }

  /// Does what is to be done for a followed file; called after everything that may have changed what that is.
  mutating func follow(_ slot: Int) {
    guard let following = sessions[slot].following else { return }
    guard let place = sessions[slot].core.tail else {
      if following.isOn { stopWatching(following, slot) }
      return
    }
    if !following.isOn { startWatching(following, slot) }
    guard following.mayHaveChanged, following.look == nil, !following.isHeld else { return }
    if now < following.notBefore { return wakeFollowing(following, slot) }
    // Nothing is read for a client that does not read what it has got already.
    if hasEnoughToSend || !held.isEmpty {
      following.isHeld = true
      heldLooks.append(sessions[slot].number)
      return
    }
    begin(following, at: place, slot)
  }

  /// Goes on with the files whose changes waited for the client to read.
  mutating func startHeldLooks() {
    guard !heldLooks.isEmpty, held.isEmpty, !hasEnoughToSend else { return }
    let waiting = heldLooks
    heldLooks = []
    for number in waiting {
      guard let slot = sessions.slot(of: number), let following = sessions[slot].following else { continue }
      following.isHeld = false
      follow(slot)
    }
  }

  /// The system has news of files.
  mutating func takeFileChanges() {
    let changes = fileWatch.takeChanges()
    for slot in changes.replaced.sorted() {
      guard sessions.isOpen(slot), let following = sessions[slot].following else { continue }
      // The old watch goes only when the new one is there, so that the descriptor stays.
      let old = following.registration
      following.registration = fileWatch.add(following.path, slot)
      if let old { fileWatch.remove(old, replacedBy: following.registration, slot) }
    }
    for slot in changes.changed.union(changes.replaced).sorted() where sessions.isOpen(slot) {
      sessions[slot].following?.mayHaveChanged = true
      follow(slot)
    }
  }

  /// The time has come for a look that had to wait, or at a file whose changes the system does not report.
  mutating func lookIsDue(_ slot: Int) {
    guard let following = sessions[slot].following, following.isOn else { return }
    if following.registration == nil || following.missingSince != nil { following.mayHaveChanged = true }
    follow(slot)
  }

  // MARK: Watching

  /// Begins to notice changes; the look that follows finds what came before.
  private mutating func startWatching(_ following: Following, _ slot: Int) {
    following.isOn = true
    following.registration = fileWatch.add(following.path, slot)
    following.mayHaveChanged = true
    following.missingSince = nil
  }

  private mutating func stopWatching(_ following: Following, _ slot: Int) {
    following.look?.flag.cancel()
    following.look = nil
    if let registration = following.registration { fileWatch.remove(registration, slot) }
    following.registration = nil
    following.isOn = false
    cancelTimer(.look, slot)
  }

  /// Sets the timer for the next look.
  private mutating func wakeFollowing(_ following: Following, _ slot: Int) {
    cancelTimer(.look, slot)
    setTimer(.look, after: following.notBefore - now, slot)
  }

  // MARK: Looking

  private mutating func begin(_ following: Following, at place: PagePlace, _ slot: Int) {
    let core = sessions[slot].core
    let request = PageRequest(
      kind: .more, cursor: place.cursor, page: place.page, offset: place.offset, limit: core.settings.pageSize,
      generation: core.generation)
    guard case .blocking(let body) = sessions[slot].source.plan(request, idPath: sessions[slot].idPath) else { return }
    following.mayHaveChanged = false
    lastJob -= 1
    let flag = CancellationFlag()
    following.look = Following.Look(ticket: lastJob, generation: core.generation, place: place, flag: flag)
    runningJobs += 1
    pool.submit(session: sessions[slot].number, ticket: lastJob, flag: flag, body: body)
  }

  /// A look at the tail has come to its end.
  mutating func lookIsDone(_ completion: WorkerPool.Completion) {
    guard let slot = sessions.slot(of: completion.session), let following = sessions[slot].following,
      let look = following.look, look.ticket == completion.ticket
    else { return workBehindIsDone(completion) }
    following.look = nil
    following.notBefore = now + ServerOptions.followPauseMs
    switch completion.result {
    case .success(let page): found(page, by: look, following, slot)
    case .failure(let error): lost(error, by: look, following, slot)
    }
    follow(slot)
    if following.isOn, following.registration == nil, following.look == nil, !following.isHeld {
      following.notBefore = max(following.notBefore, now + ServerOptions.followPollMs)
      wakeFollowing(following, slot)
    }
  }

  private mutating func found(_ page: SourcePage, by look: Following.Look, _ following: Following, _ slot: Int) {
    following.missingSince = nil
    if page.hasMore == true {
      following.mayHaveChanged = true
      following.notBefore = now
    }
    if let pause = page.lookAgainMs {
      following.mayHaveChanged = true
      following.notBefore = max(following.notBefore, now + pause)
    }
    var items = PageItems(items: page.items)
    var arrival = Self.arrival(page)
    arrival.ids = items.fingerprints(page.bytes.span, ids)
    arrival.byteCount += items.idBytes
    if let error = refusal(of: arrival, slot) { return lost(error, by: look, following, slot) }
    settleScrolledID(items, arrival.ids, slot)
    let commands = sessions[slot].core.sourceGrew(at: look.place, generation: look.generation, arrival, now: now)
    perform(commands, slot, page.bytes.span, items)
  }

  private mutating func lost(_ error: SourceError, by look: Following.Look, _ following: Following, _ slot: Int) {
    if error.code == .sourceUnavailable {
      let since = following.missingSince ?? now
      following.missingSince = since
      if now - since < ServerOptions.followMissingMs {
        following.notBefore = now + ServerOptions.followPauseMs
        cancelTimer(.look, slot)
        setTimer(.look, after: since + ServerOptions.followMissingMs - now, slot)
        return
      }
    }
    let failure = LoadError.failure(error.final)
    perform(
      sessions[slot].core.followingFailed(at: look.place, generation: look.generation, failure, now: now), slot)
  }
}
