import JSONText

/// Makes sources from the `source` member of a request.
public enum SourceFactory {
  /// Every source that this build has; the order is the one in which they are listed to people.
  static let types: [SourceType] = [
    ItemsSource.type,
    SyntheticSource.type,
    FileSource.type,
    ClientSource.type,
    HTTPSource.type,
    SQLiteSource.type,
    CommandSource.type,
  ]

  /// The names that `source.type` may have in this build.
  public static var typeNames: [String] { types.map(\.name) }

  /// Makes the source that the JSON value at `value` in `bytes` describes; the text must be valid JSON.
  ///
  /// `pointer` is where that value stands in the request's params, for messages. Fails with a params error where a member
  /// is missing, malformed, unknown, or not supported by this build; with a source error where the type is unknown or the
  /// source can be seen at once to be unusable.
  public static func open(
    _ bytes: Span<UInt8>, _ value: JSONSlice, pointer: String = "/source", policy: SourcePolicy = .unrestricted
  ) -> Result<any PageSource, SourceOpenError> {
    Result { () throws(SourceOpenError) in
      var object = try SourceObject(bytes, value, pointer: pointer)
      object.policy = policy
      let name = try object.requiredString("type", expected: "a string that names a source type (\(typeList))")
      guard let type = types.first(where: { $0.name == name }) else {
        if let provider = try ProviderSource.named(name, object) { return provider }
        throw .source(unknownType(name))
      }
      return try type.open(object)
    }
  }

  private static var typeList: String { typeNames.joined(separator: ", ") }

  private static func unknownType(_ name: String) -> SourceError {
    let shown = SourceObject.shown(name)
    let noProgram =
      ProviderSource.isName(name)
      ? ", and no program \(ProviderSource.programPrefix)\(name) beside the server or on PATH" : ""
    return SourceError(
      .sourceUnavailable,
      "There is no source type \"\(shown)\" in this build\(noProgram). The types there are: \(typeList).",
      details: [.string("type", shown), .strings("types", typeNames)])
  }
}
