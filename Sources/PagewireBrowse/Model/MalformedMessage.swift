/// A message of the server that is not what the protocol says.
struct MalformedMessage: Error, Equatable {
  let method: String
  let complaint: String
}
