import JSONText

/// The members of a message's object that mean something, as they were found; the last of each name.
struct MessageFields {
  var jsonrpc = JSONSlice.none
  var id = JSONSlice.none
  /// The whole value, with its quotes where it is a string.
  var method = JSONSlice.none
  var methodHasEscape = false
  var params = JSONSlice.none
  var result = JSONSlice.none
  var error = JSONSlice.none
}
