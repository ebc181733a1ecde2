/// What the body of a frame holds.
public enum ParsedFrame: Sendable, Equatable {
  /// One message.
  case message(Message)
  /// A batch of so many elements, at least one; each is read by ``MessageParser/parseBatchElement(_:at:)``.
  case batch(count: Int)
  /// Something that must be answered with an error, even though it may look like a notification.
  case invalid(InvalidMessage)
}
