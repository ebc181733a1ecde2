/// Sixteen bytes of a string, checked as UTF-8 together with the three bytes before them.
struct UTF8Block {
  /// Non-zero bytes where UTF-8 is broken.
  let errors: SIMD2<UInt64>
  /// 0xFF where a quote, a backslash or a control stands.
  let ends: SIMD2<UInt64>

  private typealias Bytes = SIMD16<UInt8>
  private typealias Signed = SIMD16<Int8>

  /// Looks at the bytes from `offset` on; three must stand before it, the last of a complete character.
  @inline(__always)
  init(_ bytes: Span<UInt8>, at offset: Int) {
    let here = bytes.vector16(at: offset)
    let back1 = bytes.vector16(at: offset &- 1)
    let back2 = bytes.vector16(at: offset &- 2)
    let back3 = bytes.vector16(at: offset &- 3)
    let signed = unsafeBitCast(here, to: Signed.self)
    // Flipping the high bit turns unsigned order into the signed order that the vector unit compares in.
    let flip = Bytes(repeating: 0x80)
    let order1 = unsafeBitCast(back1 ^ flip, to: Signed.self)
    let order2 = unsafeBitCast(back2 ^ flip, to: Signed.self)
    let order3 = unsafeBitCast(back3 ^ flip, to: Signed.self)
    // A byte must be a continuation exactly where a lead of enough length stands one, two or three bytes before it.
    let isContinuation = StringBytes.mask(signed .< Signed(repeating: -64))
    let mustContinue =
      StringBytes.mask(order1 .> Signed(repeating: 0x3F)) | StringBytes.mask(order2 .> Signed(repeating: 0x5F))
      | StringBytes.mask(order3 .> Signed(repeating: 0x6F))
    // Second bytes with narrower limits (overlong, surrogate, beyond U+10FFFF). That they are continuations is checked
    // above, so bits 5 and 4 decide.
    let zero = Bytes(repeating: 0)
    let bit5 = here & Bytes(repeating: 0x20)
    let overlong3 = StringBytes.mask((back1 ^ Bytes(repeating: 0xE0)) | bit5 .== zero)
    let surrogate = StringBytes.mask((back1 ^ Bytes(repeating: 0xED)) | (bit5 ^ Bytes(repeating: 0x20)) .== zero)
    let overlong4 = StringBytes.mask((back1 ^ Bytes(repeating: 0xF0)) | (here & Bytes(repeating: 0x30)) .== zero)
    let tooLarge =
      StringBytes.mask(back1 .== Bytes(repeating: 0xF4)) & StringBytes.mask(signed .> Signed(repeating: -113))
    // Bytes that never occur: C0, C1, F5 and above.
    let never =
      StringBytes.mask((here & Bytes(repeating: 0xFE)) .== Bytes(repeating: 0xC0))
      | StringBytes.mask(order1 .> Signed(repeating: 0x74))
    errors = (isContinuation ^ mustContinue) | overlong3 | surrogate | overlong4 | tooLarge | never
    ends =
      StringBytes.mask(here .< Bytes(repeating: 0x20)) | StringBytes.mask(here .== Bytes(repeating: 0x22))
      | StringBytes.mask(here .== Bytes(repeating: 0x5C))
  }

  /// All bytes of a word up to and with the first one that is set in `mask`.
  @inline(__always)
  static func through(_ mask: UInt64) -> UInt64 {
    (mask ^ (mask &- 1)) | 0xFF &<< UInt64(mask.trailingZeroBitCount)
  }
}
