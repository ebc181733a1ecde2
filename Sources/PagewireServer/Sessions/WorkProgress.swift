/// The `$/progress` that a front end asked for with the token of a request.
struct WorkProgress {
  /// The token's JSON text, as it came.
  let token: [UInt8]
  /// The first generation that it is about.
  let generation: Int
  /// Whether `begin` was sent.
  var hasBegun = false
  /// What was said last.
  var percentage = 0
}
