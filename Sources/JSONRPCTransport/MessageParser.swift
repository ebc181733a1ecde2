import JSONText

/// Reads JSON-RPC 2.0 messages out of bodies: one pass that validates everything and notes where the parts stand.
///
/// Besides the message it records, in arrays that are used again for the next one, the top-level members of `params`, of
/// `result` and of `error` where these are objects, and the elements of the result's member `items`. All slices point into
/// the buffer that was parsed. Nothing is allocated for a message once the arrays have grown.
public struct MessageParser: Sendable {
  /// The members of the last message's `params`; empty where these are no object.
  public private(set) var paramMembers: [JSONMember] = []
  /// The members of the last message's `result`; empty where this is no object.
  public private(set) var resultMembers: [JSONMember] = []
  /// The members of the last response's `error`; empty where this is no object.
  public private(set) var errorMembers: [JSONMember] = []
  /// The text of the result's (last) member `items`; empty unless that is an array.
  public private(set) var itemsArray = JSONSlice.none
  /// The elements of ``itemsArray``, each with the value of its member `id`.
  public private(set) var items: [JSONElement] = []

  private let scanner: JSONScanner
  private var marks = JSONMarks()
  /// The elements of the last batch.
  private var batch: [JSONElement] = []

  /// How many messages one batch may hold.
  private let maxBatchCount: Int

  /// Makes a parser that refuses bodies nested deeper than `maxDepth`, batches of more than `maxBatchCount` messages, and
  /// more than `maxRecorded` members or elements in one object or array that it records.
  ///
  /// The largest frame could hold thirty times as many as are recorded by default, and their slices would take sixteen times
  /// its memory.
  public init(
    maxDepth: Int = JSONScanner.defaultMaxDepth, maxBatchCount: Int = 10_000, maxRecorded: Int = 1_000_000
  ) {
    scanner = JSONScanner(maxDepth: maxDepth, maxRecorded: maxRecorded)
    self.maxBatchCount = maxBatchCount
  }

  /// Reads the body that `frame` marks in `bytes`.
  public mutating func parse(_ bytes: Span<UInt8>, _ frame: JSONSlice) -> ParsedFrame {
    forget()
    do throws(JSONSyntaxError) {
      let start = JSONScanner.skipWhitespace(bytes, frame.start, frame.end)
      guard start < frame.end else { throw JSONSyntaxError(.unexpectedEnd, at: frame.end) }
      switch bytes[start] {
      case UInt8(ascii: "{"):
        var fields = MessageFields()
        let end = try scanMessage(bytes, from: start, to: frame.end, into: &fields)
        try expectEnd(bytes, at: end, of: frame)
        return classify(bytes, fields)
      case UInt8(ascii: "["):
        let end = try scanner.scanArray(bytes, from: start, to: frame.end, elements: &batch)
        try expectEnd(bytes, at: end, of: frame)
        if batch.isEmpty { return invalid(.emptyBatch) }
        if batch.count > maxBatchCount { return invalid(.batchTooLarge(limit: maxBatchCount)) }
        return .batch(count: batch.count)
      default:
        _ = try scanner.scanDocument(bytes, frame)
        return invalid(.notAnObject)
      }
    } catch {
      forget()
      return invalid(.notJSON(JSONSyntaxError(error.reason, at: error.offset &- frame.start)))
    }
  }

  /// Reads one element of the batch that ``parse(_:_:)`` found last, out of the same buffer; never a batch again.
  public mutating func parseBatchElement(_ bytes: Span<UInt8>, at index: Int) -> ParsedFrame {
    forget()
    let element = batch[index].value
    guard bytes[element.start] == UInt8(ascii: "{") else { return invalid(.notAnObject) }
    do throws(JSONSyntaxError) {
      var fields = MessageFields()
      _ = try scanMessage(bytes, from: element.start, to: element.end, into: &fields)
      return classify(bytes, fields)
    } catch {
      // It was validated with the batch; only another buffer can bring this about.
      return invalid(.notJSON(JSONSyntaxError(error.reason, at: error.offset &- element.start)))
    }
  }

  /// Empties what was recorded for the last message.
  private mutating func forget() {
    paramMembers.empty()
    resultMembers.empty()
    errorMembers.empty()
    forgetItems()
  }

  private mutating func forgetItems() {
    itemsArray = .none
    items.empty()
  }

  private func expectEnd(_ bytes: Span<UInt8>, at offset: Int, of frame: JSONSlice) throws(JSONSyntaxError) {
    let rest = JSONScanner.skipWhitespace(bytes, offset, frame.end)
    if rest < frame.end { throw JSONSyntaxError(.trailingText, at: rest) }
  }

  private func invalid(_ reason: InvalidMessage.Reason, id: JSONSlice = .none) -> ParsedFrame {
    .invalid(InvalidMessage(reason: reason, id: id))
  }
}

// MARK: - The pass over the text

extension MessageParser {
  private mutating func scanMessage(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, into fields: inout MessageFields
  ) throws(JSONSyntaxError) -> Int {
    var step = try scanner.openObject(bytes, at: start, to: end, depth: 0)
    while !step.isEnd {
      let key = try JSONScanner.scanKey(bytes, at: step.offset, to: end)
      let from = key.valueStart
      let valueEnd: Int
      switch key.word(in: bytes) {
      case JSONKeyWord.make("jsonrpc"):
        valueEnd = try scanner.scanValue(bytes, from: from, to: end, depth: 1)
        fields.jsonrpc = JSONSlice(start: from, end: valueEnd)
      case JSONKeyWord.make("method"):
        valueEnd = try scanMethod(bytes, from: from, to: end, into: &fields)
      case JSONKeyWord.make("id"):
        valueEnd = try scanner.scanValue(bytes, from: from, to: end, depth: 1)
        fields.id = JSONSlice(start: from, end: valueEnd)
      case JSONKeyWord.make("params"):
        valueEnd = try scanParams(bytes, from: from, to: end)
        fields.params = JSONSlice(start: from, end: valueEnd)
      case JSONKeyWord.make("result"):
        valueEnd = try scanResult(bytes, from: from, to: end)
        fields.result = JSONSlice(start: from, end: valueEnd)
      case JSONKeyWord.make("error"):
        valueEnd = try scanner.scanValue(bytes, from: from, to: end, depth: 1)
        fields.error = JSONSlice(start: from, end: valueEnd)
      default:
        valueEnd = try scanner.scanValue(bytes, from: from, to: end, depth: 1)
      }
      step = try JSONScanner.afterMember(bytes, at: valueEnd, to: end)
    }
    return step.offset
  }

  private func scanMethod(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, into fields: inout MessageFields
  ) throws(JSONSyntaxError) -> Int {
    let valueEnd: Int
    if start < end, bytes[start] == UInt8(ascii: "\"") {
      let close = try JSONScanner.scanString(bytes, from: start &+ 1, to: end)
      fields.methodHasEscape = close.hasEscape
      valueEnd = close.offset &+ 1
    } else {
      valueEnd = try scanner.scanValue(bytes, from: start, to: end, depth: 1)
    }
    fields.method = JSONSlice(start: start, end: valueEnd)
    return valueEnd
  }

  private mutating func scanParams(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(JSONSyntaxError) -> Int {
    if start < end, bytes[start] == UInt8(ascii: "{") {
      return try scanner.scanObject(bytes, from: start, to: end, depth: 1, members: &paramMembers)
    }
    paramMembers.empty()
    return try scanner.scanValue(bytes, from: start, to: end, depth: 1)
  }

  private mutating func scanResult(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(JSONSyntaxError) -> Int {
    // An earlier `result` of the same message no longer counts.
    resultMembers.empty()
    forgetItems()
    guard start < end, bytes[start] == UInt8(ascii: "{") else {
      return try scanner.scanValue(bytes, from: start, to: end, depth: 1)
    }
    var step = try scanner.openObject(bytes, at: start, to: end, depth: 1)
    while !step.isEnd {
      let key = try JSONScanner.scanKey(bytes, at: step.offset, to: end)
      let from = key.valueStart
      let isItems = key.word(in: bytes) == JSONKeyWord.make("items")
      if isItems { forgetItems() }
      let valueEnd: Int
      if isItems, from < end, bytes[from] == UInt8(ascii: "[") {
        valueEnd = try scanner.scanArray(bytes, from: from, to: end, depth: 2, elements: &items, marks: &marks)
        itemsArray = JSONSlice(start: from, end: valueEnd)
      } else {
        valueEnd = try scanner.scanValue(bytes, from: from, to: end, depth: 2)
      }
      guard resultMembers.count < scanner.maxRecorded else {
        throw JSONSyntaxError(.tooMany, at: key.slice.start &- 1)
      }
      resultMembers.append(JSONMember(bytes, key: key, valueEnd: valueEnd))
      step = try JSONScanner.afterMember(bytes, at: valueEnd, to: end)
    }
    return step.offset
  }
}

// MARK: - What the members make

extension MessageParser {
  private mutating func classify(_ bytes: Span<UInt8>, _ fields: MessageFields) -> ParsedFrame {
    if fields.method.isEmpty, !(fields.result.isEmpty && fields.error.isEmpty) {
      return .message(response(bytes, fields))
    }
    guard isUsableID(bytes, fields.id) else { return invalid(.invalidID) }
    guard isVersion2(bytes, fields.jsonrpc) else { return invalid(.wrongVersion, id: fields.id) }
    guard !fields.method.isEmpty else { return invalid(.missingMethod, id: fields.id) }
    guard let method = JSONReader.stringContent(bytes, fields.method) else {
      return invalid(.invalidMethod, id: fields.id)
    }
    var message = Message(
      kind: fields.id.isEmpty ? .notification : .request, id: fields.id, method: method,
      methodHasEscape: fields.methodHasEscape, params: fields.params, paramsKind: .absent, result: .none, error: .none)
    if !fields.params.isEmpty {
      switch bytes[fields.params.start] {
      case UInt8(ascii: "{"): message.paramsKind = .object
      case UInt8(ascii: "["): message.paramsKind = .array
      case UInt8(ascii: "n"): message.params = .none
      default: return invalid(.invalidParams, id: fields.id)
      }
    }
    return .message(message)
  }

  private mutating func response(_ bytes: Span<UInt8>, _ fields: MessageFields) -> Message {
    var message = Message(
      kind: .response, id: fields.id, method: .none, methodHasEscape: false, params: .none, paramsKind: .absent,
      result: fields.result, error: fields.error)
    let hasError = !fields.error.isEmpty && !JSONReader.isNull(bytes, fields.error)
    if hasError {
      let hasResult = !fields.result.isEmpty && !JSONReader.isNull(bytes, fields.result)
      message.result = .none
      if hasResult { message.defect = .bothResultAndError }
      if !isError(bytes, fields.error) { message.defect = .malformedError }
    } else if fields.result.isEmpty {
      message.defect = .malformedError
    } else {
      message.error = .none
    }
    if !isVersion2(bytes, fields.jsonrpc) { message.defect = .wrongVersion }
    if fields.id.isEmpty {
      message.defect = .missingID
    } else if !isUsableID(bytes, fields.id) {
      message.id = .none
      message.defect = .invalidID
    }
    return message
  }

  /// Whether the value is an object with an integer code and a string message; records its members.
  private mutating func isError(_ bytes: Span<UInt8>, _ error: JSONSlice) -> Bool {
    guard (try? scanner.scanObject(bytes, from: error.start, to: error.end, members: &errorMembers)) != nil,
      let code = JSONReader.value(bytes, of: errorMembers, named: "code"),
      let text = JSONReader.value(bytes, of: errorMembers, named: "message")
    else { return false }
    return JSONReader.integer(bytes, code) != nil && JSONReader.kind(bytes, text) == .string
  }

  /// Whether the value may be an id; absent is not for this function to judge.
  @inline(__always)
  private func isUsableID(_ bytes: Span<UInt8>, _ id: JSONSlice) -> Bool {
    guard !id.isEmpty else { return true }
    switch bytes[id.start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "t"), UInt8(ascii: "f"): return false
    default: return true
    }
  }

  @inline(__always)
  private func isVersion2(_ bytes: Span<UInt8>, _ version: JSONSlice) -> Bool {
    if version.count == 5 {
      // An opening quote, 2.0 and a closing quote.
      return bytes.word32(at: version.start) == 0x302E_3222 && bytes[version.start &+ 4] == UInt8(ascii: "\"")
    }
    return JSONReader.stringEquals(bytes, version, "2.0")
  }
}
