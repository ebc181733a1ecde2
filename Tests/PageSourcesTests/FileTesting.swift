import JSONText
import Testing

@testable import PageSources

/// Opens a file source; `members` are more members of the source object.
func openFile(_ path: String, _ members: String = "") throws -> any PageSource {
  try opened("{\"type\":\"file\",\"path\":\(quoted(path))\(members.isEmpty ? "" : ",")\(members)}")
}

/// A file source with bounds of its own, which no request can set.
func fileSource(
  _ path: String, _ limits: FileLimits, _ format: FileFormat = .lines, from place: FilePlace = .start
) throws -> FileSource {
  let bytes = Array("{\"path\":\(quoted(path)),\"format\":\"\(format.rawValue)\"}".utf8)
  let object = try SourceObject(bytes.span, JSONSlice(start: 0, end: bytes.count), pointer: "/source")
  var settings = try FileSettings(object)
  settings.from = place
  return try FileSource(settings, limits: limits)
}

/// One line as a page shows it.
struct ShownLine: Equatable {
  var offset: Int
  var text: [UInt8]
  var isInvalid = false
  var cutFrom: Int?
}

extension SourcePage {
  /// The lines that the page's items say they are; checks their exact form on the way.
  func shownLines() throws -> [ShownLine] {
    try items.map { item in
      var members: [JSONMember] = []
      let end = try JSONScanner().scanObject(bytes.span, from: item.value.start, to: item.value.end, members: &members)
      try #require(end == item.value.end)
      func value(_ name: StaticString) -> JSONSlice? { JSONReader.value(bytes.span, of: members, named: name) }
      let offset = try #require(value("offset").flatMap { JSONReader.integer(bytes.span, $0) })
      let text = try #require(value("text").flatMap { JSONReader.stringBytes(bytes.span, $0) })
      let isInvalid = value("invalidUTF8").map { self.text($0) == "true" } ?? false
      let cutFrom = value("bytes").flatMap { JSONReader.integer(bytes.span, $0) }
      try #require((cutFrom != nil) == (value("truncated").map { self.text($0) } == "true"))
      let numbers = value("line") == nil ? 0 : 1
      try #require(members.count == 2 + numbers + (isInvalid ? 1 : 0) + (cutFrom == nil ? 0 : 2))
      try #require(item.key == offset)
      return ShownLine(offset: offset, text: text, isInvalid: isInvalid, cutFrom: cutFrom)
    }
  }
}

/// What the lines of a file should look like, said as plainly as can be.
func expectedLines(_ bytes: [UInt8], maximumLine: Int = .max) -> [ShownLine] {
  var lines: [ShownLine] = []
  var start = 0
  while start < bytes.count {
    let feed = bytes[start...].firstIndex(of: 0x0A)
    var content = bytes[start..<(feed ?? bytes.count)]
    if feed != nil, content.last == 0x0D { content = content.dropLast() }
    if start == 0, content.starts(with: [0xEF, 0xBB, 0xBF]) {
      content = content.dropFirst(3)
      if content.isEmpty, feed == nil { break }
    }
    let whole = content.count
    var cut: Int?
    if whole > maximumLine {
      cut = whole
      content = content.prefix(maximumLine)
      // Take bytes away until what is left ends where a character does, if one was cut at all.
      for count in 1...3 where content.count >= count {
        let lead = content[content.endIndex - count]
        if lead & 0xC0 == 0x80 { continue }
        let needed = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
        if needed > count { content = content.dropLast(count) }
        break
      }
    }
    let text = Array(String(decoding: content, as: UTF8.self).utf8)
    lines.append(ShownLine(offset: start, text: text, isInvalid: text != Array(content), cutFrom: cut))
    start = (feed ?? bytes.count - 1) + 1
  }
  return lines
}
