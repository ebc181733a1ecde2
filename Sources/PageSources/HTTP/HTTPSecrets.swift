import JSONText

/// The texts that a source must not show again: values of headers, and what was taken from the environment.
///
/// A value from the environment may come back in a URL that the API gives. There, and so in a cursor, its name stands for it:
/// `{NAME.1}` is the value of NAME in the second of its forms. No URL has such braces of its own, since they may not be in one.
struct HTTPSecrets: Sendable {
  private struct Entry {
    /// Empty for a value that was given with the source.
    var name: [UInt8]
    /// The value as it stands, and as it may stand in a URL or in JSON text.
    var forms: [[UInt8]]
    /// The number of the first form among all that have this name.
    var first: Int
  }

  /// What is shorter is no secret, and hiding it everywhere would hide what people need to read.
  private static let minimumBytes = 4

  private var entries: [Entry] = []

  /// Notes a value that the source spells out.
  mutating func add(_ value: [UInt8]) { add(value, name: []) }

  /// Notes a value that was taken from the variable `name`.
  mutating func add(_ value: [UInt8], name: String) { add(value, name: Array(name.utf8)) }

  /// Notes a URL that was taken from the variable `name`: all behind its origin is the secret.
  mutating func add(_ url: HTTPURL, name: String) {
    let query = url.query ?? []
    add(url.path + (query.isEmpty ? [] : [UInt8(ascii: "?")] + query), name: name)
    add(Array(url.path.dropFirst()), name: name)
    for part in query.split(separator: UInt8(ascii: "&")) {
      let value = part.drop { $0 != UInt8(ascii: "=") }.dropFirst()
      add(Array(value), name: name)
    }
  }

  private mutating func add(_ value: [UInt8], name: [UInt8]) {
    guard value.count >= Self.minimumBytes else { return }
    var json = JSONWriter()
    json.string(utf8: value.span)
    let strict = HTTPURL.escaped(value)
    let other: [[UInt8]] = [
      strict, HTTPURL.escaped(value, hexadecimal: "0123456789abcdef"), HTTPURL.escaped(value, blank: UInt8(ascii: "+")),
      HTTPURL.escaped(value, keeping: Array("/:@!$'()*,;".utf8)), Array(json.bytes.dropFirst().dropLast()),
    ]
    var forms = [value]
    for form in other where !forms.contains(form) { forms.append(form) }
    let first = entries.reduce(0) { $1.name == name ? $0 + $1.forms.count : $0 }
    entries.append(Entry(name: name, forms: forms, first: first))
  }

  /// Whether any of them is a part of `text`.
  ///
  /// Text in JSON text in JSON text has more reverse slashes with each level, so these do not count.
  func areIn(_ text: [UInt8]) -> Bool {
    let plain = text.filter { $0 != UInt8(ascii: "\\") }
    // Anything may be written as `\u0041` too.
    var decoded: [UInt8] = []
    if plain.count < text.count {
      JSONReader.appendDecoded(text.span, content: JSONSlice(start: 0, end: text.count), to: &decoded)
    }
    return entries.contains { entry in
      entry.forms.contains { form in
        text.holds(form) || decoded.holds(form) || plain.holds(form.filter { $0 != UInt8(ascii: "\\") })
      }
    }
  }

  /// The text as it may be shown: without them.
  func hidden(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return String(decoding: replaced(in: bytes, entries), as: UTF8.self)
  }

  // MARK: URLs

  /// The text of a URL with names in place of what was taken from the environment.
  func named(_ url: [UInt8]) -> [UInt8] { replaced(in: url, entries.filter { !$0.name.isEmpty }) }

  /// The URL that a text with names means.
  func restored(_ text: [UInt8]) -> [UInt8] {
    var result = text
    for entry in entries where !entry.name.isEmpty {
      for (index, form) in entry.forms.enumerated() {
        result = Self.replacing(Self.placeholder(entry.name, entry.first + index), in: result, by: form)
      }
    }
    return result
  }

  private static func placeholder(_ name: [UInt8], _ index: Int) -> [UInt8] {
    [UInt8(ascii: "{")] + name + Array(".\(index)}".utf8)
  }

  private func replaced(in text: [UInt8], _ entries: [Entry]) -> [UInt8] {
    var replacements: [(form: [UInt8], other: [UInt8])] = []
    for entry in entries {
      for (index, form) in entry.forms.enumerated() where text.holds(form) {
        replacements.append(
          (form, entry.name.isEmpty ? Array("…".utf8) : Self.placeholder(entry.name, entry.first + index)))
      }
    }
    // The longest first, so that none is cut by one that is a part of it.
    replacements.sort { $0.form.count > $1.form.count }
    return replacements.reduce(text) { Self.replacing($1.form, in: $0, by: $1.other) }
  }

  private static func replacing(_ wanted: [UInt8], in text: [UInt8], by other: [UInt8]) -> [UInt8] {
    guard text.holds(wanted) else { return text }
    var result: [UInt8] = []
    var index = 0
    while index < text.count {
      if index + wanted.count <= text.count, text[index..<(index + wanted.count)].elementsEqual(wanted) {
        result += other
        index += wanted.count
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }
}
