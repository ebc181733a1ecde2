import PaginationCore

/// Commands as short lines, so that a run reads as the story it tells.
public enum CommandText {
  /// One line for a command.
  ///
  /// With `facts`, events end with the facts they carry.
  public static func line(_ command: Command, facts withFacts: Bool = false) -> String {
    switch command {
    case .fetch(let fetch): fetchLine(fetch)
    case .cancelFetch(let ticket): "cancel fetch #\(ticket)"
    case .setTimer(let timer, let delay): "timer \(name(timer)) \(delay)"
    case .cancelTimer(let timer): "no timer \(name(timer))"
    case .gather(let dropping): dropping.isEmpty ? "gather" : "gather dropping \(dropping)"
    case .commitSource(let generation): "source g\(generation) commits"
    case .discardSource(let generation): "source g\(generation) goes"
    case .adoptSource(let from, let to): "source g\(from) becomes g\(to)"
    case .loadingBegan(let kind, let generation): "loading \(kind) g\(generation)"
    case .loadingEnded(let kind, let generation, let result, let facts):
      "ended \(kind) g\(generation) \(result)" + (withFacts ? factsText(facts) : "")
    case .page(let event): pageLine(event) + (withFacts ? factsText(event.facts) : "")
    case .pagesDropped(let edge, let from, let to, let generation, let facts):
      "dropped \(edge) \(from)...\(to) g\(generation)" + (withFacts ? factsText(facts) : "")
    case .cleared(let generation, let facts): "cleared g\(generation)" + (withFacts ? factsText(facts) : "")
    case .loadFailed(let kind, let generation, let failure, let attempt, let delay):
      "failed \(kind) g\(generation) \(reason(failure)) try \(attempt)" + (delay.map { " again in \($0)" } ?? "")
    case .answer(let waiter, let answer):
      "answer \(waiter.number) \(answer.outcome) +\(answer.added)"
        + (answer.duplicates == 0 ? "" : " -\(answer.duplicates)")
        + (withFacts ? " | \(answer.count) g\(answer.generation)" : "")
    case .fail(let waiter, let failure): "fail \(waiter.number) \(reason(failure))"
    case .cancelled(let waiter): "cancelled \(waiter.number)"
    }
  }

  static func reason(_ failure: LoadFailure) -> String {
    switch failure.reason {
    case .source(let error): String(decoding: error, as: UTF8.self)
    case .timeout(let milliseconds): "timeout \(milliseconds)"
    case .cursorCycle(let cursor): "cycle \(String(decoding: cursor, as: UTF8.self))"
    case .missingCursor: "missing cursor"
    case .tooManyItems(let limit): "more than \(limit)"
    }
  }

  /// Facts as they stand at the end of a line.
  public static func factsText(_ facts: Facts) -> String {
    " | \(facts.count)" + (facts.hasPrevious ? " previous" : "") + (facts.hasMore ? " more" : "")
      + (facts.paused ? " paused" : "") + " \(facts.phase)"
  }

  private static func fetchLine(_ fetch: Fetch) -> String {
    "fetch \(fetch.kind) g\(fetch.generation) page \(fetch.place.page) offset \(fetch.place.offset)"
      + (fetch.place.cursor.map { " cursor " + String(decoding: $0, as: UTF8.self) } ?? "")
      + (fetch.place.isBackward ? " backward" : "") + (fetch.attempt == 1 ? "" : " try \(fetch.attempt)")
  }

  private static func pageLine(_ event: PageEvent) -> String {
    let verb = event.replaces ? "replace" : event.edge == .end ? "append" : "prepend"
    return "\(verb) g\(event.generation) page \(event.page) at \(event.start) +\(event.added)"
      + (event.duplicates == 0 ? "" : " -\(event.duplicates)") + (event.total.map { " of \($0)" } ?? "")
      + (event.scrollTo.map { " scroll to \($0)" } ?? "") + (event.resumed.map { " resumed \($0)" } ?? "")
  }

  private static func name(_ timer: Timer) -> String {
    switch timer {
    case .timeout(let ticket): "timeout #\(ticket)"
    case .retry(let ticket): "retry #\(ticket)"
    case .heightGate(let edge): "gate \(edge)"
    }
  }
}
