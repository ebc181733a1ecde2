import JSONText

// What these settings need beside the members that all sources read.
extension SourceObject {
  /// A JSON Pointer, nil where the member is absent.
  func pointer(
    _ name: String, expected: String = "a JSON Pointer such as \"/data\""
  ) throws(SourceOpenError) -> JSONPointer? {
    guard let value = value(name) else { return nil }
    guard let text = JSONReader.stringBytes(bytes.span, value), let pointer = try? JSONPointer(utf8: text) else {
      throw error(name, "expected \(expected)")
    }
    return pointer
  }

  /// A string that is not empty, nil where the member is absent.
  func name(_ name: String) throws(SourceOpenError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = JSONReader.string(bytes.span, value), !text.isEmpty else { throw error(name, "expected a name") }
    return text
  }

  /// The name of a parameter of the query, nil where the member is absent.
  func parameterName(_ name: String) throws(SourceOpenError) -> [UInt8]? { try self.name(name).map { Array($0.utf8) } }

  /// The name of a header.
  func headerName(_ name: String) throws(SourceOpenError) -> String {
    guard let text = try self.name(name), text.utf8.allSatisfy(HTTPHeaderText.isNameByte) else {
      throw error(name, "expected the name of a header")
    }
    return text
  }

  /// What a value is as a parameter: a string's content, the text of a number or boolean.
  func parameter(_ value: JSONSlice) -> [UInt8]? {
    switch kind(of: value) {
    case .string: JSONReader.stringBytes(bytes.span, value)
    case .number, .bool: JSONReader.raw(bytes.span, value)
    default: nil
    }
  }
}
