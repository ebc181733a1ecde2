import JSONText

extension SourceError.Detail {
  /// A member whose value is a string.
  static func string(_ key: String, _ value: String) -> Self {
    bytes(key, Array(value.utf8))
  }

  /// A member whose value is a string that came as bytes; what is no UTF-8 in it is replaced.
  static func bytes(_ key: String, _ value: [UInt8]) -> Self {
    var json: [UInt8] = [UInt8(ascii: "\"")]
    JSONStringEncoder.append(value.span, to: &json)
    json.append(UInt8(ascii: "\""))
    return Self(key: key, json: json)
  }

  /// A member whose value is an integer.
  static func integer(_ key: String, _ value: Int) -> Self {
    var json: [UInt8] = []
    DecimalDigits.append(value, to: &json)
    return Self(key: key, json: json)
  }

  /// A member whose value is an array of strings.
  static func strings(_ key: String, _ values: [String]) -> Self {
    var json: [UInt8] = [UInt8(ascii: "[")]
    for value in values {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json.append(contentsOf: string(key, value).json)
    }
    json.append(UInt8(ascii: "]"))
    return Self(key: key, json: json)
  }
}
