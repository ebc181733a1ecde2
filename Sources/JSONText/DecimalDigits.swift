/// Writes integers as decimal digits without making a String.
public enum DecimalDigits {
  /// How many digits a number that is not negative has.
  public static func count(_ value: Int) -> Int {
    var count = 1
    var rest = value
    while rest > 9 {
      rest /= 10
      count &+= 1
    }
    return count
  }

  /// The most characters that a number has, its minus included.
  public static let maxCount = 20

  /// Appends the digits of `value`, with a minus where it is negative.
  public static func append(_ value: Int, to bytes: inout [UInt8]) {
    if value >= 0, value < 10 {
      bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value))
      return
    }
    bytes.append(addingCapacity: maxCount) { $0.append(decimal: value) }
  }

  /// The eight digits of a number below 10^8, the first in the lowest byte.
  ///
  /// Halves, quarters and single digits are taken apart side by side; division by 100 and 10 is a multiplication, exact for
  /// numbers below 10,000 and 100.
  fileprivate static func eightDigits(_ value: UInt64) -> UInt64 {
    let fours = value / 10_000 | (value % 10_000) &<< 32
    let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = (twos &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (twos &- tens &* 10) &<< 8
  }
}

extension OutputSpan<UInt8> {
  /// Appends the digits of `value`, with a minus where it is negative; it traps where there is no room for them.
  public mutating func append(decimal value: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digitsOf: UInt64(value.magnitude))
  }

  private mutating func append(digitsOf value: UInt64) {
    if value < 100_000_000 {
      let digits = DecimalDigits.eightDigits(value)
      append(digits, skipping: min(7, digits.trailingZeroBitCount &>> 3))
    } else {
      let (high, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
      append(digitsOf: high)
      append(DecimalDigits.eightDigits(low), skipping: 0)
    }
  }

  /// Appends digits that lie in the bytes of a word, all at once: one by one they take a tenth of the time of a page of lines,
  /// each of which has two numbers.
  private mutating func append(_ digits: UInt64, skipping skipped: Int) {
    let text = ((digits | 0x3030_3030_3030_3030) &>> UInt64(8 &* skipped)).littleEndian
    withUnsafeBytes(of: text) { text in
      text.withMemoryRebound(to: UInt8.self) { append(copying: UnsafeBufferPointer(rebasing: $0[..<(8 &- skipped)])) }
    }
  }
}
