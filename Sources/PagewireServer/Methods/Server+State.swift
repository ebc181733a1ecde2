import JSONRPCTransport
import JSONText
import PaginationCore

// state and sessions.
extension Server {
  mutating func state(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) throws(RequestFailure) {
    let slot = try sessionSlot(bytes, params)
    let resume = try reading { () throws(ParamsError) in try params.bool(bytes, "resume") ?? false }
    guard call.isRequest else { return }
    beginResult(bytes, call)
    writeState(slot, resume: resume)
    endResult(call)
  }

  mutating func listSessions(_ bytes: Span<UInt8>, _ call: Call) {
    guard call.isRequest else { return }
    beginResult(bytes, call)
    outbox.json.beginArray()
    for slot in sessions.openSlots {
      outbox.json.beginObject()
      outbox.json.key("session")
      outbox.json.raw(sessions[slot].name)
      outbox.json.member("count", sessions[slot].core.count)
      outbox.json.member("phase", sessions[slot].core.phase.rawValue)
      outbox.json.endObject()
    }
    outbox.json.endArray()
    endResult(call)
  }

  /// Writes a session's state as a value.
  mutating func writeState(_ slot: Int, resume: Bool) {
    let core = sessions[slot].core
    outbox.json.beginObject()
    outbox.json.key("session")
    outbox.json.raw(sessions[slot].name)
    outbox.json.member("generation", core.generation)
    outbox.json.member("phase", core.phase.rawValue)
    outbox.json.member("count", core.count)
    writeOptional("first", core.first)
    writeOptional("last", core.last)
    outbox.json.member("pages", core.pageCount)
    outbox.json.member("hasMore", core.hasMore)
    outbox.json.member("hasPrevious", core.hasPrevious)
    outbox.json.member("paused", core.isPaused)
    outbox.json.key("loading")
    outbox.json.beginObject()
    for kind in LoadKind.allCases {
      outbox.json.key(kind.word)
      outbox.json.bool(core.isLoading(kind))
    }
    outbox.json.endObject()
    outbox.json.key("error")
    outbox.json.beginObject()
    for kind in LoadKind.allCases {
      outbox.json.key(kind.word)
      if let failure = core.failure(of: kind) {
        LoadError(failure, kind: kind, session: sessions[slot].name).write(to: &outbox.json)
      } else {
        outbox.json.null()
      }
    }
    outbox.json.endObject()
    outbox.json.key("scrolledID")
    writeScrolledID(slot)
    writeOptional("total", core.total)
    writeOptional("pendingRetryInMs", core.pendingRetryInMs(now: now))
    writeSettings(slot)
    outbox.json.key("presentation")
    if let presentation = sessions[slot].presentation { outbox.json.raw(presentation) } else { outbox.json.null() }
    outbox.json.key("source")
    sessions[slot].source.facts(into: &outbox.json)
    if resume { writeResume(slot) }
    outbox.json.endObject()
  }

  private mutating func writeScrolledID(_ slot: Int) {
    guard let scrolled = sessions[slot].scrolledText else { return outbox.json.null() }
    if sessions[slot].itemsAsText { outbox.json.string(utf8: scrolled.span) } else { outbox.json.raw(scrolled) }
  }

  private mutating func writeOptional(_ name: StaticString, _ value: Int?) {
    outbox.json.key(name)
    if let value { outbox.json.int(value) } else { outbox.json.null() }
  }

  /// The settings in force, with the source as far as it may be given back.
  private mutating func writeSettings(_ slot: Int) {
    outbox.json.key("settings")
    outbox.json.beginObject()
    outbox.json.key("source")
    outbox.json.raw(sessions[slot].sourceText)
    let settings = sessions[slot].settingsText
    outbox.json.append(",")
    outbox.json.append(settings.span.extracting(1..<settings.count))
  }

  private mutating func writeResume(_ slot: Int) {
    outbox.json.key("resume")
    guard let (place, earlier) = sessions[slot].core.resumePlace(limit: ResumeToken.maxPlaces),
      let token = ResumeToken(
        source: sessions[slot].sourceDigest, scrolledID: sessions[slot].scrolledText, place: place, earlier: earlier
      ).text
    else { return outbox.json.null() }
    outbox.json.string(utf8: token.span)
  }
}

extension LoadKind {
  static let allCases: [LoadKind] = [.initial, .more, .previous, .refresh]

  /// The word on the wire.
  var word: StaticString {
    switch self {
    case .initial: "initial"
    case .more: "more"
    case .previous: "previous"
    case .refresh: "refresh"
    }
  }
}
