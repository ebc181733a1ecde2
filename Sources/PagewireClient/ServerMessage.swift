import JSONRPCTransport
import JSONText

/// A message of the server, as slices of the bytes that are handed out together with it.
public enum ServerMessage: Sendable {
  /// A request of ours succeeded; its result's text, and the members where that is an object.
  case answer(id: Int, result: JSONSlice, members: [JSONMember])
  /// A request of ours failed.
  case failure(id: Int, ServerFailure)
  /// News, with the members of its params.
  case notification(method: String, members: [JSONMember])
  /// The server asks; it must be answered, if only by ``ServerConnection/refuse(_:method:)``.
  case request(id: RequestID, method: String, members: [JSONMember])
}
