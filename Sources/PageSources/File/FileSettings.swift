import JSONText

/// What a `file` source was told to read.
struct FileSettings: Sendable, Equatable {
  /// The path as it was given.
  var path: [UInt8]
  /// How the file is cut into items.
  var format: FileFormat
  /// Where the first page lies.
  var from = FilePlace.start
  /// Whether the first record names the columns (`csv`, `tsv`).
  var hasHeader = true
  /// Whether the items are counted behind the pages (`lines`, `jsonl`).
  var countsTotal = false
  /// Whether the file is compressed (`.gz`) and read through; offsets are those of its text then.
  var isCompressed = false
  /// Where the file may lie.
  var policy = SourcePolicy.unrestricted
  /// Whether what is added to the file later is wanted too (`lines`, `jsonl`); an unterminated last line is no item then.
  var isFollowed = false

  /// Whether items say the number of their line (`lines`), where it is known: only who wants lines counted pays for it.
  var numbersLines: Bool {
    guard format == .lines, !isCompressed else { return false }
    if case .line = from { return true }
    return countsTotal
  }

  /// Settings with every default.
  init(path: [UInt8], format: FileFormat) {
    self.path = path
    self.format = format
  }

  /// Reads the settings from a source object.
  init(_ object: SourceObject) throws(SourceOpenError) {
    try object.refuseOthers(than: ["path", "format", "header", "from", "follow", "countTotal"])
    path = try object.requiredStringBytes("path")
    policy = object.policy
    var ending = FileFormat.ending(of: path)
    if ending == "gz" {
      isCompressed = true
      ending = FileFormat.ending(of: Array(path.dropLast(3)))
    }
    let named = try object.word("format", of: FileFormat.allCases.map(\.rawValue))
    format = (named ?? ending).flatMap(FileFormat.init) ?? .lines
    if let header = try object.bool("header") {
      if !format.mayHaveHeader { throw object.error("header", "only a file of format \"csv\" or \"tsv\" has a header") }
      hasHeader = header
    }
    if let value = object.value("from") {
      from = try Self.place(value, of: object)
      if isCompressed, from != .start {
        throw object.error("from", "a compressed file can only be read from \"start\"")
      }
      if !format.isReadBackwards, from != .start {
        throw object.error("from", "a file of format \"\(format.rawValue)\" can only be read from \"start\"")
      }
    }
    try readFollowing(object)
  }

  private mutating func readFollowing(_ object: SourceObject) throws(SourceOpenError) {
    for name in ["follow", "countTotal"] where isCompressed {
      if try object.bool(name) == true { throw object.error(name, "true is not for a compressed file") }
    }
    if try object.bool("follow") == true {
      guard format.isReadBackwards else {
        throw object.error("follow", "only a file of format \"lines\" or \"jsonl\" can be followed")
      }
      isFollowed = true
    }
    if try object.bool("countTotal") == true {
      guard format.isReadBackwards else {
        throw object.error("countTotal", "only the items of a file of format \"lines\" or \"jsonl\" can be counted")
      }
      countsTotal = true
    }
  }

  private static func place(_ value: JSONSlice, of object: SourceObject) throws(SourceOpenError) -> FilePlace {
    let place = FilePlace(from: Array(object.bytes[value.range]))
    if object.kind(of: value) == .object {
      let inner = try SourceObject(object.bytes.span, value, pointer: "\(object.pointer)/from")
      let names = ["offset", "line", "fraction"]
      try inner.refuseOthers(than: names, allowsType: false)
      if names.filter({ inner.value($0) != nil }).count > 1 {
        throw object.error("from", "expected only one of offset, line and fraction")
      }
      _ = try inner.integer("offset", in: SourceObject.counts)
      _ = try inner.integer("line", in: 1...SourceObject.counts.upperBound)
      if inner.value("fraction") != nil, place == nil { throw inner.error("fraction", "expected a number from 0 to 1") }
    }
    if let place { return place }
    throw object.error("from", "expected \"start\", \"end\", {\"offset\": n}, {\"line\": n} or {\"fraction\": x}")
  }
}
