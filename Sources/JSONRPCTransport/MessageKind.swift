/// What a message is.
public enum MessageKind: Sendable, Equatable {
  /// It has a method and an id, and gets exactly one answer.
  case request
  /// It has a method and no id, and is never answered.
  case notification
  /// It answers a request, by its id.
  case response
}
