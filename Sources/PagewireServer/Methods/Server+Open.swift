import JSONRPCTransport
import JSONText
import PageSources
import PaginationCore

// open: everything is checked before anything is changed.
extension Server {
  mutating func open(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) throws(RequestFailure) {
    let name = try sessionName(bytes, params)
    let existing = sessions.slot(bytes, named: name)
    var wanted = try reading { () throws(ParamsError) in try OpenParams(bytes, params) }
    guard let sourceValue = params.value(bytes, "source") else {
      throw RequestFailure(ParamsError("/source", "is missing; expected an object with a type"))
    }
    if existing != nil && !wanted.replaces {
      throw RequestFailure(
        .sessionExists,
        "A session \(RequestFailure.shown(bytes, name)) is open. Close it first, or open with ifExists: \"replace\".",
        data: [("session", JSONReader.raw(bytes, name))])
    }
    let nameText = JSONReader.raw(bytes, name)
    let opened = try openSource(bytes, sourceValue, session: nameText)
    let scrolledText = try place(bytes, opened, &wanted)
    // Beside its items and ids an event has some numbers and the session's name.
    // Text in a string is at most twice as long as by itself: JSON has nothing in it that needs a longer escape.
    let room = options.maxFrameBytes - (1 << 16) - name.count
    wanted.settings.maxEventBytes = max(1, wanted.itemsAsText ? room / 2 : room)

    // A session that takes another's place goes on counting generations, so that nothing old is taken for new.
    var generation = 1
    if let existing {
      generation = sessions[existing].core.lastAllottedGeneration + 1
      closeSession(existing)
    }
    let number = sessions.nextNumber()
    let session = HostedSession(
      core: PaginationSession(settings: wanted.settings, generation: generation, key: ids.key), number: number,
      name: nameText, idPath: wanted.idPath, hasPlainIDPath: wanted.idPath.isSingleName("id"),
      settingsText: sharedSettingsText(wanted), presentation: wanted.presentation, itemsAsText: wanted.itemsAsText,
      source: opened.source, sourceText: opened.text, sourceDigest: opened.digest)
    sessions.insert(session)
    startFollowing(number.slot)
    if let token = wanted.progressToken { wantProgress(token, from: generation, number.slot) }
    if let scrolledText {
      _ = setScrolledID(scrolledText.span, JSONSlice(start: 0, end: scrolledText.count), number.slot)
    }
    // The state that is told has the first load in it, so that a front end need not draw `idle` for an instant.
    let commands = sessions[number.slot].core.opened(now: now)
    if call.isRequest {
      beginResult(bytes, call)
      writeState(number.slot, resume: false)
      endResult(call)
    }
    perform(commands, number.slot)
  }

  /// The settings' text, which is the longest a session has, once in memory for all that have the same one after another.
  private mutating func sharedSettingsText(_ wanted: OpenParams) -> [UInt8] {
    let text = wanted.settingsText()
    if text != lastSettingsText { lastSettingsText = text }
    return lastSettingsText
  }

  /// Opens a source, as far as the command line allows it.
  func openSource(
    _ bytes: Span<UInt8>, _ value: JSONSlice, session: [UInt8]
  ) throws(RequestFailure) -> OpenedSource {
    if let allowed = options.allowedSources,
      let object = Params.object(bytes, at: value, pointer: "/source"),
      let type = object.value(bytes, "type").flatMap({ JSONReader.string(bytes, $0) }),
      !allowed.contains(type)
    {
      throw RequestFailure(
        .refused, "Sources of type \"\(type)\" are switched off (--allow \(allowed.joined(separator: ","))).",
        data: [("session", session)])
    }
    switch SourceFactory.open(bytes, value, policy: options.policy) {
    case .failure(let error): throw RequestFailure.source(error, session: session)
    case .success(let source):
      // Inline items can be large, and whoever sent them has them.
      let text = source.typeName == "items" ? Array("{\"type\":\"items\"}".utf8) : JSONReader.raw(bytes, value)
      // A secret must not be found out from its digest either, and a place outlives it.
      if let shown = source.shownText {
        let whole = JSONSlice(start: 0, end: shown.count)
        return OpenedSource(source: source, text: shown, digest: ResumeToken.digest(ofSource: whole, in: shown.span))
      }
      return OpenedSource(source: source, text: text, digest: ResumeToken.digest(ofSource: value, in: bytes))
    }
  }

  /// Refuses a cursor that is longer than one may be.
  static func checkLength(of cursor: [UInt8], _ pointer: String) throws(RequestFailure) {
    if cursor.count <= ServerOptions.maxCursorBytes { return }
    throw RequestFailure(
      ParamsError(
        pointer, "expected a cursor of at most \(ServerOptions.maxCursorBytes) bytes of JSON, not \(cursor.count)"))
  }

  /// Where the session starts: at a cursor, at the place of a resume token, or at the first page; the token's scrolled id.
  private func place(
    _ bytes: Span<UInt8>, _ opened: OpenedSource, _ wanted: inout OpenParams
  ) throws(RequestFailure) -> [UInt8]? {
    if let cursor = wanted.startAt {
      guard opened.source.takesStartAt else {
        let type = opened.source.typeName
        throw RequestFailure(
          ParamsError(
            "/startAt", "is for sources whose cursors the front end knows (client, http, sqlite, programs), not \(type)"
          ))
      }
      try Self.checkLength(of: cursor, "/startAt")
      wanted.settings.start.firstCursor = cursor
    }
    guard let text = wanted.resume.flatMap({ JSONReader.stringBytes(bytes, $0) }) else { return nil }
    let first = wanted.settings.start.firstCursor
    guard let token = ResumeToken(text), let start = token.start(for: opened.digest, firstCursor: first) else {
      wanted.settings.start = StartPlace(isResume: true, firstCursor: first)
      return nil
    }
    wanted.settings.start = start
    return token.scrolledID
  }
}
