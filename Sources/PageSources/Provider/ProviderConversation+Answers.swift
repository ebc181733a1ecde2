import JSONRPCTransport
import JSONText

// What a provider says.
extension ProviderConversation {
  /// Handles a body.
  mutating func handle(_ frame: JSONSlice) {
    garbageUntil = nil
    let bytes = decoder.buffer
    switch parser.parse(bytes.span, frame) {
    case .message(let message): handle(bytes.span, message)
    case .invalid(let invalid): handleInvalid(bytes.span, invalid)
    case .batch(let count):
      for index in 0..<count {
        switch parser.parseBatchElement(bytes.span, at: index) {
        case .message(let message): handle(bytes.span, message)
        case .invalid(let invalid): handleInvalid(bytes.span, invalid)
        case .batch: break
        }
      }
    }
  }

  /// Handles what is no frame.
  ///
  /// A stray line of text does no harm where an answer follows; where none does, nothing else would end the wait.
  mutating func handleMalformed(_ error: FrameError) {
    SourceLog.write(.warning, "\(process.name): \(error.message)")
    if case .frameTooLong(let limit) = error {
      let error = SourceError(
        .limitExceeded, "\"\(process.name)\" answered with more than \(limit) bytes. Ask for fewer items.",
        details: [.string("program", process.name), .integer("limit", limit)])
      return process.fail(error) { _, isSent in isSent }
    }
    garbageUntil = garbageUntil ?? ProcessKeeper.now() + ProviderLimits.garbagePatienceMilliseconds
  }

  /// Says of every page that was asked for that its answer is none: it cannot be known whose it was.
  func failSent(_ problem: String) {
    let error = badPage(problem)
    process.fail(error) { _, isSent in isSent }
  }

  private func handleInvalid(_ bytes: Span<UInt8>, _ invalid: InvalidMessage) {
    SourceLog.write(.warning, "\(process.name): \(invalid.message)")
    guard let id = JSONReader.integer(bytes, invalid.id) else { return failSent(invalid.message) }
    if case .page(let call, _, _)? = process.take(id) { call.answer(.failure(badPage(invalid.message))) }
  }

  private func handle(_ bytes: Span<UInt8>, _ message: Message) {
    switch message.kind {
    case .notification: return
    case .request:
      // The thread itself sends it in its next turn.
      let id = RequestID(bytes, message.id)
      process.state.withLock { $0.sendRefusal(of: id) }
    case .response: handleResponse(bytes, message)
    }
  }

  private func handleResponse(_ bytes: Span<UInt8>, _ message: Message) {
    guard let id = JSONReader.integer(bytes, message.id) else {
      // It cannot be known whose it was, and nothing else would end the wait.
      return failSent(message.defect?.message ?? "It answered under an id that was never given.")
    }
    // A late answer to a call that was cancelled is legal.
    guard let waiting = process.take(id) else { return }
    switch waiting {
    case .open(let list): handleOpened(bytes, message, list)
    case .page(let call, _, _): call.answer(page(bytes, message, call))
    }
  }

  private func page(
    _ bytes: Span<UInt8>, _ message: Message, _ call: ProviderCall
  ) -> Result<SourcePage, SourceError> {
    if let defect = message.defect { return .failure(badPage(defect.message)) }
    if message.result.isEmpty {
      return .failure(providersError(bytes, message, .loadFailed, "could not give the page"))
    }
    guard JSONReader.kind(bytes, message.result) == .object else {
      return .failure(badPage("The page is not usable: /: expected an object."))
    }
    guard !parser.itemsArray.isEmpty else {
      return .failure(badPage("The page is not usable: /items: expected an array."))
    }
    do throws(PageObject.Fault) {
      return .success(
        try PageObject.page(bytes, parser.resultMembers, items: parser.items, idPath: call.idPath))
    } catch {
      return .failure(badPage("The page is not usable: \(error.message)."))
    }
  }

  private func handleOpened(_ bytes: Span<UInt8>, _ message: Message, _ list: ProviderList) {
    if message.defect == nil && message.error.isEmpty {
      if JSONReader.kind(bytes, message.result) == .object { list.facts = JSONReader.raw(bytes, message.result) }
      process.state.withLock { state in
        // It may have been closed meanwhile.
        guard state.stages[list.number] != nil else { return }
        state.stages[list.number] = .open
        for id in state.waiting.keys.sorted() {
          guard case .page(let call, false, let token)? = state.waiting[id], call.list === list else { continue }
          state.sendFetch(call, id: id)
          state.waiting[id] = .page(call, isSent: true, token: token)
        }
      }
      return
    }
    // The next page asks again.
    process.state.withLock { $0.stages[list.number] = nil }
    let error =
      message.defect.map { badPage($0.message) }
      ?? providersError(bytes, message, .sourceUnavailable, "cannot use the source")
    process.fail(error) { call, _ in call.list === list }
  }

  // MARK: Errors

  private func badPage(_ problem: String) -> SourceError {
    SourceError(
      .badPage, "\"\(process.name)\" did not answer with a page. \(problem)",
      details: [.string("program", process.name)])
  }

  /// The provider's own error, kept as the cause.
  private func providersError(
    _ bytes: Span<UInt8>, _ message: Message, _ code: SourceError.Code, _ what: String
  ) -> SourceError {
    let members = parser.errorMembers
    let text = JSONReader.value(bytes, of: members, named: "message").flatMap { JSONReader.string(bytes, $0) } ?? ""
    var error = SourceError(
      code, "\"\(process.name)\" \(what): \(SourceObject.shown(text))",
      details: [.string("program", process.name), .init(key: "cause", json: JSONReader.raw(bytes, message.error))])
    guard let data = JSONReader.value(bytes, of: members, named: "data") else { return error }
    var hints: [JSONMember] = []
    guard (try? JSONScanner(maxDepth: .max).scanObject(bytes, from: data.start, to: data.end, members: &hints)) != nil
    else { return error }
    error.retryable =
      JSONReader.value(bytes, of: hints, named: "retryable").flatMap { JSONReader.bool(bytes, $0) }
    error.retryAfterMs =
      JSONReader.value(bytes, of: hints, named: "retryAfterMs").flatMap { JSONReader.integer(bytes, $0) }
      .map { min(max(0, $0), SourceObject.counts.upperBound) }
    return error
  }
}
