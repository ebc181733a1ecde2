/// An item's id in the form in which two ids are equal exactly when their JSON values are.
///
/// Ids are strings and integers (literals without fraction or exponent); nothing else is one. `"\u0061"` is `"a"`, `-0` is
/// `0`, `"1"` is not `1`.
public struct CanonicalID: Sendable, Hashable {
  /// Which of the two an id is.
  public enum Kind: UInt8, Sendable {
    /// A JSON string; the bytes are its content, escapes decoded (lone surrogates as WTF-8).
    case string
    /// An integer; the bytes are its digits, with a minus where it is negative.
    case integer
  }

  /// Whether the id is a string or an integer.
  public let kind: Kind
  /// Its canonical bytes.
  public let bytes: [UInt8]

  /// Reads the id from the text of a validated value; nil where the value is no id.
  public init?(_ buffer: Span<UInt8>, _ slice: JSONSlice) {
    var scratch: [UInt8] = []
    let id: CanonicalID? = CanonicalID.read(buffer, slice, scratch: &scratch) { kind, bytes in
      CanonicalID(kind: kind, bytes: bytes.withUnsafeBufferPointer { Array($0) })
    }
    guard let id else { return nil }
    self = id
  }

  private init(kind: Kind, bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// Hands the kind and the canonical bytes of an id to `body`; nil where the value is no id.
  ///
  /// Nothing is allocated unless the id is a string with an escape, which is decoded into `scratch` (its content is lost).
  public static func read<Result>(
    _ buffer: Span<UInt8>, _ slice: JSONSlice, scratch: inout [UInt8], body: (Kind, Span<UInt8>) -> Result
  ) -> Result? {
    guard !slice.isEmpty, slice.fits(in: buffer.count) else { return nil }
    if let content = JSONReader.stringContent(buffer, slice) {
      guard JSONReader.hasEscape(buffer, content) else { return body(.string, buffer.extracting(content.range)) }
      scratch.removeAll(keepingCapacity: true)
      JSONReader.appendDecoded(buffer, content: content, to: &scratch)
      return body(.string, scratch.span)
    }
    guard let digits = canonicalDigits(buffer, slice) else { return nil }
    return body(.integer, buffer.extracting(digits.range))
  }

  /// The part of an integer literal that is canonical.
  ///
  /// The grammar bars leading zeros, so only `-0` has another form.
  private static func canonicalDigits(_ buffer: Span<UInt8>, _ slice: JSONSlice) -> JSONSlice? {
    var i = slice.start
    let isNegative = buffer[i] == UInt8(ascii: "-")
    if isNegative { i &+= 1 }
    let digits = i
    while i < slice.end {
      guard buffer[i] &- UInt8(ascii: "0") < 10 else { return nil }
      i &+= 1
    }
    guard i > digits else { return nil }
    let isNegativeZero = isNegative && slice.count == 2 && buffer[digits] == UInt8(ascii: "0")
    return JSONSlice(start: isNegativeZero ? digits : slice.start, end: slice.end)
  }
}
