import JSONText

/// The `client` source: the front end itself has the pages, and the server asks it with `fetchPage`.
public final class ClientSource: PageSource {
  /// The entry in the factory.
  static let type = SourceType(name: "client") { (object) throws(SourceOpenError) in
    try object.refuseOthers(than: ["params"])
    return ClientSource(params: try object.passedOn("params"))
  }

  /// The exact JSON text of the source's `params`, which go along with every `fetchPage`; nil where it has none.
  public let params: [UInt8]?

  private init(params: [UInt8]?) {
    self.params = params
  }

  /// `client`.
  public var typeName: String { Self.type.name }

  /// The front end's cursors are its own.
  public var takesStartAt: Bool { true }

  /// Always the front end.
  public func plan(_ request: PageRequest, idPath: JSONPointer) -> FetchPlan { .frontEnd }

  /// Writes the type.
  public func facts(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("type", typeName)
    writer.endObject()
  }

  /// Nothing is held.
  public func close() {}
}
