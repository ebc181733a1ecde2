import JSONText
import PaginationCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ids in the form in which two are equal exactly when their JSON values are.
struct IDFingerprints {
  let key: FingerprintKey

  /// The fingerprint of an id's JSON text; none where the value is no id (a fraction, an object).
  ///
  /// - Parameter isItemID: whether it was found in the item, rather than given by the source.
  func fingerprint(_ bytes: Span<UInt8>, _ id: JSONSlice, isItemID: Bool) -> Fingerprint {
    guard !id.isEmpty else { return .none }
    if bytes[id.start] == UInt8(ascii: "\"") {
      if !hasBackslash(bytes, id) {
        return .of(bytes, from: id.start &+ 1, to: id.end &- 1, isItemID: isItemID, key: key)
      }
    }
    if let digits = plainDigits(bytes, id) {
      return .of(bytes, from: digits.start, to: digits.end, tag: 1, isItemID: isItemID, key: key)
    }
    guard let canonical = CanonicalID(bytes, id) else { return .none }
    return .of(
      canonical.bytes.span, from: 0, to: canonical.bytes.count, tag: canonical.kind == .integer ? 1 : 0,
      isItemID: isItemID, key: key)
  }

  /// Whether a string holds an escape; the C library looks at many bytes at once.
  @inline(__always)
  private func hasBackslash(_ bytes: Span<UInt8>, _ id: JSONSlice) -> Bool {
    bytes.extracting(id.range).withUnsafeBufferPointer { text in
      guard let base = text.baseAddress else { return false }
      return memchr(base, 0x5C, text.count) != nil
    }
  }

  /// The id where it is an integer that has only one way to be written.
  private func plainDigits(_ bytes: Span<UInt8>, _ id: JSONSlice) -> JSONSlice? {
    var offset = id.start
    if bytes[offset] == UInt8(ascii: "-") { offset &+= 1 }
    if offset >= id.end || (offset > id.start && bytes[offset] == UInt8(ascii: "0")) { return nil }
    while offset < id.end {
      if bytes[offset] &- UInt8(ascii: "0") > 9 { return nil }
      offset &+= 1
    }
    return id
  }
}
