import JSONText

/// A message as slices of the buffer that its frame lies in; a slice that is empty stands for an absent member.
///
/// Which members make what: with a `method` it is a request or a notification, whatever else it has (`result` and `error`
/// are then unknown members and ignored); without one, a `result` or an `error` makes it a response.
public struct Message: Sendable, Equatable {
  /// Whether it is a request, a notification or a response.
  public var kind: MessageKind
  /// The id's text, byte for byte as it came; empty if there is none (or, in a response, none that can be used).
  public var id: JSONSlice
  /// The method's name, without quotes.
  public var method: JSONSlice
  /// Whether the name is written with an escape, so that its bytes must be decoded before they are compared.
  public var methodHasEscape: Bool
  /// The parameters' text; empty if absent or null.
  public var params: JSONSlice
  /// The form of the parameters.
  public var paramsKind: ParamsKind
  /// The result's text, `null` included; empty in a response with an error.
  public var result: JSONSlice
  /// The error's text; empty in a response with a result (beside which an `"error": null` is ignored).
  public var error: JSONSlice
  /// What is wrong with a response; always nil for the other kinds.
  public var defect: ResponseDefect?
}
