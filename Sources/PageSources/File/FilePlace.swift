import JSONText

/// Where in a file a page lies.
enum FilePlace: Sendable, Equatable {
  /// The page from the first line on.
  case start
  /// The page of the last lines.
  case end
  /// The page from the line on that holds this byte, or of the last lines where the file has no such byte.
  case offset(Int)
  /// The page from the line with this number on, from 1, or of the last lines where the file has no such line.
  case line(Int)
  /// The same as `offset` for the byte at this part of the file's size, from 0 to 1.
  case fraction(Double)
  /// The page from this byte on, where a line starts: a cursor of ours.
  case page(at: Int)
  /// The page of the lines between these two bytes, where lines start: a cursor of ours, of a page that was the last of a
  /// file that grows.
  case between(Int, Int)
  /// The page of the lines that end before this byte: a cursor of ours.
  case before(Int)

  /// The byte behind a line feed that a cursor of ours names, the last of two; nil for a place that no page named.
  var cursorOffset: Int? {
    switch self {
    case .page(at: let offset), .before(let offset), .between(_, let offset): offset
    case .start, .end, .offset, .line, .fraction: nil
    }
  }

  /// Whether pages from here on can be read without ever looking back.
  var isForward: Bool {
    switch self {
    case .start, .page, .between: true
    case .end, .offset, .line, .fraction, .before: false
    }
  }

  /// The place as a page's cursor.
  var field: CursorField { cursor.map { .value($0) } ?? .absent }

  /// The JSON text of the cursor; nil for a place that is none.
  var cursor: [UInt8]? {
    var text: [UInt8] = []
    switch self {
    case .page(at: let offset):
      text.append(text: "{\"offset\":")
      DecimalDigits.append(offset, to: &text)
    case .before(let offset):
      text.append(text: "{\"before\":")
      DecimalDigits.append(offset, to: &text)
    case .between(let start, let end):
      text.append(text: "{\"offset\":")
      DecimalDigits.append(start, to: &text)
      text.append(text: ",\"end\":")
      DecimalDigits.append(end, to: &text)
    case .start, .end, .offset, .line, .fraction: return nil
    }
    text.append(UInt8(ascii: "}"))
    return text
  }
}

extension FilePlace {
  /// The place that a cursor of ours names, nil where `text` is no such cursor.
  ///
  /// A plain integer is taken as an offset.
  init?(cursor text: [UInt8]) {
    if let members = CursorMembers(text) {
      if let offset = members.integer("offset"), offset >= 0 {
        if let end = members.integer("end") {
          if end < offset { return nil }
          self = .between(offset, end)
        } else {
          self = .page(at: offset)
        }
      } else if let end = members.integer("before"), end > 0 {
        self = .before(end)
      } else {
        return nil
      }
    } else {
      let whole = JSONSlice(start: 0, end: text.count)
      guard let offset = JSONReader.integer(text.span, whole), SourceObject.counts.contains(offset) else { return nil }
      self = .page(at: offset)
    }
  }

  /// The place that `from` names: `"start"`, `"end"`, `{"offset": n}`, `{"line": n}` or `{"fraction": x}`; nil where it names none.
  init?(from text: [UInt8]) {
    if let members = CursorMembers(text) {
      // With an end it is no place to start, but one page.
      if members.integer("end") != nil { return nil }
      if let offset = members.integer("offset"), offset >= 0 {
        self = .offset(offset)
      } else if let line = members.integer("line"), line >= 1 {
        self = .line(line)
      } else if let fraction = members.number("fraction"), (0...1).contains(fraction) {
        self = .fraction(fraction)
      } else {
        return nil
      }
    } else {
      let whole = JSONSlice(start: 0, end: text.count)
      if JSONReader.stringEquals(text.span, whole, "start") {
        self = .start
      } else if JSONReader.stringEquals(text.span, whole, "end") {
        self = .end
      } else {
        return nil
      }
    }
  }
}
