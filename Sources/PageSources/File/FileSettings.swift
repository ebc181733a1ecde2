import JSONText

/// What a `file` source was told to read.
struct FileSettings: Sendable, Equatable {
  /// The path as it was given.
  var path: [UInt8]
  /// How the file is cut into items.
  var format: FileFormat
  /// Where the first page lies.
  var from = FilePlace.start

  /// Reads the settings from a source object.
  init(_ object: SourceObject) throws(SourceOpenError) {
    try object.refuseOthers(than: ["path", "format", "from", "follow", "countTotal"], unsupported: ["header"])
    path = try object.requiredStringBytes("path")
    let ending = FileFormat.ending(of: path)
    if ending == "gz" { throw object.error("path", "compressed files (.gz) are \(Self.unsupported)") }
    let named = try object.word("format", of: FileFormat.allCases.map(\.rawValue) + FileFormat.unsupported)
    if let named {
      guard let format = FileFormat(rawValue: named) else {
        throw object.error("format", "\"\(named)\" is \(Self.unsupported)")
      }
      self.format = format
    } else if let ending {
      guard let format = FileFormat(rawValue: ending) else {
        throw object.error(
          "path", "its ending means the format \"\(ending)\", which is \(Self.unsupported); say \"format\": \"lines\"")
      }
      self.format = format
    } else {
      format = .lines
    }
    if let value = object.value("from") { from = try Self.place(value, of: object) }
    if try object.bool("follow") == true { throw object.error("follow", "true is \(Self.unsupported)") }
    if try object.bool("countTotal") == true { throw object.error("countTotal", "true is \(Self.unsupported)") }
  }

  private static let unsupported = "not supported by this build"

  private static func place(_ value: JSONSlice, of object: SourceObject) throws(SourceOpenError) -> FilePlace {
    let place = FilePlace(from: Array(object.bytes[value.range]))
    if object.kind(of: value) == .object {
      let inner = try SourceObject(object.bytes.span, value, pointer: "\(object.pointer)/from")
      try inner.refuseOthers(than: ["offset", "fraction"], unsupported: ["line"], allowsType: false)
      let offset = try inner.integer("offset", in: SourceObject.counts)
      let hasFraction = inner.value("fraction") != nil
      if hasFraction, place == nil { throw inner.error("fraction", "expected a number from 0 to 1") }
      if hasFraction, offset != nil { throw object.error("from", "expected either offset or fraction, not both") }
    }
    if let place { return place }
    throw object.error("from", "expected \"start\", \"end\", {\"offset\": n} or {\"fraction\": x}")
  }
}
