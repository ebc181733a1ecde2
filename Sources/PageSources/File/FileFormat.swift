/// How a file is cut into items.
enum FileFormat: String, Sendable, Equatable, CaseIterable {
  /// Each line is an item.
  case lines
  /// Each line that is not blank holds a JSON value, which is the item.
  case jsonl
  /// The elements of the array that the file holds.
  case json
  /// Records of fields with commas between.
  case csv
  /// Records of fields with tabs between.
  case tsv

  /// Whether the items before a place can be found by reading backwards.
  var isReadBackwards: Bool {
    switch self {
    case .lines, .jsonl: true
    // Whether a byte lies between quotes shows only to who reads from the start.
    case .json, .csv, .tsv: false
    }
  }

  /// Whether lines of nothing but blanks are no items.
  var skipsBlankLines: Bool {
    switch self {
    case .lines: false
    case .jsonl, .json, .csv, .tsv: true
    }
  }

  /// Whether a first record may name the columns.
  var mayHaveHeader: Bool { self == .csv || self == .tsv }

  /// Whether a page starts behind a line feed.
  var startsPagesWithLines: Bool { self != .json }

  /// The last part of a path's name, in lower case, where it says something of the format: a format's name, or `gz`.
  static func ending(of path: [UInt8]) -> String? {
    let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
    // A name that is nothing but an ending is a hidden file's name.
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    switch String(decoding: name[(dot + 1)...].map { $0 | 0x20 }, as: UTF8.self) {
    case "jsonl", "ndjson": return "jsonl"
    case "json": return "json"
    case "csv": return "csv"
    case "tsv": return "tsv"
    case "gz": return "gz"
    default: return nil
    }
  }
}
