/// SipHash as its authors describe it (Aumasson and Bernstein, 2012, with the 128-bit output of the reference code), for
/// any number of rounds; written for clearness only, and proven with the published vectors of SipHash-2-4.
enum ReferenceSipHash {
  static func hash128(_ message: [UInt8], key: [UInt8], wordRounds: Int, finalRounds: Int) -> [UInt8] {
    let k0 = word(key, 0)
    let k1 = word(key, 8)
    var state: [UInt64] = [
      k0 ^ 0x736f_6d65_7073_6575, k1 ^ 0x646f_7261_6e64_6f6d, k0 ^ 0x6c79_6765_6e65_7261, k1 ^ 0x7465_6462_7974_6573,
    ]
    state[1] ^= 0xee
    var padded = message
    while padded.count % 8 != 7 { padded.append(0) }
    padded.append(UInt8(truncatingIfNeeded: message.count))
    for offset in stride(from: 0, to: padded.count, by: 8) {
      let m = word(padded, offset)
      state[3] ^= m
      for _ in 0..<wordRounds { round(&state) }
      state[0] ^= m
    }
    state[2] ^= 0xee
    for _ in 0..<finalRounds { round(&state) }
    var out = bytes(state[0] ^ state[1] ^ state[2] ^ state[3])
    state[1] ^= 0xdd
    for _ in 0..<finalRounds { round(&state) }
    out += bytes(state[0] ^ state[1] ^ state[2] ^ state[3])
    return out
  }

  private static func round(_ v: inout [UInt64]) {
    v[0] = v[0] &+ v[1]
    v[1] = rotate(v[1], 13)
    v[1] ^= v[0]
    v[0] = rotate(v[0], 32)
    v[2] = v[2] &+ v[3]
    v[3] = rotate(v[3], 16)
    v[3] ^= v[2]
    v[0] = v[0] &+ v[3]
    v[3] = rotate(v[3], 21)
    v[3] ^= v[0]
    v[2] = v[2] &+ v[1]
    v[1] = rotate(v[1], 17)
    v[1] ^= v[2]
    v[2] = rotate(v[2], 32)
  }

  private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 { value << bits | value >> (64 - bits) }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  private static func bytes(_ word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
  }
}
