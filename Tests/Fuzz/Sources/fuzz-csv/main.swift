// Comma-separated text against a reader that is as plain as can be, in one page and page by page, read in any blocks.
import FuzzSupport
import Glibc
import JSONText

@testable import PageSources

/// What a record is, by the rules that CSVReader states, over a whole text at once.
struct PlainCSV {
  /// The fields of each record, in the pieces that a closing quote ends: what is no UTF-8 in one is mended for itself.
  var records: [[[[UInt8]]]] = []
  /// Whether the text ends between quotes, so that it is an error after these records.
  var endsInQuotes = false

  init(_ text: [UInt8], _ delimiter: UInt8) {
    var rest = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text[3...] : text[...]
    while !rest.isEmpty {
      var fields = [Field()]
      var isQuoted = false
      var isAtStart = true
      var isEnded = false
      var raw: [UInt8] = []
      while !isEnded, let byte = rest.popFirst() {
        raw.append(byte)
        if isQuoted {
          if byte != 0x22 {
            fields[fields.count - 1].add(byte)
          } else if rest.first == 0x22 {
            raw.append(0x22)
            rest.removeFirst()
            fields[fields.count - 1].add(0x22)
          } else {
            isQuoted = false
            fields[fields.count - 1].pieces.append([])
          }
        } else if byte == 0x22, isAtStart {
          isQuoted = true
        } else if byte == delimiter {
          fields.append(Field())
        } else if byte == 0x0A {
          isEnded = true
          if raw.dropLast().last == 0x0D { fields[fields.count - 1].dropLast() }
        } else {
          fields[fields.count - 1].add(byte)
        }
        isAtStart = !isQuoted && byte == delimiter
      }
      if isQuoted {
        endsInQuotes = true
        return
      }
      if raw == [0x0A] || raw == [0x0D, 0x0A] { continue }
      records.append(fields.map(\.pieces))
    }
  }
}

/// A field while it is read.
struct Field {
  var pieces: [[UInt8]] = [[]]

  mutating func add(_ byte: UInt8) { pieces[pieces.count - 1].append(byte) }

  mutating func dropLast() {
    if pieces[pieces.count - 1].isEmpty { return }
    pieces[pieces.count - 1].removeLast()
  }
}

func quoted(_ field: [[UInt8]]) -> [UInt8] {
  var text: [UInt8] = [0x22]
  for piece in field { JSONStringEncoder.append(piece.span, to: &text) }
  return text + [0x22]
}

/// The page's items as text; nil where it fails.
func page(_ text: [UInt8], from offset: Int, limit: Int, block: Int, _ way: Way) -> (items: [[UInt8]], next: Int?)? {
  var limits = FileLimits()
  limits.firstReadBytes = block
  limits.readBytes = block
  var pager = CSVPager(
    name: .file(Array("/f.csv".utf8)), limits: limits, delimiter: way.delimiter, limit: limit, idPath: idPath)
  let page = try? pager.page(
    of: MemoryInput(bytes: text), from: offset, hasHeader: way.hasHeader, cancellation: CancellationFlag())
  guard let page else { return nil }
  for item in page.items {
    JSONPromises.checkValue(Array(page.bytes[item.value.range]), "a record")
    Fuzzing.check(item.id.isEmpty || item.id.start >= item.value.start && item.id.end <= item.value.end, "an id inside")
  }
  let items = page.items.map { Array(page.bytes[$0.value.range]) }
  if page.hasMore == false { return (items, nil) }
  Fuzzing.check(!items.isEmpty && pager.end > offset, "a page that is not the last moves on")
  return (items, pager.end)
}

/// How a text is read.
struct Way {
  var delimiter: UInt8
  var hasHeader: Bool
}

let idPath = JSONPointer(tokens: [Array("id".utf8)])

func checkText(_ input: [UInt8]) {
  var cutter = InputCutter(input)
  let way = Way(delimiter: cutter.choice(below: 2) == 0 ? 0x2C : 0x09, hasHeader: cutter.choice(below: 2) == 0)
  let limit = 1 + cutter.choice(below: 4)
  let block = 2 + cutter.choice(below: 14)
  let text = Array(cutter.rest)
  let whole = page(text, from: 0, limit: 10_000, block: 4096, way)
  let plain = PlainCSV(text, way.delimiter)
  Fuzzing.check((whole == nil) == plain.endsInQuotes, "only quotes that do not end are an error")
  if let whole, !way.hasHeader {
    let expected = plain.records.map { record in
      [0x5B] + Array(record.map(quoted).joined(separator: [0x2C])) + [0x5D]
    }
    Fuzzing.check(whole.items == expected, "records are what a plain reader finds")
  }
  if let whole, way.hasHeader {
    Fuzzing.check(whole.items.count == max(0, plain.records.count - 1), "the header is no record")
  }
  var items: [[UInt8]] = []
  var offset: Int? = 0
  while let start = offset {
    guard let part = page(text, from: start, limit: limit, block: block, way) else {
      Fuzzing.check(whole == nil, "read in parts, a good text fails")
      return
    }
    items += part.items
    offset = part.next
  }
  Fuzzing.check(whole.map { $0.items == items } ?? false, "read in parts, a text is another one")
}

exit(
  Fuzzing.run { start, count in
    checkText(Fuzzing.bytes(start, count))
    return 0
  })
