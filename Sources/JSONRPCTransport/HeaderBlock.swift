/// What the lines of a header block have said so far.
struct HeaderBlock: Sendable {
  /// Bytes of the lines read, line ends included; 0 between messages.
  var bytes = 0
  /// The declared length of the body.
  var length: Int?
  /// Whether no charset but UTF-8 was named.
  var isUTF8 = true

  var isEmpty: Bool { bytes == 0 }
}
