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

  /// The names of these members as words, see `JSONKeyWord`.
  enum Word {
    static var jsonrpc: UInt64 { 0x63_7072_6E6F_736A }
    static var id: UInt64 { JSONKeyWord.id }
    static var method: UInt64 { 0x646F_6874_656D }
    static var params: UInt64 { 0x736D_6172_6170 }
    static var result: UInt64 { 0x746C_7573_6572 }
    static var error: UInt64 { 0x72_6F72_7265 }
    static var items: UInt64 { 0x73_6D65_7469 }
  }
}
