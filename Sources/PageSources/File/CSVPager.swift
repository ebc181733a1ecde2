import JSONText

/// Makes pages whose items are the records of comma- or tab-separated text: objects by the header, all values strings, or
/// arrays of strings where there is no header.
///
/// A record with fewer fields than the header has null for the rest; one with more gets columns called by their number.
struct CSVPager {
  private let name: InputName
  private let limits: FileLimits
  private let delimiter: UInt8
  private let idPath: JSONPointer
  private var builder: PageBuilder
  private var header = CSVHeader()
  private var hasHeader = false
  /// The header as the input has it, once it was read; one set before is not read again.
  var knownHeader: CSVHeader?
  /// Where what follows the page's last record starts.
  private(set) var end = 0

  /// A pager for one page of at most `limit` records.
  init(name: InputName, limits: FileLimits, delimiter: UInt8, limit: Int, idPath: JSONPointer) {
    self.name = name
    self.limits = limits
    self.delimiter = delimiter
    self.idPath = idPath
    builder = PageBuilder(limit: limit, idPath: idPath, maximumBytes: limits.pageBytes)
  }

  /// The records that the page holds so far, where reading was ended between two of them.
  var partialPage: SourcePage { builder.page(next: FilePlace.page(at: end).field, hasMore: true) }

  /// The page of `input` from the record that starts at `offset`.
  ///
  /// No record of it starts at `end` or later. With `hasHeader`, the input's first record names the columns and is no item.
  mutating func page(
    of input: any ByteInput, from offset: Int, before end: Int = .max, hasHeader: Bool, cancellation: CancellationFlag
  ) throws(ReadFault) -> SourcePage {
    do throws(CSVFault) {
      self.hasHeader = hasHeader
      if let knownHeader { header = knownHeader }
      let readsHeader = hasHeader && (knownHeader == nil || offset == 0)
      var reader = reader(of: input, from: readsHeader ? 0 : offset, cancellation)
      if readsHeader {
        guard let record = try reader.next() else { return builder.page(hasMore: false) }
        header = CSVHeader(fields: fields(of: record, reader.buffer.span), idPath: idPath)
        knownHeader = header
        if offset > reader.offset { reader = self.reader(of: input, from: offset, cancellation) }
      }
      return try records(&reader, before: end)
    } catch .read(let fault) {
      throw fault
    } catch {
      throw .source(sourceError(error))
    }
  }

  private func reader(of input: any ByteInput, from offset: Int, _ cancellation: CancellationFlag) -> CSVReader {
    CSVReader(
      FileWindow(input, from: offset, limits: limits, cancellation: cancellation), delimiter: delimiter,
      maximumRecord: limits.rowBytes)
  }

  private mutating func records(_ reader: inout CSVReader, before limit: Int) throws(CSVFault) -> SourcePage {
    end = reader.offset
    while true {
      reader.isPatient = !builder.isFull
      if try !reader.hasMore() { break }
      let next = reader.offset
      end = next
      if builder.isFull || next >= limit { return builder.page(next: FilePlace.page(at: end).field, hasMore: true) }
      guard let record = try reader.next() else { break }
      if !append(record, reader.buffer.span) {
        return builder.page(next: FilePlace.page(at: next).field, hasMore: true)
      }
      end = reader.offset
    }
    return builder.page(hasMore: false)
  }

  /// Appends a record; returns false where it does not fit any more.
  private mutating func append(_ record: CSVReader.Record, _ buffer: Span<UInt8>) -> Bool {
    let start = builder.openItem()
    var id = JSONSlice.none
    var column = 0
    builder.bytes.append(hasHeader ? UInt8(ascii: "{") : UInt8(ascii: "["))
    var index = record.content.lowerBound
    repeat {
      appendKey(of: column)
      let value = builder.bytes.count
      index = CSVFields.append(buffer, from: index, to: record.content.upperBound, delimiter, &builder.bytes)
      if column == header.idColumn { id = JSONSlice(start: value, end: builder.bytes.count) }
      column += 1
    } while index <= record.content.upperBound
    while column < header.columnCount {
      appendKey(of: column)
      builder.bytes.append(text: "null")
      column += 1
    }
    builder.bytes.append(hasHeader ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    // Columns are the only members, so an id path is a column's name, or leads nowhere.
    return hasHeader && !idPath.tokens.isEmpty
      ? builder.closeItem(from: start, id: id, key: record.offset) : builder.closeItem(from: start, key: record.offset)
  }

  private mutating func appendKey(of column: Int) {
    if hasHeader {
      if column >= header.keys.count { header.extend(to: column + 1) }
      builder.bytes.append(contentsOf: header.keys[column])
    } else if column > 0 {
      builder.bytes.append(UInt8(ascii: ","))
    }
  }

  private func fields(of record: CSVReader.Record, _ buffer: Span<UInt8>) -> [[UInt8]] {
    var fields: [[UInt8]] = []
    var index = record.content.lowerBound
    repeat {
      var field: [UInt8] = []
      index = CSVFields.append(buffer, from: index, to: record.content.upperBound, delimiter, &field)
      fields.append(field)
    } while index <= record.content.upperBound
    return fields
  }

  // MARK: Errors

  private func sourceError(_ fault: CSVFault) -> SourceError {
    let shown = name.shown
    switch fault {
    case .read: return SourceError(.loadFailed, "Cannot read \(shown). Load again.")
    case .openQuote(let quote):
      return SourceError(
        .badPage,
        "The quotes that open at byte \(quote) of \(shown) are never closed. \(name.remedy)",
        details: name.details + [.integer("offset", quote)])
    case .tooLong(let offset, let quote):
      let reason = quote.map { ", which has quotes that open at byte \($0) and do not close," } ?? ""
      return SourceError(
        .limitExceeded,
        "The record at byte \(offset) of \(shown)\(reason) has more than \(limits.rowBytes) bytes, as many as one may have."
          + " \(name.remedy)",
        details: name.details + [.integer("offset", offset), .integer("limit", limits.rowBytes)])
    }
  }
}
