/// What was found at the start of a member: its name, and where its value starts.
public struct JSONKey: Sendable, BitwiseCopyable {
  /// The name's content, without its quotes.
  public var slice: JSONSlice
  /// Offset of the first byte of the member's value (white space skipped); no value need stand there.
  public var valueStart: Int
  /// The word of the name as it is written, see ``JSONKeyWord``; 0 when it has an escape.
  @usableFromInline var plainWord: UInt64
  /// Whether the name is written with at least one escape.
  public var hasEscape: Bool

  @usableFromInline @inline(__always)
  init(slice: JSONSlice, valueStart: Int, plainWord: UInt64, hasEscape: Bool) {
    self.slice = slice
    self.valueStart = valueStart
    self.plainWord = plainWord
    self.hasEscape = hasEscape
  }

  /// The word of the name, its escapes decoded where it has any; `bytes` is the buffer it was scanned in.
  @inlinable @inline(__always)
  public func word(in bytes: Span<UInt8>) -> UInt64 {
    hasEscape ? decodedWord(in: bytes) : plainWord
  }

  @usableFromInline @inline(never)
  func decodedWord(in bytes: Span<UInt8>) -> UInt64 {
    // An escape takes at most six bytes for one, so a longer text cannot be a name of eight bytes.
    if slice.count > 48 { return 0 }
    var decoded: [UInt8] = []
    JSONReader.appendDecoded(bytes, content: slice, to: &decoded)
    return JSONKeyWord.pack(decoded.span)
  }
}
