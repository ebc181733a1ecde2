/// Reads the records of comma- or tab-separated text forward from a place in a file (RFC 4180, taken generously).
///
/// A field that starts with a quote goes on to the next single quote, over delimiters and line ends; a doubled quote in it
/// is a quote. What follows the closing quote belongs to the field. A quote anywhere else is a plain character. Records end
/// at line feeds, one carriage return before it belonging to the end; empty ones are passed over.
struct CSVReader: ~Copyable {
  /// A record, as a place in the reader's buffer that holds until the next one is read.
  struct Record: Equatable {
    /// Where the record starts in the file.
    var offset: Int
    /// Its bytes in `buffer`, without its end.
    var content: Range<Int>
  }

  /// What a byte of a record is read as.
  private enum State {
    /// The first byte of a field.
    case fieldStart
    /// A byte of a field without quotes, or behind the closing one.
    case plain
    /// A byte between quotes.
    case quoted
    /// The byte behind a quote between quotes, which decides whether that one closes the field.
    case quoteSeen
  }

  private var window: FileWindow
  private let delimiter: UInt8
  private let maximumRecord: Int

  /// A reader from where `window` stands, which is the start of a record.
  init(_ window: consuming FileWindow, delimiter: UInt8, maximumRecord: Int) {
    self.window = window
    self.delimiter = delimiter
    self.maximumRecord = maximumRecord
  }

  /// Where the next record starts in the file, once `hasMore` has said that there is one.
  var offset: Int { window.offset }

  /// Whether an input that has nothing yet is worth waiting for.
  var isPatient: Bool {
    get { window.isPatient }
    set { window.isPatient = newValue }
  }

  /// The bytes that the last record's place is in.
  var buffer: [UInt8] { window.buffer }

  /// Passes over empty records; whether another record follows them.
  mutating func hasMore() throws(CSVFault) -> Bool {
    try skipByteOrderMark()
    while true {
      if window.unread > 0 {
        let first = window.buffer[window.position]
        if first == 0x0A {
          window.pass(to: window.position + 1)
          continue
        }
        if first != 0x0D { return true }
        // A return is the start of an empty record's end if a line feed follows.
        if window.unread > 1 {
          if window.buffer[window.position + 1] != 0x0A { return true }
          window.pass(to: window.position + 2)
          continue
        }
      }
      if window.hasReadAll { return window.unread > 0 }
      try fill()
    }
  }

  /// The next record, nil at the end of the file.
  mutating func next() throws(CSVFault) -> Record? {
    guard try hasMore() else { return nil }
    var state = State.fieldStart
    var index = window.position
    var quoteIndex = index
    while true {
      if let end = Self.recordEnd(
        window.buffer.span, &index, window.filled, delimiter: delimiter, state: &state, quoteIndex: &quoteIndex)
      {
        return take(contentEnd: end, next: end + 1)
      }
      let quoteOffset = state == .quoted ? window.offset + quoteIndex - window.position : nil
      if window.unread > maximumRecord { throw .tooLong(offset: window.offset, quote: quoteOffset) }
      if window.hasReadAll {
        if let quoteOffset { throw .openQuote(quoteOffset) }
        return take(contentEnd: window.filled, next: window.filled)
      }
      let seen = index - window.position
      let quoteSeen = quoteIndex - window.position
      try fill()
      index = window.position + seen
      quoteIndex = window.position + quoteSeen
    }
  }

  /// The index of the line feed that ends the record, nil where it is not in the buffer yet; `index` goes on from call to
  /// call.
  private static func recordEnd(
    _ bytes: Span<UInt8>, _ index: inout Int, _ end: Int, delimiter: UInt8, state: inout State, quoteIndex: inout Int
  ) -> Int? {
    while index < end {
      let byte = bytes[index]
      switch state {
      case .quoted:
        if byte == 0x22 { state = .quoteSeen }
      case .fieldStart where byte == 0x22:
        state = .quoted
        quoteIndex = index
      case .quoteSeen where byte == 0x22:
        state = .quoted
      case .fieldStart, .plain, .quoteSeen:
        if byte == 0x0A { return index }
        state = byte == delimiter ? .fieldStart : .plain
      }
      index &+= 1
    }
    return nil
  }

  private mutating func take(contentEnd: Int, next: Int) -> Record {
    let start = window.position
    let endsInReturn = next > contentEnd && contentEnd > start && window.buffer[contentEnd - 1] == 0x0D
    let record = Record(offset: window.offset, content: start..<(contentEnd - (endsInReturn ? 1 : 0)))
    window.pass(to: next)
    return record
  }

  private mutating func skipByteOrderMark() throws(CSVFault) {
    guard window.offset == 0 else { return }
    while window.unread < 3 && !window.hasReadAll { try fill() }
    if window.unread >= 3, window.buffer[..<3] == [0xEF, 0xBB, 0xBF] { window.pass(to: 3) }
  }

  private mutating func fill() throws(CSVFault) {
    do throws(ReadFault) {
      try window.fill()
    } catch {
      throw .read(error)
    }
  }
}

/// Why no record could be read.
enum CSVFault: Error, Equatable {
  /// The file cannot be read.
  case read(ReadFault)
  /// The file ends inside the quotes that were opened at this byte.
  case openQuote(Int)
  /// The record that starts at `offset` is longer than one may be; `quote` is where quotes were opened that did not end.
  case tooLong(offset: Int, quote: Int?)
}
