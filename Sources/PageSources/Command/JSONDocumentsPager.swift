import JSONText

/// Makes pages whose items are the values that a program writes one after another, of which arrays stand for their elements;
/// as they stand, and never held whole.
struct JSONDocumentsPager {
  private let name: InputName
  private let limits: FileLimits
  private var builder: PageBuilder
  private var scanner: JSONItemScanner
  /// Where what follows the page's last item starts.
  private(set) var end = 0
  /// Whether that is an element of an array, so that more of them may follow.
  private(set) var isInArray: Bool

  /// A pager for one page of at most `limit` items, which starts behind an element of an array or between values.
  init(name: InputName, limits: FileLimits, limit: Int, idPath: JSONPointer, isInArray: Bool) {
    self.name = name
    self.limits = limits
    self.isInArray = isInArray
    builder = PageBuilder(limit: limit, idPath: idPath, maximumBytes: limits.pageBytes)
    scanner = JSONItemScanner(idPath: idPath)
  }

  /// The items that the page holds so far, where reading was ended between two of them.
  var partialPage: SourcePage { builder.page(hasMore: true) }

  /// The page from where `window` stands.
  mutating func page(in window: consuming FileWindow) throws(ReadFault) -> SourcePage {
    var window = window
    end = window.offset
    if end == 0 { try skipByteOrderMark(&window) }
    while true {
      window.isPatient = !builder.isFull
      let goesOn = isInArray ? try stepInArray(&window) : try stepBetweenValues(&window)
      if let hasMore = goesOn { return builder.page(hasMore: hasMore) }
    }
  }

  /// Deals with what follows an element; the result says whether there is more where that ends the page.
  private mutating func stepInArray(_ window: inout FileWindow) throws(ReadFault) -> Bool? {
    switch try window.nextByte() {
    case UInt8(ascii: "]"):
      leaveArray(&window)
      return nil
    case UInt8(ascii: ","):
      if builder.isFull { return true }
      window.pass(to: window.position + 1)
      return try appendValue(&window, depth: 1) ? nil : true
    case let other:
      let reason = other == nil ? JSONSyntaxError.Reason.unexpectedEnd : .expectedCommaOrEnd
      throw .source(notJSON(window, JSONSyntaxError(reason, at: window.position)))
    }
  }

  /// Deals with what follows a value; the result says whether there is more where that ends the page.
  private mutating func stepBetweenValues(_ window: inout FileWindow) throws(ReadFault) -> Bool? {
    guard let first = try window.nextByte() else { return false }
    if builder.isFull { return true }
    guard first == UInt8(ascii: "[") else { return try appendValue(&window, depth: 0) ? nil : true }
    window.pass(to: window.position + 1)
    if try window.nextByte() == UInt8(ascii: "]") {
      leaveArray(&window)
      return nil
    }
    return try appendValue(&window, depth: 1) ? nil : true
  }

  private mutating func leaveArray(_ window: inout FileWindow) {
    window.pass(to: window.position + 1)
    end = window.offset
    isInArray = false
  }

  /// Appends the value that comes next; returns false where it does not fit any more.
  private mutating func appendValue(_ window: inout FileWindow, depth: Int) throws(ReadFault) -> Bool {
    _ = try window.nextByte()
    let item = try scan(&window, depth: depth)
    let buffer = window.buffer
    guard item.append(from: buffer.span, to: &builder, key: window.offset) else { return false }
    window.pass(to: item.value.end)
    end = window.offset
    isInArray = depth > 0
    return true
  }

  // MARK: Bytes

  private func skipByteOrderMark(_ window: inout FileWindow) throws(ReadFault) {
    while window.unread < 3 && !window.hasReadAll {
      if window.unread > 0, window.buffer[window.position] != 0xEF { return }
      try window.fill()
    }
    if window.unread >= 3, window.buffer[window.position..<(window.position + 3)] == [0xEF, 0xBB, 0xBF] {
      window.pass(to: window.position + 3)
    }
  }

  /// Scans the value at the window's position, reading on until it is whole.
  ///
  /// A large value that comes in small pieces is looked at again only when there is twice as much of it, or when the
  /// program pauses.
  private mutating func scan(_ window: inout FileWindow, depth: Int) throws(ReadFault) -> ScannedItem {
    var worthwhile = 0
    while true {
      if window.unread >= worthwhile || window.hasReadAll {
        if let item = try scanOnce(window, depth: depth) { return item }
        worthwhile = 2 * window.unread
      }
      if window.unread > limits.recordBytes { throw .source(tooLong(window)) }
      do throws(ReadFault) {
        try window.fill()
      } catch .idle where window.unread < worthwhile {
        if let item = try scanOnce(window, depth: depth) { return item }
        throw .idle
      }
    }
  }

  /// The value at the window's position, nil where it is not whole yet.
  private mutating func scanOnce(_ window: borrowing FileWindow, depth: Int) throws(ReadFault) -> ScannedItem? {
    let buffer = window.buffer
    do throws(JSONSyntaxError) {
      let item = try scanner.scan(buffer.span, from: window.position, to: window.filled, depth: depth)
      // A number goes on where more digits follow; everything else says itself where it ends.
      let isNumber = JSONReader.kind(buffer.span, item.value) == .number
      return isNumber && item.value.end == window.filled && !window.hasReadAll ? nil : item
    } catch {
      // A word or a character that is cut by the end of what there is is an error near that end.
      let mayBeCut = error.reason == .unexpectedEnd || error.offset + 8 > window.filled
      if window.hasReadAll || !mayBeCut { throw .source(notJSON(window, error)) }
      return nil
    }
  }

  // MARK: Errors

  private func notJSON(_ window: borrowing FileWindow, _ error: JSONSyntaxError) -> SourceError {
    let place = window.offset + error.offset - window.position
    return SourceError(
      .badPage, "\(name.shown) is no JSON: at byte \(place) \(error.reason). \(name.remedy)",
      details: name.details + [.integer("errorOffset", place), .string("reason", error.reason.description)])
  }

  private func tooLong(_ window: borrowing FileWindow) -> SourceError {
    SourceError(
      .limitExceeded,
      "The value at byte \(window.offset) of \(name.shown) has more than \(limits.recordBytes) bytes, as many as an item"
        + " may have. Open the \(name.noun) with the format \"lines\" to see its start.",
      details: name.details + [.integer("offset", window.offset), .integer("limit", limits.recordBytes)])
  }
}
