import JSONText

// Members that are objects themselves, and what of a source object may be shown.
extension SourceObject {
  /// The members in their order, each name once: of several the last counts.
  var entries: [(name: String, value: JSONSlice)] {
    var entries: [(name: String, value: JSONSlice)] = []
    for name in names where !entries.contains(where: { $0.name == name }) {
      if let value = value(name) { entries.append((name, value)) }
    }
    return entries
  }

  /// An object inside of this one, nil where the member is absent.
  func object(_ name: String) throws(SourceOpenError) -> SourceObject? {
    guard let value = value(name) else { return nil }
    let object = try SourceObject(bytes.span, value, pointer: "\(pointer)/\(Self.escaped(name))", expected: "an object")
    if object.names.count > 200 { throw error(name, "expected an object of at most 200 members") }
    return object
  }

  /// The text of a member that is passed on as it stands; nil where it is absent.
  func passedOn(_ name: String) throws(SourceOpenError) -> [UInt8]? {
    guard let value = value(name) else { return nil }
    if value.count > SourceLimits.maxParamsBytes {
      throw error(name, "expected at most \(SourceLimits.maxParamsBytes) bytes of JSON, not \(value.count)")
    }
    return JSONReader.raw(bytes.span, value)
  }

  /// The object's text with null for each value of the object `name` in it, which may be secrets.
  func text(withoutValuesOf name: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    for (member, value) in entries {
      writer.key(anyName: Array(member.utf8).span)
      guard member == name, let secrets = try? object(name) else {
        writer.raw(value, of: bytes.span)
        continue
      }
      writer.beginObject()
      for (secret, _) in secrets.entries {
        writer.key(anyName: Array(secret.utf8).span)
        writer.null()
      }
      writer.endObject()
    }
    writer.endObject()
    return writer.bytes
  }
}
