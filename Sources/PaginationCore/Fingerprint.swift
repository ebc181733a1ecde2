/// The secret under which fingerprints are made: random per process, so that nobody can craft ids that collide.
public struct FingerprintKey: Equatable, Sendable {
  let k0: UInt64
  let k1: UInt64

  /// Makes a key of two words that the caller drew at random.
  public init(_ k0: UInt64, _ k1: UInt64) {
    self.k0 = k0
    self.k1 = k1
  }
}

/// A 128-bit keyed digest that stands for an item's id, a cursor or a session's name.
///
/// The digest is SipHash-1-3 with 128 bits of output. The lowest bit of `high` is taken out of the digest and says where
/// an id came from, so that a source's own key never equals an id found in an item.
public struct Fingerprint: Hashable, Sendable {
  /// The first half of the digest; its lowest bit is the domain.
  public let high: UInt64
  /// The second half of the digest, never 0 for a real id.
  public let low: UInt64

  /// What stands where an item has no id at all.
  public static let none = Fingerprint(high: 0, low: 0)

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Whether there is an id.
  @inline(__always)
  public var isNone: Bool { low == 0 }

  /// Whether the id was found in the item itself, and so takes part in dedupe.
  @inline(__always)
  public var isItemID: Bool { high & 1 == 1 }

  /// Digests `bytes[from..<to]`.
  ///
  /// - Parameters:
  ///   - tag: keeps kinds of values apart (a string from an integer), mixed into the digest.
  ///   - isItemID: true for an id found in the item, false for a source's key, a cursor or a name.
  public static func of(
    _ bytes: Span<UInt8>, from: Int, to: Int, tag: UInt8 = 0, isItemID: Bool = false, key: FingerprintKey
  ) -> Fingerprint {
    var state = SipState(key: key)
    // A tag is a word of its own, and so cannot be forged by any bytes of the same length.
    if tag != 0 { state.absorb(UInt64(tag)) }
    let raw = bytes.bytes
    var offset = from
    while offset &+ 8 <= to {
      state.absorb(UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset &+= 8
    }
    var last = UInt64(truncatingIfNeeded: to &- from) << 56
    let rest = UInt64(truncatingIfNeeded: to &- offset)
    if rest > 0, to &- from >= 8 {
      // The last eight bytes, without those that were absorbed already.
      let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: to &- 8, as: UInt64.self))
      last ^= word &>> (64 &- 8 &* rest)
    } else {
      var shift: UInt64 = 0
      while offset < to {
        last ^= UInt64(bytes[offset]) << shift
        shift &+= 8
        offset &+= 1
      }
    }
    state.absorb(last)
    let digest = state.finish()
    return Fingerprint(
      high: isItemID ? digest.0 | 1 : digest.0 & ~1,
      low: digest.1 == 0 ? 1 : digest.1)
  }

  /// Digests a number, such as a byte offset that a source uses as its key.
  public static func of(sourceKey: Int, key: FingerprintKey) -> Fingerprint {
    var state = SipState(key: key)
    state.absorb(UInt64(bitPattern: Int64(sourceKey)))
    state.absorb(8 << 56 | 0x6b)
    let digest = state.finish()
    return Fingerprint(high: digest.0 & ~1, low: digest.1 == 0 ? 1 : digest.1)
  }
}

/// SipHash-1-3, 128-bit output (Aumasson and Bernstein): one round a word, three to finish.
private struct SipState {
  var v0: UInt64
  var v1: UInt64
  var v2: UInt64
  var v3: UInt64

  @inline(__always)
  init(key: FingerprintKey) {
    v0 = key.k0 ^ 0x736f_6d65_7073_6575
    v1 = key.k1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
    v2 = key.k0 ^ 0x6c79_6765_6e65_7261
    v3 = key.k1 ^ 0x7465_6462_7974_6573
  }

  @inline(__always)
  mutating func round() {
    v0 = v0 &+ v1
    v1 = (v1 << 13 | v1 >> 51) ^ v0
    v0 = v0 << 32 | v0 >> 32
    v2 = v2 &+ v3
    v3 = (v3 << 16 | v3 >> 48) ^ v2
    v0 = v0 &+ v3
    v3 = (v3 << 21 | v3 >> 43) ^ v0
    v2 = v2 &+ v1
    v1 = (v1 << 17 | v1 >> 47) ^ v2
    v2 = v2 << 32 | v2 >> 32
  }

  @inline(__always)
  mutating func absorb(_ word: UInt64) {
    v3 ^= word
    round()
    v0 ^= word
  }

  @inline(__always)
  mutating func finish() -> (UInt64, UInt64) {
    v2 ^= 0xee
    round()
    round()
    round()
    let first = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    round()
    round()
    round()
    return (first, v0 ^ v1 ^ v2 ^ v3)
  }
}
