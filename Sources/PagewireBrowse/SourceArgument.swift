import JSONText

/// What the command line names to be listed.
enum SourceArgument: Equatable {
  case path(String)
  case url(String)
  /// A source object as JSON text.
  case object([UInt8])
  /// A program and its arguments, whose output is listed.
  case command([String])

  /// Reads one argument: a URL, an object (it starts with a brace), or a path.
  init(_ argument: String) throws(UsageError) {
    if argument.hasPrefix("{") {
      let bytes = Array(argument.utf8)
      do throws(JSONSyntaxError) {
        _ = try JSONScanner().scanDocument(bytes.span, JSONSlice(start: 0, end: bytes.count))
      } catch {
        throw UsageError("the source object is not valid JSON: \(error)")
      }
      self = .object(bytes)
    } else if argument.hasPrefix("http://") || argument.hasPrefix("https://") {
      self = .url(argument)
    } else if argument.isEmpty {
      throw UsageError("the source is empty")
    } else {
      self = .path(argument)
    }
  }

  /// Writes the member `source` of `open`.
  func write(to writer: inout JSONWriter) {
    writer.key("source")
    switch self {
    case .object(let bytes):
      writer.raw(bytes)
      return
    case .path(let path):
      writer.beginObject()
      writer.member("type", "file")
      writer.member("path", path)
    case .url(let url):
      writer.beginObject()
      writer.member("type", "http")
      writer.member("url", url)
    case .command(let words):
      writer.beginObject()
      writer.member("type", "command")
      writer.key("argv")
      writer.beginArray()
      for word in words { writer.string(word) }
      writer.endArray()
    }
    writer.endObject()
  }

  /// What the status line calls it.
  var title: String {
    switch self {
    case .path(let path): path
    case .url(let url): url
    case .object(let bytes): String(decoding: bytes, as: UTF8.self)
    case .command(let words): words.joined(separator: " ")
    }
  }

  /// Items a page when everything is printed: large where pages cost nothing but work, small where somebody else's
  /// service answers.
  var printingPageSize: Int {
    switch self {
    case .path, .command: 4000
    case .url, .object: 500
    }
  }
}
