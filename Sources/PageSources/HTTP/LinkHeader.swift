/// The links of a `Link` header, read as RFC 8288 says.
struct LinkHeader {
  /// One link: where it leads and what it is.
  struct Link: Equatable {
    var target: [UInt8]
    /// The relations in lower case.
    var relations: [String]
    /// Whether it is said of another page than the one that came.
    var hasAnchor: Bool
  }

  private(set) var links: [Link] = []

  /// Reads all headers of that name.
  ///
  /// What is no link is passed over, and reading goes on behind it.
  init(_ values: [[UInt8]]) {
    for value in values {
      var reader = Reader(text: value)
      while let link = reader.next() { links.append(link) }
    }
  }

  /// The target of the first link of this relation, which is compared without regard to case.
  func target(_ relation: String) -> [UInt8]? {
    let wanted = relation.lowercased()
    return links.first { !$0.hasAnchor && $0.relations.contains(wanted) }?.target
  }

  private struct Reader {
    let text: [UInt8]
    var index = 0

    init(text: [UInt8]) { self.text = text }

    /// The next link, nil at the end.
    mutating func next() -> Link? {
      while index < text.count {
        skip { Self.isBlank($0) || $0 == UInt8(ascii: ",") }
        guard index < text.count else { return nil }
        guard text[index] == UInt8(ascii: "<"), let close = text[index...].firstIndex(of: UInt8(ascii: ">")) else {
          skipElement()
          continue
        }
        var link = Link(target: Array(text[(index + 1)..<close]), relations: [], hasAnchor: false)
        index = close + 1
        readParameters(of: &link)
        return link
      }
      return nil
    }

    /// Reads up to the comma that ends the link.
    private mutating func readParameters(of link: inout Link) {
      var hasRelation = false
      while true {
        skip(Self.isBlank)
        guard index < text.count, text[index] == UInt8(ascii: ";") else { break }
        index += 1
        skip(Self.isBlank)
        let name = token().lowercased()
        let value = parameterValue()
        if name == "rel" && !hasRelation {
          // Only the first counts.
          hasRelation = true
          // By bytes: a blank with a combining character behind it is one character to a String.
          link.relations = (value ?? []).split { Self.isBlank($0) || $0 == 0x0A || $0 == 0x0D }
            .map { String(decoding: $0, as: UTF8.self).lowercased() }
        } else if name == "anchor" {
          link.hasAnchor = true
        }
      }
      skipElement()
    }

    /// The value behind an equals sign; nil where the parameter has none.
    private mutating func parameterValue() -> [UInt8]? {
      skip(Self.isBlank)
      guard index < text.count, text[index] == UInt8(ascii: "=") else { return nil }
      index += 1
      skip(Self.isBlank)
      guard index < text.count, text[index] == UInt8(ascii: "\"") else {
        let start = index
        skip { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") && !Self.isBlank($0) }
        return Array(text[start..<index])
      }
      return quotedString()
    }

    private mutating func quotedString() -> [UInt8] {
      var value: [UInt8] = []
      index += 1
      while index < text.count, text[index] != UInt8(ascii: "\"") {
        if text[index] == UInt8(ascii: "\\"), index + 1 < text.count { index += 1 }
        value.append(text[index])
        index += 1
      }
      index = min(index + 1, text.count)
      return value
    }

    private mutating func token() -> String {
      let start = index
      skip { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") && !Self.isBlank($0) }
      return String(decoding: text[start..<index], as: UTF8.self)
    }

    /// Goes on to the comma that ends what is here; commas in quotes and brackets do not.
    private mutating func skipElement() {
      while index < text.count, text[index] != UInt8(ascii: ",") {
        switch text[index] {
        case UInt8(ascii: "\""): _ = quotedString()
        case UInt8(ascii: "<"): index = text[index...].firstIndex(of: UInt8(ascii: ">")) ?? index + 1
        default: index += 1
        }
      }
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
      while index < text.count, isSkipped(text[index]) { index += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  }
}
