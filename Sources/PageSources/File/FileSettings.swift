import JSONText

/// What a `file` source was told to read.
struct FileSettings: Sendable, Equatable {
  /// The path as it was given.
  var path: [UInt8]
  /// How the file is cut into items.
  var format: FileFormat

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
    try Self.checkFrom(object)
    if try object.bool("follow") == true { throw object.error("follow", "true is \(Self.unsupported)") }
    if try object.bool("countTotal") == true { throw object.error("countTotal", "true is \(Self.unsupported)") }
  }

  private static let unsupported = "not supported by this build"

  private static func checkFrom(_ object: SourceObject) throws(SourceOpenError) {
    guard let value = object.value("from") else { return }
    switch object.kind(of: value) {
    case .string:
      switch JSONReader.string(object.bytes.span, value) {
      case "start": return
      case "end": throw object.error("from", "\"end\" is \(unsupported)")
      default: break
      }
    case .object:
      let inner = try SourceObject(object.bytes.span, value, pointer: "\(object.pointer)/from")
      try inner.refuseOthers(than: [], unsupported: ["offset", "line", "fraction"], allowsType: false)
    default: break
    }
    throw object.error("from", "expected \"start\"")
  }
}
