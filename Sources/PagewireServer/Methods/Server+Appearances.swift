import JSONRPCTransport
import JSONText
import PaginationCore

// What the front end shows: itemAppeared, visibleRange, loaderAppeared, loaderDisappeared, scrolled.
extension Server {
  /// Handles an `itemAppeared` of an open session if it has the form that nearly all have; else does nothing.
  @inline(never)
  mutating func handlePlainAppearance(_ bytes: Span<UInt8>, _ frame: JSONSlice) -> Bool {
    guard case .serving = phase, recorder == nil, let message = PlainAppearance(bytes, frame),
      let slot = sessions.slot(bytes, plainName: message.session)
    else { return false }
    let isRequest = !message.requestID.isEmpty
    // Items as text, and an id that is in use, are for the general way.
    if isRequest && !pendingByID.isEmpty || !message.item.isEmpty && sessions[slot].itemsAsText { return false }
    Self.noteForCrash("itemAppeared")
    let result: (Appearance, [Command])
    if let position = message.position {
      result = sessions[slot].core.itemAppeared(.position(position), generation: message.generation, now: now)
    } else {
      let own = ids.fingerprint(bytes, message.item, isItemID: true)
      result = itemAppeared(bytes, message.item, own, slot, generation: message.generation)
    }
    let call = Call(id: message.requestID, isRequest: isRequest, destination: .stream)
    finish(bytes, call, slot, result)
    return true
  }

  /// The most frequent call of all: nothing here allocates unless a load starts.
  mutating func itemAppeared(_ bytes: Span<UInt8>, _ call: Call) throws(RequestFailure) {
    let params = AppearanceParams(bytes, parser.paramMembers)
    guard !params.session.isEmpty, bytes[params.session.start] == UInt8(ascii: "\"") else {
      _ = try sessionName(bytes, Params(parser.paramMembers))
      return
    }
    guard let slot = sessions.slot(bytes, named: params.session) else {
      throw RequestFailure.sessionNotFound(bytes, params.session)
    }
    let generation = try integer(bytes, params.generation, at: "/generation")
    let result: (Appearance, [Command])
    if let position = try integer(bytes, params.position, at: "/position") {
      if !params.id.isEmpty {
        throw RequestFailure(ParamsError("/position", "expected either id or position, not both"))
      }
      result = sessions[slot].core.itemAppeared(.position(position), generation: generation, now: now)
    } else if sessions[slot].itemsAsText && !params.id.isEmpty {
      let text = try idText(bytes, params.id)
      let id = JSONSlice(start: 0, end: text.count)
      result = itemAppeared(text.span, id, try itemID(text.span, id), slot, generation: generation)
    } else {
      result = itemAppeared(bytes, params.id, try itemID(bytes, params.id), slot, generation: generation)
    }
    finish(bytes, call, slot, result)
  }

  @inline(__always)
  private mutating func finish(
    _ bytes: Span<UInt8>, _ call: Call, _ slot: Int, _ result: (appearance: Appearance, commands: [Command])
  ) {
    if call.isRequest {
      beginResult(bytes, call)
      write(result.appearance, withPosition: true)
      endResult(call)
    }
    if !result.commands.isEmpty { perform(result.commands, slot) }
  }

  private mutating func itemAppeared(
    _ bytes: Span<UInt8>, _ id: JSONSlice, _ own: Fingerprint, _ slot: Int, generation: Int?
  ) -> (Appearance, [Command]) {
    let result = sessions[slot].core.itemAppeared(.id(own), generation: generation, now: now)
    guard result.0.decision == .unknown, let other = fingerprint(bytes, id, in: slot), other != own else {
      return result
    }
    // Not an item's own id; then maybe what the source calls one.
    return sessions[slot].core.itemAppeared(.id(other), generation: generation, now: now)
  }

  mutating func visibleRange(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) throws(RequestFailure) {
    let slot = try sessionSlot(bytes, params)
    let generation = try generation(bytes, params)
    let (first, last) = try reading { () throws(ParamsError) in
      (try params.required(bytes, "first"), try params.required(bytes, "last"))
    }
    if last < first { throw RequestFailure(ParamsError("/last", "expected a position not before first")) }
    let (appearance, commands) = sessions[slot].core.visibleRangeChanged(
      first: first, last: last, generation: generation, now: now)
    answer(bytes, call, appearance)
    perform(commands, slot)
  }

  mutating func loaderAppeared(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) throws(RequestFailure) {
    let slot = try sessionSlot(bytes, params)
    let (decision, commands) = sessions[slot].core.loaderAppeared(at: try edge(bytes, params), now: now)
    answer(bytes, call, decision)
    perform(commands, slot)
  }

  mutating func loaderDisappeared(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) throws(RequestFailure) {
    let slot = try sessionSlot(bytes, params)
    let (decision, commands) = sessions[slot].core.loaderDisappeared(at: try edge(bytes, params))
    answer(bytes, call, decision)
    perform(commands, slot)
  }

  mutating func scrolled(_ bytes: Span<UInt8>, _ call: Call, _ params: Params) throws(RequestFailure) {
    let slot = try sessionSlot(bytes, params)
    let (offset, viewport, content) = try reading { () throws(ParamsError) in
      (
        try length(bytes, params, "offset", -1e300...1e300), try length(bytes, params, "viewport", 0...1e300),
        try length(bytes, params, "content", 0...1e300)
      )
    }
    let (appearance, commands) = sessions[slot].core.scrolled(
      offset: offset, viewport: viewport, content: content, now: now)
    answer(bytes, call, appearance)
    perform(commands, slot)
  }

  // MARK: Params

  private func length(
    _ bytes: Span<UInt8>, _ params: Params, _ name: StaticString, _ range: ClosedRange<Double>
  ) throws(ParamsError) -> Double {
    if let length = try params.number(bytes, name, in: range) { return length }
    throw params.error(name, "is missing; expected a number")
  }

  private static let edges: [(StaticString, Edge)] = [("end", .end), ("start", .start)]

  private func edge(_ bytes: Span<UInt8>, _ params: Params) throws(RequestFailure) -> Edge {
    try reading { () throws(ParamsError) in
      try params.word(bytes, "edge", Self.edges) ?? .end
    }
  }

  /// The integer at a value; nil where the member is absent.
  @inline(__always)
  private func integer(
    _ bytes: Span<UInt8>, _ value: JSONSlice, at pointer: String
  ) throws(RequestFailure) -> Int? {
    if value.isEmpty { return nil }
    guard let number = JSONReader.integer(bytes, value), number >= -ServerOptions.maxInteger,
      number <= ServerOptions.maxInteger
    else { throw RequestFailure(ParamsError(pointer, "expected an integer within plus or minus 2^53")) }
    return number
  }

  private func generation(_ bytes: Span<UInt8>, _ params: Params) throws(RequestFailure) -> Int? {
    try reading { () throws(ParamsError) in try params.integer(bytes, "generation") }
  }

  /// The fingerprint under which an item with this id of its own would be found.
  private func itemID(_ bytes: Span<UInt8>, _ value: JSONSlice) throws(RequestFailure) -> Fingerprint {
    if value.isEmpty {
      throw RequestFailure(ParamsError("/id", "is missing; expected the id of an item, or its position"))
    }
    let id = ids.fingerprint(bytes, value, isItemID: true)
    if id.isNone { throw RequestFailure(ParamsError("/id", "expected a string or an integer")) }
    return id
  }

  /// The JSON text of an id that the front end names inside a string, as it gets them with `itemsAs: "text"`.
  func idText(_ bytes: Span<UInt8>, _ value: JSONSlice) throws(RequestFailure) -> [UInt8] {
    if let content = JSONReader.stringBytes(bytes, value),
      let text = try? JSONScanner().scanDocument(content.span, JSONSlice(start: 0, end: content.count)),
      !ids.fingerprint(content.span, text, isItemID: true).isNone
    {
      return JSONReader.raw(content.span, text)
    }
    throw RequestFailure(
      ParamsError("/id", "expected a string that holds the JSON text of a string or an integer (itemsAs is \"text\")"))
  }

  /// The fingerprint of an id that a front end names; nil where the value cannot be one.
  func fingerprint(_ bytes: Span<UInt8>, _ value: JSONSlice, in slot: Int) -> Fingerprint? {
    let id = ids.fingerprint(bytes, value, isItemID: true)
    if id.isNone || sessions[slot].core.position(of: id) != nil { return id.isNone ? nil : id }
    // The items of some sources have no ids of their own; these are known by what the source calls them.
    let keyed = sessions[slot].core.first.flatMap { sessions[slot].core.id(at: $0) }.map { !$0.isNone && !$0.isItemID }
    let text = ids.fingerprint(bytes, value, isItemID: false)
    if sessions[slot].core.position(of: text) != nil { return text }
    guard let number = JSONReader.integer(bytes, value) else { return keyed == true ? text : id }
    let key = Fingerprint.of(sourceKey: number, key: ids.key)
    return keyed == true || sessions[slot].core.position(of: key) != nil ? key : id
  }

  // MARK: Results

  private mutating func answer(_ bytes: Span<UInt8>, _ call: Call, _ appearance: Appearance) {
    guard call.isRequest else { return }
    beginResult(bytes, call)
    write(appearance, withPosition: false)
    endResult(call)
  }

  private mutating func answer(_ bytes: Span<UInt8>, _ call: Call, _ decision: Decision) {
    guard call.isRequest else { return }
    beginResult(bytes, call)
    outbox.json.beginObject()
    outbox.json.key("decision")
    outbox.json.string(ascii: decision.word)
    outbox.json.endObject()
    endResult(call)
  }

  private mutating func write(_ appearance: Appearance, withPosition: Bool) {
    outbox.json.bytes.append(addingCapacity: 120) { output in
      output.append(#"{"decision":""#)
      output.append(appearance.decision.word)
      output.append(#"","previous":""#)
      output.append(appearance.previous.word)
      output.append("\"")
      if withPosition {
        output.append(#","position":"#)
        if let position = appearance.position { output.append(decimal: position) } else { output.append("null") }
      }
      output.append("}")
    }
    outbox.json.valueAppended()
  }
}

extension Decision {
  /// The word on the wire, without making a String of it.
  var word: StaticString {
    switch self {
    case .stale: "stale"
    case .empty: "empty"
    case .unknown: "unknown"
    case .idle: "idle"
    case .disabled: "disabled"
    case .refreshing: "refreshing"
    case .loading: "loading"
    case .ended: "ended"
    case .latched: "latched"
    case .paused: "paused"
    case .started: "started"
    }
  }
}
