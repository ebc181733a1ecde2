import PageSources
import PaginationCore

// What sources do behind their pages: a few at a time, and nobody waits for it.
extension Server {
  /// A page has come; its source may have work to be done behind it.
  mutating func takeWorkBehind(_ slot: Int) {
    // A refresh that is not committed may yet fail, and its number is not the list's.
    if sessions[slot].core.isLoading(.refresh) { return }
    guard let body = sessions[slot].source.workBehind() else { return }
    sessions[slot].workBehind?.flag.cancel()
    let isQueued = sessions[slot].workBehind.map { $0.ticket == nil } ?? false
    sessions[slot].workBehind = HostedSession.WorkBehind(generation: sessions[slot].core.generation, body: body)
    if !isQueued { waitingWorkBehind.append(sessions[slot].number) }
    startWorkBehind()
  }

  private mutating func startWorkBehind() {
    while behindTickets.count < ServerOptions.maxWorkBehind, !waitingWorkBehind.isEmpty {
      let number = waitingWorkBehind.removeFirst()
      guard let slot = sessions.slot(of: number), let work = sessions[slot].workBehind, work.ticket == nil
      else { continue }
      lastJob -= 1
      sessions[slot].workBehind?.ticket = lastJob
      runningJobs += 1
      behindTickets.insert(lastJob)
      pool.submit(session: number, ticket: lastJob, flag: work.flag, body: work.body)
    }
  }

  /// Work behind the pages has come to its end, or was given up.
  mutating func workBehindIsDone(_ completion: WorkerPool.Completion) {
    // A late look at a file comes here too.
    guard behindTickets.remove(completion.ticket) != nil else { return }
    if let slot = sessions.slot(of: completion.session), let work = sessions[slot].workBehind,
      work.ticket == completion.ticket
    {
      sessions[slot].workBehind = nil
      if case .success(let page) = completion.result, let total = page.total {
        sessions[slot].core.itemsCounted(total, generation: work.generation)
      }
      settleProgress(slot)
    }
    startWorkBehind()
  }
}
